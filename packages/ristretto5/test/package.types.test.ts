/** The types of path parameters: a program that must compile, read by the compiler of the repository. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

/** What is wrong with a program, as text. */
function problemsOf(name: string): string[] {
  const options = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    skipLibCheck: false,
  };
  const file = path.join(__dirname, 'types/programs', name);
  const modules = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const program = ts.createProgram([file], { ...options, ...modules, esModuleInterop: true });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('package.types', () => {
  test('RouteParameters: path parameters have the types of the new syntax, and handlers those of Express 5', () => {
    assert.deepEqual(problemsOf('paths.ts'), []);
  });
});
