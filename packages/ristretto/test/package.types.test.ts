/** Programs compiled against Express's types and against ours, and those that use what only ours know. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { compile } from './types/compile.js';

const folder = join(__dirname, 'types');
const ours = join(dirname(require.resolve('ristretto/package.json')), 'lib/express.d.ts');
const modules = join(dirname(require.resolve('typescript/package.json')), '..');
const theirs = join(modules, '@types/express/index.d.ts');

/** Each needs a program of its own: one changes the types of all others, one is for older compiler options. */
const alone = ['augmentation.ts', 'namespace-import.ts'];

function list(name: string): string[] {
  return readdirSync(join(folder, name)).map(file => join(folder, name, file));
}

function mistakes(
  files: string[],
  paths: Record<string, string[]>,
  options: ts.CompilerOptions = {},
): string[] {
  return compile(files, {
    noEmit: true,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    typeRoots: [join(modules, '@types')],
    esModuleInterop: true,
    skipLibCheck: true,
    paths,
    ...options,
  }).mistakes;
}

const flavours: [string, Record<string, string[]>][] = [
  [
    '@types/express',
    {
      express: [theirs],
      'express-serve-static-core': [join(modules, '@types/express-serve-static-core/index.d.ts')],
    },
  ],
  ['this package', { express: [ours] }],
];

describe('types', () => {
  for (const [name, paths] of flavours) {
    test(`programs for Express: compile against ${name}`, () => {
      const files = list('programs').filter(file => !alone.some(other => file.endsWith(other)));
      assert.ok(files.length > 5);
      assert.deepEqual(mistakes(files, paths), []);
    });
    test(`declaration merging: compiles against ${name}`, () => {
      assert.deepEqual(mistakes([join(folder, 'programs', 'augmentation.ts')], paths), []);
    });
    test(`import * without esModuleInterop: compiles against ${name}`, () => {
      assert.deepEqual(
        mistakes([join(folder, 'programs', 'namespace-import.ts')], paths, { esModuleInterop: false }),
        [],
      );
    });
  }

  test('what only this package knows: parameters, settings and values have types, mistakes are found', () => {
    assert.deepEqual(mistakes(list('ours'), { ristretto: [ours], theirs: [theirs] }), []);
  });

  test('req.id: has no type of ours, and whatever type applications and loggers declare', () => {
    for (const file of list('identity')) assert.deepEqual(mistakes([file], { ristretto: [ours] }), []);
  });
});
