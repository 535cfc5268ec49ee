// runs: slow, built, once
/** The scripts of the repository: each answers `--help`, and rejects options and words that it doesn't know. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.join(__dirname, '../../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** A line of the comment at the top that shows how to run a script. */
const USAGE = /^(?: \* )? {4}(?:[A-Z_]+=\S+ )?(?:node \w+\/|npm run ).*/m;
const files = execFileSync('git', ['ls-files', 'proofs', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    file => /\.[cm]js$|\/run\.ts$/.test(file) && USAGE.test(/^\/\*\*.*?\*\//s.exec(read(file))?.[0] ?? ''),
  );
/** Makes a process fail that starts another, connects, or creates a temporary folder. */
const BLOCK = `
  for (const [module, names] of Object.entries({
    child_process: ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'],
    net: ['connect', 'createConnection', 'createServer'],
    fs: ['mkdtempSync'],
  }))
    for (const name of names)
      require(module)[name] = () => { console.error(name + ' was called'); process.exit(3); };
  require('module').syncBuiltinESMExports();
`;
const block = path.join(fs.mkdtempSync(path.join(root, 'node_modules/.cache/scripts-')), 'block.cjs');
fs.writeFileSync(block, BLOCK);
process.once('exit', () => {
  fs.rmSync(path.dirname(block), { recursive: true });
});

function run(file: string, args: string[], options: string[] = []) {
  const loader = file.endsWith('.ts') ? ['--require', './scripts/typescript.cjs'] : [];
  const all = [...loader, ...options, file, ...args];
  return spawnSync(process.execPath, all, { cwd: root, encoding: 'utf8', timeout: 30_000 });
}

describe('scripts', () => {
  for (const file of files)
    test(`${file}: --help prints the usage, and starts, downloads and writes nothing`, () => {
      const { status, stdout, stderr } = run(file, ['--help'], ['--require', block]);
      assert.equal(stderr, '');
      assert.equal(status, 0);
      assert.match(stdout, USAGE);
      assert.ok(!stdout.includes('*/'), stdout);
    });

  test('npm scripts: each runs one program, which answers --help', () => {
    for (const [name, command] of Object.entries(scripts)) {
      if (/^(?:pre)?start$|^lint$|^format$/.test(name)) continue;
      const [, file = ''] = /^node (?:--require \S+ )?(\S+)(?: --watch)?$/.exec(command) ?? [];
      assert.ok(files.includes(file), name);
    }
  });

  for (const [file, args] of [
    ['proofs/bench/http/run.mjs', ['--only', 'nonsense']],
    ['proofs/bench/http/run.mjs', ['--frameworks', 'nonsense']],
    ['proofs/bench/resources/run.mjs', ['--frameworks', 'nonsense']],
    ['proofs/bench/overload/run.mjs', ['nonsense']],
    ['proofs/conformance/run.ts', ['nonsense']],
    ['proofs/soak/run.mjs', ['--only', 'nonsense']],
    ['proofs/compat/run.mjs', ['nonsense']],
    ['proofs/fuzz/run-all.mjs', ['nonsense']],
    ['scripts/run-tests.mjs', ['nonsense']],
    ['proofs/scale/run.mjs', ['--only', 'nonsense']],
    ['scripts/test-http2.mjs', ['nonsense']],
    ['scripts/typescript-versions.mjs', ['nonsense']],
    ['proofs/upstream/run.mjs', ['nonsense']],
  ] as [string, string[]][])
    test(`${file} ${args.join(' ')}: fails with a message that quotes the name`, () => {
      const { status, stderr } = run(file, args);
      assert.equal(status, 1, stderr);
      assert.match(stderr, /["' ]nonsense["']?/);
      assert.doesNotMatch(stderr, /^ +at /m);
    });

  test('an option that does not exist: fails with its name', () => {
    const { status, stderr } = run('proofs/fuzz/run-all.mjs', ['--second=1']);
    assert.equal(status, 1);
    assert.match(stderr, /'--second'.*--help lists the options/);
  });
});
