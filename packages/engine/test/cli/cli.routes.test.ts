// runs: slow
/** `ristretto`: its commands, options and errors. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { inFolder } from '../support/program.js';
import type { Ended } from '../support/program.js';

const { folder, run: runWith, write } = inFolder();
const run = (...args: string[]): Promise<Ended> => runWith({}, ...args);

/** Runs `ristretto routes` on a module with this text. */
function routes(name: string, text: string, ...options: string[]): Promise<Ended> {
  write(name, text);
  return run('routes', name, ...options);
}

const APP = "const web = require('ristretto');\nconst app = web();\nfunction show() {}\n";
const USERS = "app.use('/api', web.Router().get('/users/:id', show));\n";

describe('ristretto routes', () => {
  test('table: has method, path, handlers, and the place in the source', async () => {
    const { code, out, err } = await routes('table.cjs', `${APP}${USERS}module.exports = app;`);
    assert.equal(
      out,
      'METHOD  PATH            HANDLERS  PLACE\nGET     /api/users/:id  show      table.cjs:4\n',
    );
    assert.deepEqual([code, err], [0, '']);
  });

  test('--json: prints what app.routes() returns', async () => {
    const { out } = await routes('json.cjs', `${APP}${USERS}module.exports = app;`, '--json');
    assert.deepEqual(JSON.parse(out), [
      {
        kind: 'route',
        method: 'GET',
        path: '/api/users/:id',
        params: ['id'],
        handlers: ['show'],
        file: path.join(folder, 'json.cjs'),
        line: 4,
        column: 30,
      },
    ]);
  });

  test('--all: includes mounts and middleware', async () => {
    const text = `${APP}${USERS}module.exports = app;`;
    const { out } = await routes('all.cjs', text, '--all');
    assert.deepEqual(
      out.split('\n').map(line => line.split(/ +/).slice(0, 2).join(' ')),
      ['METHOD PATH', 'middleware /', 'middleware /', 'router /api', 'GET /api/users/:id', ''],
    );
  });

  test('places: are omitted if the environment says so', async () => {
    write('nowhere.cjs', `${APP}app.get('/', show);\nmodule.exports = app;`);
    const { out } = await runWith({ RISTRETTO_PLACES: '0' }, 'routes', 'nowhere.cjs');
    assert.equal(out, 'METHOD  PATH  HANDLERS  PLACE\nGET     /     show\n');
  });

  test('exports: may be an application, router, server or promise, as module.exports, default, app or server', async () => {
    const modules = {
      'whole.cjs': 'module.exports = app',
      'default.cjs': 'exports.default = app',
      'named.cjs': 'exports.app = app',
      'router.cjs': "module.exports = web.Router().get('/x', show)",
      'server.cjs': 'module.exports = app.listen(0)',
      'promise.cjs': 'module.exports = Promise.resolve({ server: require("node:http").createServer(app) })',
    };
    for (const [name, statement] of Object.entries(modules)) {
      const { out, err } = await routes(name, `${APP}app.get('/x', show);\n${statement};`);
      assert.match(out, /^GET {5}\/x/m, `${name}: ${err}`);
    }
  });

  test('exports: may be an application of Express 5 or of ristretto5', async () => {
    for (const name of ['express5', 'ristretto5']) {
      const text = `const app = require('${name}')();\napp.get('/f/*path', function show() {});\n`;
      const { out } = await routes(`${name}.cjs`, `${text}module.exports = app;`);
      assert.match(out, /\nGET +\/f\/\*path +show/, name);
    }
  });

  test('exports: may be a function that creates the application', async () => {
    const factories = {
      'create.cjs': 'exports.createApp = (store = 1) => app',
      'build.cjs': 'exports.buildApp = async () => ({ app })',
      'factory.cjs': 'exports.default = () => app.listen(0)',
      'function.cjs': 'module.exports = async () => app',
      'inside.cjs': 'exports.app = () => app',
    };
    for (const [name, statement] of Object.entries(factories)) {
      const { out, err } = await routes(name, `${APP}app.get('/x', show);\n${statement};`);
      assert.match(out, /^GET {5}\/x/m, `${name}: ${err}`);
    }
    const failing = await routes(
      'fails.cjs',
      'exports.createApp = () => { throw new Error("no database"); };',
    );
    assert.match(failing.err, /^createApp\(\) of fails\.cjs failed: Error: no database\n {4}at /);
    assert.equal(failing.code, 1);
  });

  test('modules that never end loading: say so, and exit with code 1', async () => {
    const modules = {
      'waits.mjs':
        'import web from "ristretto";\nconst app = web();\nawait new Promise(resolve => app.listen(0, resolve));\nexport default app;',
      'exits.cjs': 'process.exit(0);',
      'never.cjs': 'module.exports = new Promise(() => {});',
    };
    for (const [name, text] of Object.entries(modules)) {
      const { code, out, err } = await routes(name, text);
      assert.deepEqual([code, out], [1, ''], name);
      assert.match(err, /^The application was not found: its module ended the process, or waits/, name);
    }
  });

  test('exports: are read from an ES module', async () => {
    const text = "import web from 'ristretto';\nawait null;\nexport const app = web().get('/x', () => {});";
    const { out } = await routes('module.mjs', text);
    assert.match(out, /^GET {5}\/x {4}<anonymous> {2}module\.mjs:3$/m);
    const { out: other } = await routes('other.mjs', text.replace('const app =', 'default'));
    assert.match(other, /other\.mjs:3$/m);
  });

  test('TypeScript: is loaded with tsx if the application has it, and otherwise by Node', async () => {
    const text =
      "import web from 'ristretto';\nimport { path } from './path.js';\nenum Kind { A }\nexport default web().get(path, () => Kind.A);";
    write('path.ts', 'export const path: string = "/x";');
    const { code, out, err } = await routes('typed.ts', text);
    assert.match(out, /^GET {5}\/x/m, err);
    assert.equal(code, 0);
  });

  test('TypeScript: without tsx, the error says what to do if Node does not support it', async () => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-'));
    try {
      const file = path.join(elsewhere, 'typed.mts');
      fs.symlinkSync(folder, path.join(elsewhere, 'node_modules'), 'junction');
      fs.mkdirSync(path.join(folder, 'ristretto'), { recursive: true });
      const program = path.dirname(require.resolve('ristretto/package.json'));
      write('ristretto/index.js', `module.exports = require(${JSON.stringify(program)});`);
      fs.writeFileSync(
        file,
        "import web from 'ristretto';\nconst path: string = '/x';\nexport default web().get(path, () => undefined);",
      );
      const { code, out, err } = await run('routes', file);
      const { typescript } = process.features as { typescript?: unknown };
      if (typescript) assert.match(out, /typed\.mts:3$/m, err);
      else assert.match(err, /typed\.mts can't be loaded: [^]*NODE_OPTIONS="--import tsx"/);
      assert.equal(code, typescript ? 0 : 1);
    } finally {
      fs.rmSync(elsewhere, { recursive: true });
    }
  });

  test('an application that listens and prints: does not listen, hang, or alter the output', async () => {
    const text = `${APP}app.get('/', show);
      app.listen(1, () => { throw new Error('listens'); });
      console.log('loaded');
      setInterval(() => undefined, 1000);
      module.exports = app;`;
    const { code, out, err } = await routes('listens.cjs', text, '--json');
    assert.deepEqual([code, err, (JSON.parse(out) as unknown[]).length], [0, 'loaded\n', 1]);
  });

  test('table: says if there are no routes', async () => {
    const { code, out } = await routes('empty.cjs', `${APP}module.exports = app;`);
    assert.deepEqual([code, out], [0, 'empty.cjs has no routes.\n']);
  });

  test('errors: say what is wrong, and exit with code 1', async () => {
    const cases: [Promise<Ended>, RegExp][] = [
      [run('routes', 'nowhere.js'), /^There is no file .*nowhere\.js\.\n$/],
      [run('routes'), /^Expected one file\.\n\nUsage: ristretto routes/],
      [run('routes', 'a', 'b'), /^Expected one file\./],
      [run('routes', '--yaml', 'a'), /^Unknown option '--yaml'/],
      [run('rotues'), /^Unknown command: rotues\.\n\nUsage:/],
      [run('constructor'), /^Unknown command: constructor\./],
      [
        routes('none.cjs', 'exports.app = 5;'),
        /^none\.cjs does not export an application\. Write module\.exports = app/,
      ],
      [
        routes('forgot.mjs', 'export function createApp() {}'),
        /^createApp\(\) of forgot\.mjs returned no application, but undefined\.\n$/,
      ],
      [run('routes', '.'), /^There is no file /],
      [routes('none.mjs', ''), /^none\.mjs does not export an application\./],
      [routes('bad.cjs', 'throw new Error("bad");'), /^bad\.cjs can't be loaded: Error: bad\n {4}at /],
      [routes('odd.cjs', 'throw "odd";'), /^odd\.cjs can't be loaded: odd\n$/],
      [routes('later.cjs', 'module.exports = Promise.reject(new Error("later"));'), /^Error: later\n {4}at /],
    ];
    for (const [ended, message] of cases) {
      const { code, out, err } = await ended;
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ''], err);
    }
  });

  test('help: lists the commands and the options of each', async () => {
    for (const args of [[], ['--help'], ['-h']]) {
      const { code, out } = await run(...args);
      assert.match(out, /^Usage:\n\n {2}ristretto routes +prints the routes/);
      assert.equal(code, 0);
    }
    for (const flag of ['--help', '-h']) {
      const { code, out } = await run('routes', flag);
      assert.match(out, /^Usage: ristretto routes <file> \[--json\] \[--all\]/);
      assert.equal(code, 0);
    }
  });
});
