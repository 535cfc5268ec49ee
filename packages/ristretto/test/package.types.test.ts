// runs: slow, built, once
/** Programs compiled against the types of the package: alone, in libraries, and in projects that reference each other. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import ts from 'typescript';
import { compile, modules, programOptions } from '../../engine/test/types/compile.js';
import { install, pack, scratch } from '../../engine/test/types/tarball.js';

const ours = join(dirname(require.resolve('ristretto/package.json')), 'lib/express.d.ts');
const five = join(dirname(require.resolve('ristretto5/package.json')), 'index.d.ts');
const theirs = join(modules, '@types/express/index.d.ts');

/** Each must be compiled separately: one changes the types of all others, one is for older compiler options. */
const alone = ['augmentation.ts', 'namespace-import.ts'];

function mistakes(
  files: string[],
  paths: Record<string, string[]>,
  options: ts.CompilerOptions = {},
): string[] {
  return compile(files, { ...programOptions, paths, ...options }).mistakes;
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

/** Programs compiled against Express's types and against ours, and programs that use types only ours have. */
describe('types', () => {
  const folder = join(__dirname, 'types');
  function list(name: string): string[] {
    return readdirSync(join(folder, name)).map(file => join(folder, name, file));
  }
  /** Returns the language service of an editor for a file. */
  function editor(file: string, paths: Record<string, string[]>): ts.LanguageService {
    return ts.createLanguageService({
      fileExists: name => ts.sys.fileExists(name),
      readFile: name => ts.sys.readFile(name),
      directoryExists: name => ts.sys.directoryExists(name),
      getDirectories: name => ts.sys.getDirectories(name),
      getCompilationSettings: () => ({
        ...programOptions,
        strict: true,
        types: ['node'],
        paths,
        ignoreDeprecations: '6.0',
      }),
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: name => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ''),
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
  }

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

  test('types of Ristretto only: parameters, settings and values are typed, and mistakes are detected', () => {
    assert.deepEqual(mistakes(list('ours'), { ristretto: [ours], theirs: [theirs] }), []);
  });

  test('guide of typed middleware: its code compiles', () => {
    const guide = readFileSync(join(modules, '../docs/guide/typed-middleware.md'), 'utf8');
    const code = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    assert.equal(code.length, 10);
    const home = mkdtempSync(join(tmpdir(), 'typed-middleware-'));
    try {
      const file = join(home, 'guide.ts');
      writeFileSync(file, code.join(''));
      assert.deepEqual(mistakes([file], { ristretto: [ours], zod: [join(modules, 'zod')] }), []);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('hover: shows the params that the path defines, also after middleware', () => {
    const file = join(folder, 'ours', 'handlers.ts');
    const text = readFileSync(file, 'utf8');
    const service = editor(file, { ristretto: [ours] });
    const shown = ['/a/:id/:tab?', '/a/:id'].map(path => {
      const call = text.indexOf(`app.get('${path}', auth, `);
      const info = service.getQuickInfoAtPosition(file, text.indexOf('params', call));
      return ts.displayPartsToString(info?.displayParts).split('.params: ')[1];
    });
    assert.deepEqual(shown, [
      '{\n    id: string;\n    tab?: string | undefined;\n}',
      '{\n    id: string;\n}',
    ]);
  });

  test('hover: members of requests and responses have their documentation, in handlers of 4.x and 5.x', () => {
    for (const [name, declarations] of [
      ['ristretto', ours],
      ['ristretto5', five],
    ] as const) {
      const text = `import web from '${name}';\nweb().get('/', (req, res) => { res.status(200).json(req.ip); });\n`;
      const home = mkdtempSync(join(tmpdir(), 'hover-'));
      try {
        const file = join(home, 'app.ts');
        writeFileSync(file, text);
        const service = editor(file, { [name]: [declarations] });
        for (const member of ['status', 'json', 'ip']) {
          const info = service.getQuickInfoAtPosition(file, text.indexOf(`.${member}`) + 1);
          assert.match(ts.displayPartsToString(info?.documentation), /^[A-Z].*\./s, `${name} ${member}`);
        }
      } finally {
        rmSync(home, { recursive: true });
      }
    }
  });

  test('hover: res.json and res.send show the type of the body, and no other parameter', () => {
    const file = join(folder, 'ours', 'sending.ts');
    const text = readFileSync(file, 'utf8');
    const service = editor(file, { ristretto: [ours] });
    const shown = ['res.send({ id: 1 })', 'res.status(200).json(null)', 'typed.json({ id: 1 });'].map(
      call => {
        const at = text.indexOf(call) + call.lastIndexOf('.') + 1;
        const info = service.getQuickInfoAtPosition(file, at);
        return /\(body\?: .*?\) =>/s.exec(ts.displayPartsToString(info?.displayParts))?.[0];
      },
    );
    assert.deepEqual(shown, [
      '(body?: {\n    id: number;\n} | undefined) =>',
      '(body?: null | undefined) =>',
      '(body?: User | undefined) =>',
    ]);
  });

  test('app.listen: a port in quotes is marked as deprecated, but paths and variables are not', () => {
    const file = join(folder, 'ours', 'listening.ts');
    const struck = editor(file, { ristretto: [ours] })
      .getSuggestionDiagnostics(file)
      .filter(({ reportsDeprecated }) => reportsDeprecated)
      .map(({ start }) => readFileSync(file, 'utf8').slice(start).split('\n')[0]);
    assert.deepEqual(struck, ["listen('3000');"]);
  });

  test('req.id: has no type here, so that applications and loggers can declare one', () => {
    for (const file of list('identity')) assert.deepEqual(mistakes([file], { ristretto: [ours] }), []);
  });
});

const source = join(__dirname, 'types/library');

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  esModuleInterop: true,
};

/** The declarations that the compiler emitted for the library, as one text. */
let emitted: string;

/** A library compiled against this package can be used by a program that has `@types/express` instead. */
describe('declarations of a library', () => {
  const folder = scratch();
  const author = join(folder, 'author');
  const user = join(folder, 'user');
  const migrated = join(folder, 'migrated');
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

const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

const SERVER = `import web, { Router, type RequestHandler } from 'NAME';
export const app = web();
export const router = Router();
export const show: RequestHandler<{ id: string }> = (req, res) => void res.send(req.params.id);
export const add = (req: web.Request, res: web.Response) => res.json({});
export const listen = () => app.listen(0);
export const missing = () => new web.HttpError(404, 'No such user');
export const routes = () => app.routes();
export const { fetch } = app;
export const { stop } = web;
export default web.Router().get('/', (req, res) => res.send('x'));
export class Controller { router = web.Router() }
`;

const PROGRAM = `import users, { Controller, add, app, listen, router, show } from '../server/index.js';
app.use(router, users, new Controller().router).get('/:id', show).post('/', add);
app.get('/:id', (req, res) => res.send(req.params.id.length));
// @ts-expect-error it is not in the path
app.get('/:id', (req, res) => res.send(req.params.name));
listen().close();
`;

/** Writes two projects, the second of which sees only the declarations of the first. */
function write(home: string, name: string, options: object): void {
  const settings = { ...options, composite: true, strict: true, target: 'es2022', esModuleInterop: true };
  const projects = {
    server: [SERVER.replace('NAME', name), []],
    program: [PROGRAM, [{ path: '../server' }]],
  };
  for (const [project, [text, references]] of Object.entries(projects)) {
    const compilerOptions = {
      ...settings,
      types: ['node'],
      rootDir: '.',
      outDir: `../out/${project}`,
      // Both use the same libraries, so the program checks them, if at all.
      ...(project === 'server' && { skipLibCheck: true }),
    };
    mkdirSync(join(home, project), { recursive: true });
    writeFileSync(join(home, project, 'index.ts'), text as string);
    writeFileSync(
      join(home, project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['index.ts'], references }),
    );
  }
}

/**
 * Projects that reference each other (`tsc --build`), with only the package installed: the declarations that the first
 * one emits.
 */
describe('types', () => {
  const folder = scratch();
  before(() => {
    for (const source of ['ristretto', 'ristretto5']) {
      const tarball = pack(folder, source);
      for (const name of [source, 'express']) install(tarball, join(folder, source, name), name, source);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
  const commonJs = { module: 'commonjs', skipLibCheck: true };
  const runs: [string, string, string, object][] = [
    ['ristretto', 'ristretto', 'nodenext', nodeNext],
    ['ristretto', 'express', 'commonjs', commonJs],
    ['ristretto5', 'ristretto5', 'nodenext', nodeNext],
    ['ristretto5', 'express', 'commonjs', commonJs],
  ];
  for (const [source, name, kind, options] of runs) {
    const title = source === name ? name : `${name} and are of ${source}`;
    test(`composite projects: ${kind} emits declarations that name ${title}, and compiles`, () => {
      const home = join(folder, source, name, kind);
      write(home, name, options);
      const { stdout } = spawnSync(process.execPath, [tsc, '--build', 'program'], {
        cwd: home,
        encoding: 'utf8',
      });
      assert.equal(stdout, '');
      const emitted = readFileSync(join(home, 'out/server/index.d.ts'), 'utf8');
      assert.match(emitted, /const app: web\.Express;\n.*const router: (web\.)?Router;/);
      assert.doesNotMatch(emitted, /private-engine/);
      const named = [...emitted.matchAll(/import\("express-serve-static-core"\)\.(\w+)/g)].map(
        ([, type]) => type,
      );
      assert.deepEqual(named, ['HttpError', 'RouteInfo', 'Fetch', 'HostServer']);
    });
  }
});
