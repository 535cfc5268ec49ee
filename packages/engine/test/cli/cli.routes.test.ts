// runs: slow
/** The commands `ristretto routes`, `openapi` and `migrate`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { inFolder } from '../support/program.js';
import type { Ended } from '../support/program.js';
import { LONGEST_WAIT } from '../support/until.js';

const USERS = "app.use('/api', web.Router().get('/users/:id', show));\n";

/** `ristretto`: its commands, options and errors. */
describe('ristretto routes', () => {
  const { folder, run: runWith, write } = inFolder();
  const run = (...args: string[]): Promise<Ended> => runWith({}, ...args);
  /** Runs `ristretto routes` on a module with this text. */
  function routes(name: string, text: string, ...options: string[]): Promise<Ended> {
    write(name, text);
    return run('routes', name, ...options);
  }
  const APP = "const web = require('ristretto');\nconst app = web();\nfunction show() {}\n";

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
      [run('routes', '--yaml', 'a'), /^Unknown option '--yaml'\.\n\nUsage:/],
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

  test('version: is that of the package', async () => {
    for (const flag of ['--version', '-v']) assert.match((await run(flag)).out, /^4\.\d+\.\d+\n$/);
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

interface Document {
  info: object;
  paths: object;
}

describe('ristretto openapi', () => {
  const { run, write } = inFolder();
  function openapi(name: string, text: string, ...options: string[]): Promise<Ended> {
    write(name, text);
    return run({}, 'openapi', name, ...options);
  }
  const APP =
    "const web = require('ristretto');\nconst app = web().get('/users/:id', () => {});\nmodule.exports = app;\n";
  const MOUNTED = `${APP}app.use('/api', web.Router().get('/doc', web.openApi(app, { info: { title: 'Mine', version: '3' } })));\n`;

  test('document: has the options of the handler that the application uses', async () => {
    const { code, out, err } = await openapi('mounted.cjs', MOUNTED);
    assert.deepEqual([code, err], [0, '']);
    const { info, paths } = JSON.parse(out) as Document;
    assert.deepEqual(info, { title: 'Mine', version: '3' });
    assert.deepEqual(Object.keys(paths), ['/users/{id}']);
    assert.equal(out, `${JSON.stringify(JSON.parse(out), undefined, 2)}\n`);
  });

  test('document: uses the title and version of the command line, or defaults', async () => {
    const infoOf = async (ended: Promise<Ended>) => (JSON.parse((await ended).out) as Document).info;
    assert.deepEqual(await infoOf(openapi('app.cjs', APP)), { title: 'API', version: '0.0.0' });
    const flags = ['--title', 'Other', '--version=9'];
    const wanted = { title: 'Other', version: '9' };
    assert.deepEqual(await infoOf(openapi('app.cjs', APP, ...flags)), wanted);
    assert.deepEqual(await infoOf(openapi('mounted.cjs', MOUNTED, ...flags)), wanted);
  });

  test('output: does not contain what the application prints', async () => {
    const { out, err } = await openapi('prints.cjs', `${APP}console.log('loaded');\n`);
    assert.deepEqual(
      [Object.keys(JSON.parse(out) as Document), err],
      [['openapi', 'info', 'paths'], 'loaded\n'],
    );
  });

  test('errors: say what is wrong, and exit with code 1', async () => {
    const schema = "{ '~standard': { version: 1, vendor: 'mine', validate: value => ({ value }) } }";
    const cases: [Promise<Ended>, RegExp][] = [
      [
        openapi('schema.cjs', `${APP}app.post('/a', web.validate({ body: ${schema} }), () => {});`),
        /^web\.openApi\(\) can't describe these\..*\n {2}POST \/a, body \(mine\): the library does not support JSON Schema\n$/,
      ],
      [run({}, 'openapi', 'nowhere.js'), /^There is no file .*nowhere\.js\.\n$/],
      [run({}, 'openapi'), /^Expected one file\.\n\nUsage: ristretto openapi/],
      [run({}, 'openapi', 'a', 'b'), /^Expected one file\./],
      [run({}, 'openapi', '--yaml', 'a'), /^Unknown option '--yaml'\.\n\nUsage:/],
    ];
    for (const [ended, message] of cases) {
      const { code, out, err } = await ended;
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ''], err);
    }
  });

  test('help: lists the options', async () => {
    const { code, out } = await run({}, 'openapi', '--help');
    assert.match(out, /^Usage: ristretto openapi <file> \[--title <text>\] \[--version <text>\]/);
    assert.equal(code, 0);
    assert.match(
      (await run({})).out,
      /^ {2}ristretto openapi +prints the OpenAPI document of an application$/m,
    );
  });
});

const load = createRequire(__filename);
const home = path.dirname(load.resolve('ristretto/package.json'));
const { version } = load('ristretto/package.json') as { version: string };
const engine = path.dirname(load.resolve('@ristretto/private-engine/package.json'));

/** A program that prints its name and arguments, and fails with 2. */
const program = (name: string) =>
  `#!${process.execPath}\nconsole.log(JSON.stringify(['${name}', ...process.argv.slice(2)]));process.exitCode = 2;`;

/** Installs a `@ristretto/migrate` of this version in a folder. */
function install(at: string, ofVersion: string): void {
  const target = path.join(at, 'node_modules/@ristretto/migrate');
  fs.mkdirSync(target, { recursive: true });
  fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify({ version: ofVersion }));
  fs.writeFileSync(path.join(target, 'index.js'), program(`installed ${ofVersion}`));
}

/**
 * `ristretto migrate` and `verify`: which release of `@ristretto/migrate` it starts, and how. The tests of the package itself are
 * in `packages/migrate`.
 */
describe('ristretto migrate: start', () => {
  /** An installation of ristretto in a separate folder, so that packages of this repository are not found. */
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cli-migrate-')));
  after(() => fs.rmSync(folder, { recursive: true }));
  const modules = path.join(folder, 'node_modules');
  for (const part of ['package.json', 'bin', 'lib']) {
    fs.cpSync(path.join(home, part), path.join(modules, 'ristretto', part), { recursive: true });
  }
  fs.mkdirSync(path.join(modules, '@ristretto'));
  fs.symlinkSync(engine, path.join(modules, '@ristretto/private-engine'), 'junction');
  /** A folder for PATH with a program `npx`. */
  function withNpx(): string {
    const bin = path.join(folder, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(path.join(bin, 'npx.cjs'), program('npx'));
    fs.writeFileSync(path.join(bin, 'npx'), program('npx'), { mode: 0o755 });
    fs.writeFileSync(path.join(bin, 'npx.cmd'), `@"${process.execPath}" "%~dp0npx.cjs" %*`);
    return bin;
  }
  function migrate(cwd: string, PATH: string, ...args: string[]): Promise<Ended> {
    return run(cwd, PATH, 'migrate', ...args);
  }
  function run(cwd: string, PATH: string, ...args: string[]): Promise<Ended> {
    const started = [path.join(modules, 'ristretto/bin/ristretto.js'), ...args];
    const child = spawn(process.execPath, started, {
      cwd,
      env: { ...process.env, PATH },
      timeout: LONGEST_WAIT,
    });
    const ended: Ended = { code: null, out: '', err: '' };
    child.stdout.on('data', chunk => (ended.out += String(chunk)));
    child.stderr.on('data', chunk => (ended.err += String(chunk)));
    return new Promise(resolve => child.on('close', code => resolve({ ...ended, code })));
  }
  /** Creates a folder in which the command is run. */
  function application(name: string): string {
    const made = path.join(folder, name);
    fs.mkdirSync(made);
    return made;
  }

  test('not installed: npx runs the release of the same version, with the arguments and its exit code', async () => {
    const { code, out, err } = await migrate(application('a'), withNpx(), 'some dir', '--write', '--help');
    const expected = ['--yes', `--package=@ristretto/migrate@${version}`, '--', 'ristretto-migrate'];
    assert.deepEqual(JSON.parse(out), ['npx', ...expected, 'some dir', '--write', '--help']);
    assert.equal(err, `@ristretto/migrate@${version} is not installed here, so npx runs it.\n`);
    assert.equal(code, 2);
  });

  test('installed in the current directory: is run without npx', async () => {
    const cwd = application('b');
    install(cwd, version);
    const { code, out, err } = await migrate(cwd, '', 'some dir', '--json');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, 'some dir', '--json']);
    assert.deepEqual([code, err], [2, '']);
  });

  test('another release installed: npx runs the release with the program’s version', async () => {
    const cwd = application('c');
    install(cwd, '4.1.0');
    const { out } = await migrate(cwd, withNpx());
    assert.equal((JSON.parse(out) as string[])[0], 'npx');
  });

  test('no npx: says what to install', async () => {
    const { code, out, err } = await migrate(application('d'), '');
    assert.match(err, /npx can't be started: .*ENOENT/);
    assert.ok(err.includes(`try again: npm install --save-dev --save-exact @ristretto/migrate@${version}\n`));
    assert.deepEqual([code, out], [1, '']);
  });

  test('version: both packages have the same', () => {
    assert.equal((load('@ristretto/migrate/package.json') as { version: string }).version, version);
  });

  test('installed beside ristretto: is run from any directory', async () => {
    install(folder, version);
    const { out } = await migrate(os.tmpdir(), '', '--write');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, '--write']);
  });

  test('verify: runs the same program, with the name of the command first', async () => {
    install(folder, version);
    const { out } = await run(os.tmpdir(), '', 'verify', '--har', 'a.har');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, 'verify', '--har', 'a.har']);
  });
});
