/**
 * Programs that are written for the original packages of middleware, compiled against the types of the original and of ours.
 * Lines that must not compile have `@ts-expect-error`. One file for all packages, so that the compiler and its libraries
 * are loaded once.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { compile, programOptions } from './types/compile.js';

const HOME = path.join(__dirname, '../../middleware');

/** The names that programs import, of the packages with another name. */
const ORIGINALS: Record<string, string> = {
  'body-parser1': 'body-parser',
  'rate-limit': 'express-rate-limit',
  'serve-static1': 'serve-static',
  session: 'express-session',
};

/** As CommonJS with the older resolution, and as Node.js resolves modules, for .mts files. */
const KINDS: Record<string, ts.CompilerOptions> = {
  '.ts': programOptions,
  '.mts': {
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  },
};

const packages = fs
  .readdirSync(HOME)
  .map(name => ({ name, programs: path.join(HOME, name, 'test/types') }))
  .filter(({ programs }) => fs.existsSync(programs));

describe('types of middleware', () => {
  for (const { name, programs } of packages) {
    const original = ORIGINALS[name] ?? name;
    const declarations = path.join(HOME, name, 'lib/index.d.ts');
    for (const program of fs.readdirSync(programs)) {
      const file = path.join(programs, program);
      const kind = KINDS[path.extname(program)]!;
      test(`${name}: types/${program} compiles with the types of the original`, () => {
        assert.deepEqual(compile([file], kind).mistakes, []);
      });
      test(`${name}: types/${program} compiles with ours`, () => {
        assert.deepEqual(compile([file], { ...kind, paths: { [original]: [declarations] } }).mistakes, []);
      });
    }
  }

  test('packages: all but those without an original have a program', () => {
    const without = fs.readdirSync(HOME).filter(name => {
      const home = path.join(HOME, name);
      return fs.existsSync(path.join(home, 'src')) && !fs.existsSync(path.join(home, 'test/types'));
    });
    assert.deepEqual(without, ['response-hooks', 'same-origin', 'signed-cookies']);
  });
});
