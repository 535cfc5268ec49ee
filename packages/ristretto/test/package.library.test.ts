// runs: slow, built, once
/** A library compiled against this package can be used by a program that has `@types/express` instead. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import ts from 'typescript';
import { compile } from '../../engine/test/types/compile.js';
import { install, pack, scratch } from '../../engine/test/types/tarball.js';

const folder = scratch();
const author = join(folder, 'author');
const user = join(folder, 'user');
const migrated = join(folder, 'migrated');
const source = join(__dirname, 'types/library');
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  esModuleInterop: true,
};
/** The declarations that the compiler emitted for the library, as one text. */
let emitted: string;

before(() => {
  const tarball = pack(folder);
  install(tarball, author, 'express');
  install(tarball, migrated, 'express');
  for (const project of [author, user, migrated]) cpSync(source, project, { recursive: true });
  const library = join(user, 'node_modules/library');
  mkdirSync(library, { recursive: true });
  const { mistakes, emit } = compile([join(author, 'index.ts')], {
    ...options,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: library,
  });
  assert.deepEqual(mistakes, []);
  emit();
  emitted = readdirSync(library)
    .map(name => readFileSync(join(library, name), 'utf8'))
    .join('');

  writeFileSync(join(library, 'package.json'), JSON.stringify({ name: 'library', types: 'index.d.ts' }));
  const types = dirname(dirname(require.resolve('@types/express/package.json')));
  symlinkSync(types, join(user, 'node_modules/@types'), 'junction');
  cpSync(library, join(migrated, 'node_modules/library'), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('declarations of a library', () => {
  test('text: names no file of this package', () => {
    assert.match(emitted, /const router: express\.Router;/);
    const named = [...emitted.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name!);
    assert.deepEqual([...new Set(named)].sort(), ['express-serve-static-core', 'http', 'qs']);
  });

  test('text: uses Record<string, any> for the locals, as the declarations of Express do', () => {
    assert.match(
      emitted,
      /const chained: \(res: express\.Response\) => express\.Response<any, Record<string, any>>;/,
    );
  });

  test('consumer: a program with @types/express compiles against it, with all of its types', () => {
    assert.deepEqual(compile([join(user, 'consumer.ts')], { ...options, noEmit: true }).mistakes, []);
  });

  test('consumer: the same program compiles with this package instead', () => {
    assert.deepEqual(compile([join(migrated, 'consumer.ts')], { ...options, noEmit: true }).mistakes, []);
  });
});
