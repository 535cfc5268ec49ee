// runs: slow, built, once
/** Programs compiled against the types of the package, and the declared members compared with those at run time. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { METHODS } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import ts from 'typescript';
import { compile, modules, programOptions } from '../../engine/test/types/compile.js';

const home = dirname(require.resolve('ristretto5/package.json'));
const declarations = join(home, 'index.d.ts');
const programs = join(__dirname, 'types');
const shared = join(__dirname, '../../ristretto/test/types');

const list = (folder: string): string[] => readdirSync(folder).map(name => join(folder, name));

/** The names under which programs import the package. */
const named = Object.fromEntries(['express', 'ristretto', 'ristretto5'].map(name => [name, [declarations]]));

const mistakes = (files: string[], more: ts.CompilerOptions = {}): string[] =>
  compile(files, { ...programOptions, paths: named, ...more }).mistakes;

type Paths = Record<'express', string[]> & Record<string, string[]>;

/** The types of Express 5 under the names that a program finds when they are installed alone. */
const types5 = join(modules, '@types/express5');
const theirPaths: Paths = {
  express: [join(types5, 'index.d.ts')],
  'express-serve-static-core': [join(types5, 'node_modules/@types/express-serve-static-core/index.d.ts')],
  'serve-static': [join(types5, 'node_modules/@types/serve-static/index.d.ts')],
};

/**
 * Compiles a library with one set of types and a program that uses it with another; returns the modules that its
 * declarations import.
 */
function consume(author: Paths, user: Paths): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ristretto5-library-'));
  try {
    const emitting = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder };
    const library = compile([join(programs, 'library/index.ts')], {
      ...{ ...programOptions, ...emitting },
      paths: author,
    });
    assert.deepEqual(library.mistakes, []);
    library.emit();
    const paths = { ...user, library: [join(folder, 'ristretto5/test/types/library/index.d.ts')] };
    const consumer = join(shared, 'library/common-consumer.ts');
    assert.deepEqual(mistakes([consumer], { paths, skipLibCheck: false }), []);
    const emitted = readdirSync(folder, { recursive: true }).map(name => join(folder, String(name)));
    const declared = emitted.filter(file => file.endsWith('.d.ts')).map(file => readFileSync(file, 'utf8'));
    const named = declared.join('').matchAll(/import\("([^"]+)"\)/g);
    return [...new Set([...named].map(([, name]) => name!))].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('package.types', () => {
  test('RouteParameters: path parameters have the types of the new syntax, and handlers the types of Express 5', () => {
    assert.deepEqual(mistakes(list(join(programs, 'ours'))), []);
  });

  test('programs for Express 5: an application and typed middleware compile, including all declarations', () => {
    assert.deepEqual(mistakes(list(join(programs, 'programs')), { skipLibCheck: false }), []);
  });

  test('programs for Express 4: what Express 5 kept compiles, and additions of Ristretto have the same types', () => {
    const kept = ['adds', 'beyond', 'events', 'listening', 'openapi', 'settings', 'time', 'validate'];
    const files = kept.map(name => join(shared, 'ours', `${name}.ts`));
    assert.deepEqual(mistakes([...files, join(shared, 'programs/connect-middleware.ts')]), []);
    assert.deepEqual(mistakes([join(shared, 'programs/augmentation.ts')]), []);
    const asNamespace = join(shared, 'programs/namespace-import.ts');
    assert.deepEqual(mistakes([asNamespace], { esModuleInterop: false }), []);
  });

  test('@types/express: its handlers, routers and applications are assignable to ours, and ours to its', () => {
    const theirs = join(modules, '@types/express/index.d.ts');
    const paths = { ...named, theirs: [theirs] };
    assert.deepEqual(mistakes([join(shared, 'ours/interchange.ts')], { paths }), []);
  });

  test('@types/express@5: handlers, routers and applications are assignable in both directions', () => {
    const paths = { ...named, theirs: theirPaths.express };
    assert.deepEqual(mistakes([join(shared, 'ours/interchange.ts')], { paths }), []);
  });

  test('library: declarations compiled against ours work in a program with @types/express@5, and theirs in one with ours', () => {
    const ours = { express: [declarations] };
    assert.deepEqual(consume(ours, theirPaths), ['express-serve-static-core', 'http', 'qs']);
    consume(theirPaths, ours);
    consume(ours, ours);
  });

  test('4.x and 5.x in one program: each has its own types if 5.x is imported by its file', () => {
    const nodeNext = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      paths: {},
    };
    const file = join(programs, 'beside.ts');
    assert.deepEqual(mistakes([file], { ...nodeNext, skipLibCheck: false }), []);
  });

  test('hover: params are shown with the keys of the path, also after middleware', () => {
    const file = join(programs, 'ours/handlers.ts');
    const service = ts.createLanguageService({
      fileExists: name => ts.sys.fileExists(name),
      readFile: name => ts.sys.readFile(name),
      getCompilationSettings: () => ({
        ...programOptions,
        strict: true,
        types: ['node'],
        paths: named,
        ignoreDeprecations: '6.0',
      }),
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: name => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ''),
      getCurrentDirectory: () => programs,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
    const text = readFileSync(file, 'utf8');
    const shown = ["app.get('/a/:id{/:tab}', auth", "app.get('/a/*rest', [auth, auth]"].map(call => {
      const info = service.getQuickInfoAtPosition(file, text.indexOf('params', text.indexOf(call)));
      return ts.displayPartsToString(info?.displayParts).split('.params: ')[1]?.replace(/\s+/g, ' ');
    });
    assert.deepEqual(shown, ['{ id: string; tab?: string | undefined; }', '{ rest: string[]; }']);
  });
});

