// runs: built, each
/** The files of the package that tools require, and the package in a separate realm, as under Jest. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import util from 'node:util';
import vm from 'node:vm';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { RequestHandler } from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { internal } from '../../engine/test/support/internals.js';
import { comparable, expected } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { makeRealm } from '../../engine/test/support/realm.js';
import { outputOf } from '../../engine/test/support/program.js';

const source = (file: string): string => fs.readFileSync(require.resolve(`ristretto/${file}`), 'utf8');

describe('internals: package', () => {
  test('lib/middleware/init: exports init', () => {
    const { init } = require('ristretto/lib/middleware/init') as { init(app: object): { name: string } };
    assert.equal(init(web()).name, 'expressInit');
  });
  test('lib/express: is required by the main file, so that tools that patch files see its name', () => {
    const main = require.resolve('ristretto');
    assert.equal(path.basename(main), 'index.js');
    const seen: string[] = [];
    const original = Module.prototype.require;
    Module.prototype.require = Object.assign(function (this: NodeModule, id: string) {
      seen.push(`${path.basename(this.filename)}: ${id}`);
      return original.call(this, id);
    }, original);
    const loaded = require.cache[main];
    try {
      delete require.cache[main];
      assert.equal(require('ristretto'), web);
    } finally {
      Module.prototype.require = original;
      require.cache[main] = loaded;
    }
    assert.ok(seen.includes('index.js: ./lib/express'), seen.join());
  });
  test('package.json: resolves, with a version that tools recognize as Express 4', () => {
    const { version } = require('ristretto/package.json') as { version: string };
    const [major, minor] = version.split('.').map(Number);
    assert.equal(major, 4);
    assert.ok(minor! >= 50);
  });
  test('lib/utils: has what tools use from it, with the results of Express', () => {
    const ours = internal('ristretto', 'lib/utils') as Record<string, (...args: unknown[]) => unknown>;
    const theirs = internal('express', 'lib/utils') as typeof ours;
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    const calls: [string, unknown[]][] = [
      ['etag', ['text']],
      ['etag', ['text', 'latin1']],
      ['etag', [Buffer.from('bytes')]],
      ['wetag', ['text', 'utf8']],
      ['wetag', [Buffer.alloc(0)]],
      ['isAbsolute', ['/x']],
      ['flatten', [[1, [2, [3, [4]]]]]],
      ['normalizeType', ['html']],
      ['normalizeType', ['text/html;level=1']],
      ['normalizeTypes', [['html', 'text/plain']]],
      ['contentDisposition', ['a.txt']],
      ['setCharset', ['text/html', 'utf-8']],
    ];
    for (const [name, args] of calls) {
      assert.equal(JSON.stringify(ours[name]!(...args)), JSON.stringify(theirs[name]!(...args)), name);
    }
    assert.ok(!ours.isAbsolute!('x') && !theirs.isAbsolute!('x'));
    for (const [name, value] of [
      ['compileETag', 'strong'],
      ['compileQueryParser', 'simple'],
      ['compileTrust', 'loopback'],
    ] as const) {
      assert.equal(typeof ours[name]!(value), typeof theirs[name]!(value));
    }
  });
  test('lib/utils: its functions can be replaced', () => {
    const utils = internal('ristretto', 'lib/utils') as Record<string, unknown>;
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(utils))) {
      assert.equal(descriptor.writable, true, name);
    }
  });
  test('finalhandler: is required as a module when it is first needed', () => {
    const program = `
      const Module = require('node:module');
      const load = Module._load;
      const loaded = [];
      Module._load = function (request, parent, isMain) {
        const exported = load.call(this, request, parent, isMain);
        if (request !== 'finalhandler') return exported;
        loaded.push(request);
        return (req, res, options) => exported(req, res, { ...options, onerror: err => console.log('wrapped', err.message) });
      };
      const app = require('ristretto')();
      app.use(() => { throw new Error('seen'); });
      const server = app.listen(0, () => {
        require('node:http').get({ port: server.address().port, agent: false }, res => {
          res.resume().on('end', () => { console.log(loaded.length); server.close(); });
        });
      });`;
    const output = outputOf(program);
    assert.deepEqual(output.trim().split('\n').sort(), ['1', 'wrapped seen']);
  });
  test('function expressions: use, route, param and render have names in their source files', () => {
    for (const name of ['use', 'route', 'param', 'handle', 'process_params']) {
      assert.match(source('lib/router/index.js'), new RegExp(`= function ${name}\\(`), name);
    }
    assert.match(source('lib/response.js'), /\brender\b/);
    assert.equal(web.response.render.name, 'render');
  });
  test('lib/router/layer: a handle_request that a tool rewrites in the source is called for each layer', async t => {
    const file = require.resolve('ristretto/lib/router/layer');
    const { prototype } = require(file) as { prototype: { handle_request: unknown } };
    const { handle_request } = prototype;
    t.after(() => (prototype.handle_request = handle_request));
    const names: string[] = [];
    Object.assign(globalThis, { names });
    const assignment = '.prototype.handle_request = function handle(req, res, next) {';
    const calls = `${assignment}
      const context = { arguments: [req, res, next], self: this, moduleVersion: '4.0.0' };
      const publish = published => globalThis.names.push(published.self.name);
      publish(context);`;
    const rewritten = source('lib/router/layer').replace(assignment, calls);
    const load = vm.runInThisContext(`(function (require, module) {${rewritten}\n})`) as (
      ...args: unknown[]
    ) => void;
    load(Module.createRequire(file), {});
    await ask(
      web().get('/', function page(_req, res) {
        res.send('page');
      }),
    );
    Reflect.deleteProperty(globalThis, 'names');
    assert.deepEqual(names, ['query', 'expressInit', 'bound dispatch', 'page']);
  });

  test('no bundle: files are small and keep their own names', () => {
    for (const file of [
      'lib/router/index.js',
      'lib/router/layer.js',
      'lib/response.js',
      'lib/application.js',
    ]) {
      assert.ok(source(file).split('\n').length < 400, file);
    }
  });
  test('View: can be inherited by util.inherits and called on other objects', () => {
    const View = internal('ristretto', 'lib/view') as {
      call(target: object, name: string, options: object): void;
      prototype: { lookup: unknown };
    };
    function SailsView(this: object, name: string, options: object): void {
      View.call(this, name, options);
    }
    util.inherits(SailsView as never, View as never);
    (SailsView.prototype as { lookup: unknown }).lookup = (name: string) => `found ${name}`;
    const engine = (): void => undefined;
    const view = new (SailsView as unknown as new (name: string, options: object) => Record<string, unknown>)(
      'a.x',
      {
        root: '/views',
        engines: { '.x': engine },
      },
    );
    assert.equal(view.path, 'found a.x');
    assert.equal(view.engine, engine);
    assert.ok(view instanceof (View as unknown as new () => object));
  });
  test('hooks: a module that is wrapped when it is loaded is the one used', () => {
    const program = `
      const query = require('ristretto/lib/middleware/query');
      const file = require.resolve('ristretto/lib/middleware/query');
      require.cache[file].exports = Object.assign(function (options) {
        const made = query(options);
        return function query(req, res, next) { console.log('wrapped'); made(req, res, next); };
      }, query);
      const web = require('ristretto');
      const app = web().get('/', (req, res) => res.send('x'));
      app(Object.assign(new (require('node:http').IncomingMessage)(), { method: 'GET', url: '/' }), new (require('node:http').ServerResponse)({}), () => {});`;
    assert.equal(outputOf(program), 'wrapped\n');
  });
});

type Application = ReturnType<Web>;
const FIXTURE = path.join(__dirname, '../../engine/test/fixtures/realm/application.cjs');

/** Loads the framework in a new realm, and the fixture's application on it. */
function inRealm(name: 'express' | 'ristretto'): { web: Web; app: Application } {
  const load = makeRealm();
  const web = load(require.resolve(name)) as Web;
  const build = load(FIXTURE) as (web: Web) => Application;
  return { web, app: build(web) };
}

