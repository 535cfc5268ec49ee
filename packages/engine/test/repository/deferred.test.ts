// runs: slow, once
/**
 * Modules that a request needs are loaded before it: responses are the same without file descriptors and without the
 * package.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import ts from 'typescript';
import { LONGEST_WAIT } from '../support/until';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-deferred-'));
const program = path.join(__dirname, '../support/served.cjs');
const packages = path.join(__dirname, '../../..');

/** Copies a package and its dependencies, so that removing the folder removes all of its code. */
function copy(name: string, from: string, target: string): void {
  const into = path.join(target, name);
  if (fs.existsSync(into)) return;
  const source = folderOf(name, from);
  const isOwn = path.dirname(source) === packages;
  const others = isOwn ? ['src', 'test', 'node_modules'] : ['node_modules'];
  fs.cpSync(source, into, {
    recursive: true,
    dereference: true,
    filter: file => !others.includes(path.relative(source, file)) && !file.endsWith('.ts'),
  });
  const { dependencies = {} } = JSON.parse(fs.readFileSync(path.join(into, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies)) {
    const isNested = fs.existsSync(path.join(source, 'node_modules', dependency));
    copy(dependency, source, isNested ? path.join(into, 'node_modules') : target);
  }
}

function folderOf(name: string, from: string): string {
  for (let at = from; ; at = path.dirname(at)) {
    const found = path.join(at, 'node_modules', name);
    if (fs.existsSync(found)) return fs.realpathSync(found);
    if (at === path.dirname(at)) throw new Error(`${name} is not installed above ${from}`);
  }
}

interface Served {
  responses: unknown[][];
  loaded: string[];
}

/** Runs the program, which renames `node_modules` in one mode. */
async function serve(name: string, mode: string, env = 'production', part = 'all'): Promise<Served> {
  const command = `ulimit -n 512; exec "$0" "$@"`;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', command, process.execPath, program, name, mode, part],
    {
      cwd: folder,
      env: { ...process.env, NODE_ENV: env, NODE_OPTIONS: '', NO_DEPRECATION: '*' },
      timeout: LONGEST_WAIT,
    },
  );
  if (mode === 'renamed') fs.renameSync(path.join(folder, 'renamed'), path.join(folder, 'node_modules'));
  const served = JSON.parse(stdout) as Served;
  // The pages and problem details of development contain the source, which can't be read then.
  if (env === 'development') served.responses = served.responses.map(response => response.slice(0, 3));
  return served;
}

/**
 * Calls of `require` within functions that do not go through `deferred`, by file, with the reason: each runs while an
 * application is set up, and throws to the code that does so.
 */
const WHILE_SET_UP: Record<string, string> = {
  'engine/src/application/web-members.ts': 'functions that make middleware, or stop servers on signals',
  'engine/src/application/fetching.ts': 'app.inject.ws, for tests',
  'engine/src/application/listening.ts': 'app.listen of an HTTP/2 server',
  'engine/src/application/settings.ts': 'the setting `strict http`',
  'engine/src/protocol/mime.ts': 'deferred by static/serve-static.ts, in versions that have web.static.mime',
  'engine/src/report/debug.ts': 'called when the framework is loaded',
  'engine/src/router/path-pattern.ts': 'registration of an unusual path',
  'engine/src/addons/validation/validate.ts': 'web.validate of responses',
  'engine/src/addons/websocket/methods.ts': 'app.ws and router.ws',
  'ristretto3/src/express.ts': 'web.version',
  'ristretto3/src/middleware.ts': 'reading the name of middleware, such as web.session',
};

/** Returns the modules that a source file requires within functions, except for those of Node and deferred ones. */
function lateRequires(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, isLate: boolean): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'deferred') return;
    if (ts.isCallExpression(node) && ['require', 'import'].includes(node.expression.getText(source))) {
      const [name] = node.arguments;
      if (isLate && !(name && ts.isStringLiteral(name) && name.text.startsWith('node:')))
        found.push(name?.getText(source) ?? '');
    }
    ts.forEachChild(node, child => {
      visit(child, isLate || ts.isFunctionLike(node));
    });
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  visit(source, false);
  return found;
}

