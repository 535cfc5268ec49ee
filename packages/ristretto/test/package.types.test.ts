// runs: slow, built, once
/** Programs compiled against Express's types and against ours, and programs that use types only ours have. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { compile, modules, programOptions } from '../../engine/test/types/compile.js';

const folder = join(__dirname, 'types');
const ours = join(dirname(require.resolve('ristretto/package.json')), 'lib/express.d.ts');
const five = join(dirname(require.resolve('ristretto5/package.json')), 'index.d.ts');
const theirs = join(modules, '@types/express/index.d.ts');

/** Each must be compiled separately: one changes the types of all others, one is for older compiler options. */
const alone = ['augmentation.ts', 'namespace-import.ts'];

function list(name: string): string[] {
  return readdirSync(join(folder, name)).map(file => join(folder, name, file));
}

function mistakes(
  files: string[],
  paths: Record<string, string[]>,
  options: ts.CompilerOptions = {},
): string[] {
  return compile(files, { ...programOptions, paths, ...options }).mistakes;
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