const realms = { express: inRealm('express'), ristretto: inRealm('ristretto') };

const post = (body: string | Buffer, headers: Record<string, string> = {}, search = ''): Ask => ({
  method: 'POST',
  path: `/body${search}`,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 12);
const garbage = Buffer.from('no gzip');

const requests: Record<string, Ask | string> = {
  'a missing file': '/sendFile/missing.txt',
  'a directory': '/sendFile/.',
  'a file below a file': '/sendFile/application.cjs%2Fdeeper',
  'a file name too long': `/sendFile/${'a'.repeat(300)}`,
  'a missing file without a callback': '/next/missing.txt',
  'a missing download': '/download/missing.txt',
  'a missing static file': '/static/missing.txt',
  'a missing static file that falls through': '/through/missing.txt',
  'a malformed static path': '/static/%ff',
  'an invalid gzip body': post(garbage, { 'Content-Encoding': 'gzip' }),
  'an invalid deflate body': post(garbage, { 'Content-Encoding': 'deflate' }),
  'a truncated gzip body': post(cut(zlib.gzipSync('{"a":1}')), { 'Content-Encoding': 'gzip' }),
  'a gzip body': post(zlib.gzipSync('{"a":[1]}'), { 'Content-Encoding': 'gzip' }),
  'a JSON body': post('{"a":[{"b":null}]}'),
  'a malformed JSON body': post('{"a":'),
  'a form': post('a[]=1&a[]=2&b[c]=d', form),
  text: post('text', { 'Content-Type': 'text/plain' }),
  bytes: post('bytes', { 'Content-Type': 'application/octet-stream' }),
  'a body over the limit': post(JSON.stringify('x'.repeat(2000))),
  'a verify function that throws': post('{}', {}, '?verify=own'),
  'a verify function that throws a string': post('{}', {}, '?verify=text'),
  'a verify function that throws a status': post('{}', {}, '?verify=status'),
  'a buffer sent': '/send/buffer',
  'a set sent': '/send/set',
  'an array sent': '/send/array',
  'a date sent': '/send/date',
  'an error sent': '/send/error',
  'a Node error sent': '/send/core-error',
  'parsed JSON sent': '/send/json',
  'arrays, dates and objects in headers': {
    path: '/set?a[]=1&a[]=2',
    headers: { Accept: 'text/html;q=0.5, */*' },
  },
  'a regular expression in an array': '/own-42',
  'a pattern in an array': '/own/x',
  'a Node error thrown': '/throw',
  'a Node error for the default handler': '/left',
  'a Node error from a callback': '/late',
  'a malformed parameter': '/param/%ff',
  'a missing view': '/view',
  nothing: '/nothing',
};

/** The framework in a separate realm, as under Jest: errors that Node throws there belong to another realm. */
describe('internals: realms', () => {
  for (const [name, request] of Object.entries(requests)) {
    test(`responses: match those of Express in another realm, for ${name}`, async () => {
      const ours = await ask(realms.ristretto.app, request);
      assert.deepEqual(comparable(ours), expected(await ask(realms.express.app, request)));
    });
  }

  test('verify: a Node error keeps its code', async () => {
    const { status, text } = await ask(realms.ristretto.app, post('{}', {}, '?verify=core'));
    const { code, type, body } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(
      [status, code, type, body],
      [403, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'entity.verify.failed', '{}'],
    );
  });

  test('bodies: views and generators of another realm are sent as bytes and chunks', async () => {
    assert.deepEqual((await ask(realms.ristretto.app, '/send/view')).body, Buffer.alloc(2));
    assert.equal((await ask(realms.ristretto.app, '/send/generator')).text, 'ab');
  });

  test('paths: a regular expression of another realm matches', async () => {
    const app = web();
    app.get(vm.runInNewContext('/^\\/(\\d+)$/') as RegExp, (req, res) => res.send(req.params[0]));
    assert.equal((await ask(app, '/42')).text, '42');
    assert.equal((await ask(app, '/x')).status, 404);
  });

  test('paths and handlers: may be arrays of another realm', async () => {
    const app = web();
    const arrayOf = vm.runInNewContext('(...values) => values') as (...values: unknown[]) => never[];
    app.get(arrayOf('/a', '/b'), arrayOf(((req, res) => res.send(req.path)) as RequestHandler));
    assert.equal((await ask(app, '/b')).text, '/b');
  });

  test('promises: a rejection of another realm goes to the error handlers', async () => {
    const app = web().set('env', 'test');
    const reject = vm.runInNewContext(
      'async () => { throw Object.assign(new Error("no"), { status: 409 }); }',
    ) as () => void;
    app.get('/', reject);
    assert.equal((await ask(app)).status, 409);
  });
});