describe('require', () => {
  test('sources: within a function, it is deferred or listed with the reason', () => {
    const late = ['engine', 'ristretto', 'ristretto3', 'ristretto5'].flatMap(name =>
      fs
        .readdirSync(path.join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
        .map(file => path.posix.join(name, 'src', file.replaceAll('\\', '/')))
        .filter(file => file.endsWith('.ts') && !file.includes('/src/cli/'))
        .filter(file => lateRequires(file, fs.readFileSync(path.join(packages, file), 'utf8')).length > 0),
    );
    assert.deepEqual(late.sort(), Object.keys(WHILE_SET_UP).sort());
  });

  test('within a function: is found in every form', () => {
    const text = `
      import a = require('a');
      const b = require('b') as typeof import('b');
      const c = deferred(() => require('c') as typeof c);
      function d() { return require('d'); }
      const e = { e: () => (x ??= require('e')), get f() { return import('f'); } };
      class G { g() { return require(g); } h() { return require('node:h'); } }`;
    assert.deepEqual(lateRequires('x.ts', text), ["'d'", "'e'", "'f'", 'g']);
  });
});

describe('modules', { skip: process.platform === 'win32' }, () => {
  before(() => {
    const modules = path.join(folder, 'node_modules');
    for (const name of ['ristretto', 'ristretto5', 'ristretto3', 'express']) copy(name, packages, modules);
    const files = {
      'view.txt': 'x',
      'default.engine': 'x',
      'node_modules/engine/index.js':
        'exports.__express = (file, options, done) => done(null, options.settings.views);',
      'static/a.txt': 'abc',
      'static/b.parquet': 'b',
      'static/deep/index.html': 'i',
    };
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
      fs.utimesSync(file, 1e9, 1e9);
    }
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const name of ['ristretto', 'ristretto5', 'ristretto3']) {
    for (const env of ['production', 'development']) {
      test(`${name} in ${env}: sends the same responses without file descriptors and without its files`, async () => {
        const usual = await serve(name, 'plain', env);
        assert.ok(usual.responses.length > 90);
        assert.deepEqual(usual.loaded, [], 'nothing is loaded while requests run');
        assert.deepEqual(await serve(name, 'descriptors', env), usual);
        assert.deepEqual(await serve(name, 'renamed', env), usual);
      });
    }
  }

  test('Express: sends the same statuses without file descriptors, if it needs no decoder for a body', async () => {
    const [ours, theirs] = await Promise.all(
      ['ristretto', 'express'].map(name => serve(name, 'descriptors', 'test', 'express')),
    );
    const statuses = ({ responses }: Served): unknown[] =>
      responses.filter(([method]) => method !== 'POST').map(response => response.slice(0, 3));
    assert.deepEqual(statuses(ours!), statuses(theirs!));
  });

  const printed = (text: string): string =>
    execFileSync(process.execPath, ['-e', text], {
      cwd: __dirname,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    }).trim();
  const COUNT = 'const count = () => Object.keys(require.cache).length; let before = count();';

  test('programs that serve nothing: exit without loading deferred modules', () => {
    const text = `require('ristretto')(); ${COUNT} process.on('exit', () => console.log(count() - before));`;
    assert.equal(printed(text), '0');
  });

  test('a server: has loaded everything before a client connects', () => {
    const text = `const server = require('ristretto')().listen(0); ${COUNT}
      setTimeout(() => { console.log(count() - before > 20); server.close(); }, 20);`;
    assert.equal(printed(text), 'true');
  });

  for (const call of ["app.inject('/')", "app.fetch(new Request('http://a.example/'))"]) {
    test(`${call.slice(0, 10)}: loads everything if it is called before the start is over`, () => {
      const text = `const app = require('ristretto')(); ${COUNT} void ${call}; console.log(count() - before > 20);`;
      assert.equal(printed(text), 'true');
    });
  }
});
