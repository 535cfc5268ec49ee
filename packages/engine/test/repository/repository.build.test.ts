// runs: slow, built, once
/** `npm run build` runs in a small separate repository, with the scripts of this one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

const root = path.join(__dirname, '../../../..');
const names = ['engine', 'ristretto', 'ristretto3', 'ristretto5', 'migrate', 'create-ristretto'];
const COPIED = [
  'scripts/build.mjs',
  'scripts/options.cjs',
  ...['tsconfig.package.json', ...names.map(name => `packages/${name}/tsconfig.json`)],
  ...['packages/middleware/tsconfig.package.json', 'scripts/packages.cjs'],
];

/** Represents the compiler's library and Node's types, which take most of the time of a build. */
const TYPES = `
interface Array<T> {} interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Number {} interface Object {} interface RegExp {} interface String {}
declare module 'node:path' { const sep: string }
`;

/** The other files. */
const WRITTEN = {
  'CHANGELOG.md': '# Changelog',
  'examples/showcase/build.mjs': "console.log('showcase built');",
  'tsconfig.base.json': '{ "compilerOptions": { "module": "nodenext", "noLib": true, "types": ["node"] } }',
  'node_modules/@types/node/index.d.ts': TYPES,
  'packages/ristretto/src/express.ts': `/** The entry. */
import path = require('node:path');
/** The separator. */
export const separator: string = path.sep; // one character
`,
  'packages/engine/src/types/core.ts': '/** The core types. */\nexport interface Response {}',
  'packages/ristretto3/src/index.ts': 'export const major = 3;',
  'packages/ristretto5/src/index.ts': 'export const major = 5;',
  'packages/migrate/src/index.ts': 'export const major = 4;',
  'packages/create-ristretto/src/index.ts': 'export const major = 4;',
  'packages/middleware/cors/src/origin/match.ts': 'export const matches = true;',
  'packages/middleware/cors/src/index.ts': "export const name = 'cors'; // removed",
};

describe('build', () => {
  let home: string;
  const at = (name: string): string => path.join(home, 'packages', name);
  const read = (name: string): string => fs.readFileSync(at(name), 'utf8');

  function write(name: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
  }

  function build(): { status: number | null; stdout: string; stderr: string } {
    const script = path.join(home, 'scripts/build.mjs');
    return spawnSync(process.execPath, [script], { encoding: 'utf8' });
  }

  /** Returns the files of all lib directories, with their texts. */
  function built(): Record<string, string> {
    const libs = names.map(name => `${name}/lib`);
    const files = libs.flatMap(lib =>
      fs
        .readdirSync(at(lib), { recursive: true })
        .map(file => `${lib}/${String(file).replaceAll('\\', '/')}`),
    );
    const found = files.filter(file => fs.statSync(at(file)).isFile()).sort();
    return Object.fromEntries(found.map(file => [file, read(file)]));
  }

  before(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'build-'));
    for (const name of COPIED) fs.cpSync(path.join(root, name), path.join(home, name));
    for (const [name, text] of Object.entries(WRITTEN)) write(name, text);
    const compiler = path.dirname(require.resolve('typescript/package.json'));
    fs.symlinkSync(compiler, path.join(home, 'node_modules/typescript'), 'junction');
    const { status, stdout, stderr } = build();
    assert.deepEqual([status, stdout, stderr], [0, 'showcase built\n', '']);
  });
  after(() => fs.rmSync(home, { recursive: true }));

  test('code has neither comments nor `node:`, declarations have comments, and maps refer to the sources', () => {
    const code = read('ristretto/lib/express.js');
    assert.match(code, /require\("path"\)/);
    assert.doesNotMatch(code, /separator\.|one character|sourceMappingURL/);
    assert.match(read('ristretto/lib/express.d.ts'), /The separator\./);
    const { sources } = JSON.parse(read('engine/lib/types/core.js.map')) as { sources: string[] };
    assert.deepEqual(sources, ['../../src/types/core.ts']);
  });

  test('middleware packages are compiled together, each with its own lib and with maps to its own sources', () => {
    assert.doesNotMatch(read('middleware/cors/lib/index.js'), /removed|sourceMappingURL/);
    assert.match(read('middleware/cors/lib/index.d.ts'), /name = "cors"/);
    const sourcesOf = (map: string): string[] =>
      (JSON.parse(read(`middleware/cors/lib/${map}`)) as { sources: string[] }).sources;
    assert.deepEqual(sourcesOf('index.js.map'), ['../src/index.ts']);
    assert.deepEqual(sourcesOf('origin/match.js.map'), ['../../src/origin/match.ts']);
  });

  test('writes a deleted output file again, keeps existing ones, and removes those without a source', () => {
    const whole = built();
    write('packages/ristretto/lib/old.js', 'the source was deleted');
    const kept = at('create-ristretto/lib/index.js');
    const { mtimeMs } = fs.statSync(kept);
    // There is one for each pass of a package, because each pass rewrites all of its files.
    const deleted = ['ristretto/lib/express.js', 'ristretto/lib/express.d.ts', 'ristretto3/lib/index.js.map'];
    for (const file of deleted) fs.rmSync(at(file));
    assert.equal(build().status, 0);
    assert.deepEqual(built(), whole);
    assert.equal(fs.statSync(kept).mtimeMs, mtimeMs);
  });

  test('a type error ends the build with its place and status 1, after the packages before it', () => {
    const whole = built();
    write('packages/create-ristretto/src/index.ts', "export const major: number = '4';");
    fs.rmSync(at('ristretto5/lib/index.js.map'));
    const { status, stdout, stderr } = build();
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /create-ristretto\/src\/index\.ts.*TS2322/);
    assert.deepEqual(Object.keys(built()), Object.keys(whole));
  });
});
