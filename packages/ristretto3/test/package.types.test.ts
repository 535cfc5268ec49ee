// runs: slow, built, once
/** A typical 3.x program compiled against the types of the package. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { compile } from '../../engine/test/types/compile.js';

const declarations = join(dirname(require.resolve('ristretto3/package.json')), 'lib/express.d.ts');

describe('types of 3.x', () => {
  test('program: compiles, and its mistakes are found', () => {
    const { mistakes } = compile([join(__dirname, 'types/programs/blog.ts')], {
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
      paths: { express: [declarations] },
    });
    assert.deepEqual(mistakes, []);
  });
});
