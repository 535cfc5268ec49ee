/** Measures line and branch coverage of the packages' src: collects the data of the tests, and reports it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageHomes, root } from './packages.cjs';

const reports = path.join(root, 'coverage');
const THRESHOLD = { lines: 98, branches: 97 };

/** Empties and returns the directory to which test processes write their coverage. */
export function emptyCoverage() {
  fs.rmSync(reports, { recursive: true, force: true });
  return path.join(reports, 'tmp');
}

/** Returns the files of a package that contain only types: nothing in them runs. */
function typesOnly(/** @type {string} */ home) {
  const lib = path.join(root, home, 'lib');
  const files = fs.readdirSync(lib, { recursive: true }).map(String);
  const empty = files.filter(file => {
    if (!file.endsWith('.js')) return false;
    const code = fs.readFileSync(path.join(lib, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return /^\s*"use strict";\s*(Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*)?$/.test(
      code,
    );
  });
  return empty.flatMap(file => [`${home}/lib/${file}`, `${home}/src/${file.replace(/\.js$/, '.ts')}`]);
}

/**
 * Writes the source maps where c8 expects them. Node.js does so for code that names its map, but ours does not, because
 * it is published without maps.
 */
function writeSourceMaps(/** @type {string[]} */ packages) {
  const libs = packages.map(home => path.join(root, home, 'lib'));
  const files = libs.flatMap(lib =>
    fs.readdirSync(lib, { recursive: true }).map(file => path.join(lib, String(file))),
  );
  const maps = files
    .filter(file => file.endsWith('.js.map'))
    .map(map => {
      const file = map.replace(/\.map$/, '');
      const lineLengths = fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .map(line => line.length);
      const data = JSON.parse(fs.readFileSync(map, 'utf8'));
      data.sources = data.sources.map((/** @type {string} */ source) =>
        String(pathToFileURL(path.resolve(path.dirname(map), source))),
      );
      return [String(pathToFileURL(file)), { lineLengths, data, url: path.basename(map) }];
    });
  const report = { result: [], 'source-map-cache': Object.fromEntries(maps) };
  fs.writeFileSync(path.join(reports, 'tmp', 'source-maps.json'), JSON.stringify(report));
}

/**
 * Prints the coverage of every file, loaded or not; resolves with 1 if it is below the threshold. It takes one processor for
 * half a minute, in which other tests can run.
 */
export async function reportCoverage() {
  const c8 = path.join(root, 'node_modules/c8/bin/c8.js');
  const packages = packageHomes();
  writeSourceMaps(packages);
  const child = spawn(
    process.execPath,
    [
      c8,
      'report',
      '--temp-directory',
      path.join(reports, 'tmp'),
      '--reports-dir',
      reports,
      '--all',
      ...packages.flatMap(home => ['--src', `${home}/lib`]),
      ...packages.flatMap(home => ['--include', `${home}/src/**`, '--include', `${home}/lib/**`]),
      ...['**/*.d.ts', ...packages.flatMap(typesOnly)].flatMap(glob => ['--exclude', glob]),
      '--exclude-after-remap=false',
      '--reporter=text',
      '--reporter=lcovonly',
      '--reporter=json-summary',
      '--check-coverage',
      ...Object.entries(THRESHOLD).map(([name, figure]) => `--${name}=${figure}`),
      '--functions=0',
      '--statements=0',
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => (output += text));
  const [code] = await once(child, 'close');
  process.stdout.write(output);
  if (code !== 0) console.log(`\ncoverage is below ${JSON.stringify(THRESHOLD)}`);
  return /** @type {number} */ (code ?? 1);
}
