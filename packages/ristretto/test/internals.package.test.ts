// runs: built, each
/** The files of the package that tools require, and their exports. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import util from 'node:util';
import vm from 'node:vm';
import web from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import { internal } from '../../engine/test/support/internals.js';

const files: Record<string, unknown> = {
  index: web,
  'lib/express': web,
  'lib/application': (web as unknown as { application: unknown }).application,
  'lib/request': web.request,
  'lib/response': web.response,
  'lib/router': web.Router,
  'lib/router/index': web.Router,
  'lib/router/route': (web as unknown as { Route: unknown }).Route,
};
const functions = ['lib/view', 'lib/router/layer', 'lib/middleware/query'];
const source = (file: string): string => fs.readFileSync(require.resolve(`ristretto/${file}`), 'utf8');

describe('internals: package', () => {
  for (const [file, exported] of Object.entries(files)) {
    test(`${file}: resolves with and without .js to the object that web has`, () => {
      assert.equal(require(`ristretto/${file}`), exported);
      if (file !== 'lib/router') assert.equal(require(`ristretto/${file}.js`), exported);
    });
  }
  for (const file of functions) {
    test(`${file}: resolves with and without .js and exports a function`, () => {
      assert.equal(typeof require(`ristretto/${file}`), 'function');
      assert.equal(require(`ristretto/${file}.js`), require(`ristretto/${file}`));
    });
  }
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
    const output = execFileSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' });
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
  test('one copy: import returns the same objects as require', () => {
    const program = `
      import express, * as all from 'ristretto';
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('ristretto');
      const names = Object.keys(all).filter(name => name !== 'default' && name !== 'module.exports');
      console.log(express === required, names.every(name => all[name] === required[name]), names.sort().join());`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: __dirname,
      encoding: 'utf8',
    });
    assert.equal(
      output,
      'true true HttpError,Route,Router,application,deadline,describe,health,json,metrics,openApi,openApiPage,openTelemetry,overload,query,raw,request,requestId,response,static,stop,stopOnSignals,text,urlencoded,validate\n',
    );
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
    assert.equal(
      execFileSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' }),
      'wrapped\n',
    );
  });
});
