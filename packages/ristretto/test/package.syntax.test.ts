// runs: slow, built, once
/** The syntax of published code and declarations: tools as old as Express 4 can read it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'acorn';
import ts from 'typescript';
import { words } from '../../engine/test/support/random.js';

// Finds syntax in a declaration file that TypeScript 4.3, the oldest supported version, cannot read.

/** Types of the compiler's library added in 4.5 or later. */
const NEWER_TYPES = new Set(words('Awaited NoInfer Disposable AsyncDisposable WeakKey ArrayBufferLike'));

/** Returns short descriptions of what is too new, in source order. */
function newerSyntax(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = newerThan43(node);
    if (what !== undefined) found.push(what);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.d.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

function newerThan43(node: ts.Node): string | undefined {
  if (ts.isInferTypeNode(node) && node.typeParameter.constraint) return 'a constraint of infer';
  if (ts.isTypeParameterDeclaration(node) && node.modifiers) return 'a modifier of a type parameter';
  if ((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.isTypeOnly) {
    return 'type on a name of an import or export';
  }
  if (ts.isExportDeclaration(node) && node.isTypeOnly && !isList(node.exportClause)) return 'export type *';
  if (ts.isImportAttributes(node)) return 'attributes of an import';
  if (ts.isIndexSignatureDeclaration(node) && !isPlainKey(node)) return 'an index signature of a union';
  if (node.kind === ts.SyntaxKind.AccessorKeyword) return 'accessor';
  if (ts.isClassStaticBlockDeclaration(node)) return 'a static block';
  if (ts.isTypeReferenceNode(node) && NEWER_TYPES.has(node.typeName.getText()))
    return node.typeName.getText();
  return undefined;
}

function isList(clause: ts.NamedExportBindings | undefined): boolean {
  return clause !== undefined && ts.isNamedExports(clause);
}

function isPlainKey({ parameters: [key] }: ts.IndexSignatureDeclaration): boolean {
  return key?.type?.kind === ts.SyntaxKind.StringKeyword || key?.type?.kind === ts.SyntaxKind.NumberKeyword;
}

const packages = ['ristretto', 'ristretto3', 'ristretto5', '@ristretto/private-engine'].map(name =>
  dirname(require.resolve(`${name}/package.json`)),
);

/** Returns the published code of all packages by path. */
function publishedCode(): [string, string][] {
  return packages
    .flatMap(home => [
      ...readdirSync(home).map(name => join(home, name)),
      ...readdirSync(join(home, 'lib'), { recursive: true }).map(name => join(home, 'lib', String(name))),
    ])
    .filter(file => file.endsWith('.js'))
    .map(file => [file, readFileSync(file, 'utf8')]);
}

/** Returns the folders of everything that these packages install, except their own. */
function installed(homes: string[], found = new Set<string>()): Set<string> {
  for (const home of homes) {
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
    const names = Object.keys(manifest.dependencies ?? {}).filter(
      name => !/^@(?:types|ristretto)\//.test(name),
    );
    const folders = names.map(name => folderOf(name, home)).filter(folder => !found.has(folder));
    for (const folder of folders) found.add(folder);
    installed(folders, found);
  }
  return found;
}

interface Manifest {
  dependencies?: Record<string, string>;
}

function folderOf(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  return existsSync(folder) ? folder : folderOf(name, dirname(from));
}

/** Returns the scripts of an installed package that applications load. */
function codeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.js') && !/(^|[\\/])(node_modules|test|benchmarks?)[\\/]/.test(name))
    .map(name => join(folder, name));
}

const modulesOf = (text: string): string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

describe('published code', () => {
  const files = publishedCode();

  test('syntax: every file parses as an ES2019 script, as webpack 4 reads it', () => {
    assert.ok(files.length > 200);
    for (const [file, text] of files) {
      assert.doesNotThrow(() => parse(text, { ecmaVersion: 2019, sourceType: 'script' }), file);
    }
  });

  test('dependencies: parse as ES2019, too', () => {
    // Users of Express 5 have tools that can read its dependencies, such as mime-types 3.
    const files = [...installed([packages[0]!, packages[1]!, packages[3]!])].flatMap(codeOf);
    assert.ok(files.some(file => file.includes('finalhandler')));
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      assert.doesNotThrow(
        () => parse(text, { ecmaVersion: 2019, allowReturnOutsideFunction: true, allowHashBang: true }),
        file,
      );
      assert.deepEqual(
        modulesOf(text).filter(name => name.startsWith('node:')),
        [],
        file,
      );
    }
  });

  test('specifiers: built-in modules are required without node:, which Jest before 27 does not resolve', () => {
    const seen = files.flatMap(([, text]) => modulesOf(text)).filter(isBuiltin);
    assert.ok(seen.includes('http'));
    assert.deepEqual(
      seen.filter(name => name.startsWith('node:')),
      [],
    );
  });
});