/** Members that applications and tools must not use. */
const INTERNAL = /^_|^(cache|constructor|dispatch|engines|params)$/;
const ROOTS: unknown[] = ['IncomingMessage', 'ServerResponse', 'EventEmitter', 'Function', 'Object'];

/** Returns the names of an object's members, including those of its prototypes but not Node's. */
function membersOf(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; ; at = Object.getPrototypeOf(at) as object) {
    const maker = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as { name: string } | undefined;
    if (maker !== undefined && ROOTS.includes(maker.name)) break;
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].filter(name => !INTERNAL.test(name) && !(name in Function.prototype));
}

/** Returns the names of the members that the package's types declare, by type, and of its values under `web`. */
function declaredMembers(): (type: string) => string[] {
  const program = ts.createProgram([declarations], {
    ...programOptions,
    types: ['node'],
    ignoreDeprecations: '6.0',
  });
  const checker = program.getTypeChecker();
  const entry = checker.getSymbolAtLocation(program.getSourceFile(declarations)!)!;
  const value = entry.exports!.get(ts.InternalSymbolName.ExportEquals)!;
  const namespace = value.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(value) : value;
  return name => {
    const type =
      name === 'web'
        ? checker.getTypeOfSymbol(namespace)
        : checker.getDeclaredTypeOfSymbol(namespace.exports!.get(ts.escapeLeadingUnderscores(name))!);
    return type.getProperties().map(property => property.name);
  };
}

describe('package.types', () => {
  test('members at run time: each member of web, applications, routers, routes, requests and responses has a type', () => {
    const declared = declaredMembers();
    const objects: Record<string, object> = {
      web,
      Express: web(),
      Router: new web.Router(),
      IRoute: new web.Route('/'),
      Request: web.request,
      Response: web.response,
    };
    // Members of emitters and functions, and HTTP methods that some versions of Node lack.
    const others = ['domain', 'prototype', ...METHODS.map(name => name.toLowerCase())];
    const lacking = Object.entries(objects).flatMap(([type, object]) => {
      const known = new Set([...declared(type), ...others]);
      return membersOf(object)
        .filter(name => !known.has(name))
        .map(name => `${type}.${name}`);
    });
    assert.deepEqual(lacking, []);
  });
});
