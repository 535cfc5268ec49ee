/** Compiles programs that are written for the original against the types of the original and of the package. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { compile, programOptions } from '../../ristretto/test/types/compile.js';

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

/**
 * Registers tests that compile the programs of `test/types` with both. Lines that must not compile have
 * `@ts-expect-error`.
 *
 * @param directory that of the test file
 * @param original the name that programs import
 * @param options for the compiler, e.g. `paths` if the original has another name here
 */
export function typesTests(directory: string, original: string, options: ts.CompilerOptions = {}): void {
  const home = path.join(directory, 'types');
  const declarations = path.resolve(directory, '../lib/index.d.ts');
  for (const name of fs.readdirSync(home)) {
    const kind = { ...KINDS[path.extname(name)], ...options };
    const file = path.join(home, name);
    void test(`${original}: types/${name} compiles with the types of the original`, () => {
      assert.deepEqual(compile([file], kind).mistakes, []);
    });
    void test(`${original}: types/${name} compiles with ours`, () => {
      const paths = { ...kind.paths, [original]: [declarations] };
      assert.deepEqual(compile([file], { ...kind, paths }).mistakes, []);
    });
  }
}