/** Returns the declaration file that a module specifier resolves to; undefined outside our packages. */
function declaration(from: string, name: string): string | undefined {
  const own = /^(ristretto[35]?|@ristretto\/private-engine)\/(.*)/.exec(name);
  if (!own && !name.startsWith('.')) return undefined;
  const target = own
    ? join(dirname(require.resolve(`${own[1]!}/package.json`)), own[2]!)
    : join(dirname(from), name);
  return [target, `${target}.d.ts`, join(target, 'index.d.ts')].find(
    file => existsSync(file) && file.endsWith('.d.ts'),
  );
}

/** Returns the files of our packages that the compiler reads for programs that import these files. */
function reachable(files: string[]): [string, string][] {
  const read = new Map<string, string>();
  const visit = (file: string | undefined): void => {
    if (file === undefined || read.has(file)) return;
    const text = readFileSync(file, 'utf8');
    read.set(file, text);
    const { referencedFiles } = ts.preProcessFile(text);
    for (const { fileName } of referencedFiles) visit(join(dirname(file), fileName));
    for (const name of modulesOf(text)) visit(declaration(file, name));
  };
  files.forEach(visit);
  return [...read];
}

/** The files of Express 4 that programs and tools import. */
const PUBLIC = words('express application request response view utils router/index router/layer')
  .concat(['router/route', 'middleware/init', 'middleware/query'])
  .map(name => `lib/${name}.d.ts`);

describe('published declarations', () => {
  const [home, home3] = packages as [string, string];
  const files = reachable([
    join(home, 'index.d.ts'),
    join(home3, 'lib/express.d.ts'),
    ...PUBLIC.map(name => join(home, name)),
  ]);

  test('syntax: is not newer than TypeScript 4.3', () => {
    assert.ok(files.length > 40, String(files.length));
    assert.deepEqual(
      files.flatMap(([file, text]) => newerSyntax(text).map(found => `${file}: ${found}`)),
      [],
    );
  });

  test('specifiers: built-in modules are imported without node:', () => {
    const seen = files.flatMap(([, text]) => modulesOf(text));
    assert.ok(seen.includes('http'));
    assert.deepEqual(
      seen.filter(name => name.startsWith('node:')),
      [],
    );
  });

  test('check of the syntax: detects each form that TypeScript 4.3 cannot parse', () => {
    const newer = {
      'type A<T> = T extends [infer X extends string] ? X : never;': 'a constraint of infer',
      'interface A<in T> { a(b: T): void }': 'a modifier of a type parameter',
      'declare function f<const T>(a: T): T;': 'a modifier of a type parameter',
      "import { type A } from 'a';": 'type on a name of an import or export',
      "export { type A } from 'a';": 'type on a name of an import or export',
      "export type * from 'a';": 'export type *',
      "export type * as a from 'a';": 'export type *',
      "import type { A } from 'a' with { 'resolution-mode': 'import' };": 'attributes of an import',
      'interface A { [key: string | number]: string }': 'an index signature of a union',
      'interface A { [key: `a${string}`]: string }': 'an index signature of a union',
      'declare class A { accessor a: string }': 'accessor',
      'declare class A { static { } }': 'a static block',
      'type A = Awaited<Promise<string>>;': 'Awaited',
      'type A<T> = NoInfer<T>;': 'NoInfer',
    };
    for (const [text, found] of Object.entries(newer)) assert.deepEqual(newerSyntax(text), [found], text);
    const older =
      'export type { A } from "a"; import type B = require("b"); interface C<T extends string = "c"> { [key: string]: T }';
    assert.deepEqual(newerSyntax(older), []);
  });
});
