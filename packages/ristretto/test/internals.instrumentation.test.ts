// runs: slow, each
/** Routers and layers: instrumentations can wrap and replace their functions, and tracers can compile the paths of layers. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';
import { internal, loose, replacing, stackOf } from '../../engine/test/support/internals.js';
import type { LooseLayer, LooseRouter } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { answer, mark } from '../../engine/test/support/routing.js';
import { outputOf } from '../../engine/test/support/program.js';

type Any = (...args: unknown[]) => unknown;

interface Res {
  send(text: string): void;
  json(value: unknown): void;
}

type Next = (err?: unknown) => void;
const noop = (): void => undefined;

const routerOf = (web: Web, options?: object): LooseRouter =>
  web.Router(options as never) as unknown as LooseRouter;

/** Routers and layers: instrumentations can wrap and replace their functions. */
for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  const members = (target: 'Router' | 'application' | 'request' | 'response'): Record<string, Any> =>
    (web as unknown as Record<string, Record<string, Any>>)[target]!;
  /** Wraps a member as instrumentations do; resolves with its calls. */
  const wrapping = async (
    target: object,
    name: string,
    use: (calls: unknown[][]) => unknown,
  ): Promise<unknown[][]> => {
    const calls: unknown[][] = [];
    const original = (target as Record<string, Any>)[name]!;
    const value = function (this: unknown, ...args: unknown[]) {
      calls.push([this, ...args]);
      return original.apply(this, args);
    };
    await replacing(target, name, { value, writable: true, enumerable: true }, () => use(calls));
    return calls;
  };

  describe(`internals: instrumentation (${framework})`, () => {
    test('Router.use, Router.route, application.use: are called for every registration', async () => {
      const uses = await wrapping(members('Router'), 'use', () =>
        wrapping(members('Router'), 'route', async routes => {
          const { length } = await wrapping(members('application'), 'use', () => {
            const app = web();
            app.use('/x', noop);
            app.get('/y', noop);
            app.route('/z');
            app.use(web.Router().get('/w', noop));
          });
          assert.equal(length, 2);
          assert.deepEqual(
            routes.map(([, path]) => path),
            ['/y', '/z', '/w'],
          );
        }),
      );
      // There are two for the built-in layers, and two for the application
      assert.equal(uses.length, 4);
    });
    test('OpenTelemetry: wraps layer.handle of the last added layer', async () => {
      const seen: string[] = [];
      const { use } = members('Router');
      const value = function (this: LooseRouter, ...args: unknown[]) {
        const result = use!.apply(this, args);
        const layer = this.stack[this.stack.length - 1]!;
        const original = layer.handle as Any & Record<string, unknown>;
        if (original.length === 4) return result;
        const wrapped = function (this: unknown, req: unknown, res: unknown, next: unknown) {
          seen.push(layer.name);
          return original.call(this, req, res, next);
        };
        for (const name in original) {
          Object.defineProperty(wrapped, name, {
            get: () => original[name],
            set: (replaced: unknown) => (original[name] = replaced),
          });
        }
        layer.handle = wrapped as never;
        return result;
      };
      await replacing(members('Router'), 'use', { value, writable: true, enumerable: true }, async () => {
        const app = web();
        const router = web.Router();
        router.use(function inner(_req, _res, next) {
          next();
        });
        router.get('/x', (_req, res) => void res.send('found'));
        app.use('/a', router);
        assert.equal((await ask(app, '/a/x')).text, 'found');
        assert.equal(stackOf(app)[2]!.handle.stack!.length, 2);
      });
      assert.deepEqual(seen, ['query', 'expressInit', 'router', 'inner']);
    });
    test('application.{handle,all,route}: wrapped ones are called', async () => {
      for (const name of ['handle', 'all', 'route']) {
        const calls = await wrapping(members('application'), name, async () => {
          const app = web();
          app.all('/x', answer);
          app.route('/y');
          await ask(app, '/x');
        });
        assert.equal(calls.length, 1, name);
      }
    });
    test('Router.process_params: is called for every layer entered, with the request as the third argument', async () => {
      const urls: unknown[] = [];
      const calls = await wrapping(members('Router'), 'process_params', async () => {
        const app = web();
        app.use('/a', (_req, _res, next) => next());
        app.param('id', (req, _res, next) => {
          urls.push(req.params.id);
          next();
        });
        app.get('/a/:id', (_req, res) => void res.send('found'));
        assert.equal((await ask(app, '/a/7')).text, 'found');
      });
      assert.deepEqual(
        calls.map(([, layer, called, req, res, done]) => [
          (layer as LooseLayer).name,
          typeof called,
          (req as { method: string }).method,
          typeof (res as Res).send,
          typeof done,
        ]),
        ['query', 'expressInit', '<anonymous>', 'bound dispatch'].map(name => [
          name,
          'object',
          'GET',
          'function',
          'function',
        ]),
      );
      assert.deepEqual(urls, ['7']);
    });
    test('Router.process_params: an override decides whether the layer runs', async () => {
      const app = web();
      app.get('/:id', (req, res) => void res.json(req.params));
      const router = loose(app)._router;
      const own = router.process_params.bind(router);
      router.process_params = (
        layer: unknown,
        called: unknown,
        req: unknown,
        res: unknown,
        done: unknown,
      ) => {
        const { params } = req as { params: Record<string, string> };
        if (params.id === 'refused') (done as Next)(Object.assign(new Error('no'), { status: 403 }));
        else own(layer, called, req, res, done);
      };
      app.set('env', 'test');
      assert.equal((await ask(app, '/7')).text, '{"id":"7"}');
      assert.equal((await ask(app, '/refused')).status, 403);
    });
    test('route[METHOD]: is called by app and router if wrapped or overwritten', async () => {
      const Route = (web as unknown as { Route: { prototype: object } }).Route;
      const calls = await wrapping(Route.prototype, 'get', () => {
        web().get('/x', noop);
        web.Router().get('/x', noop);
        web().route('/x').get(noop);
      });
      assert.equal(calls.length, 3);
      const route = web.Router().route('/x') as unknown as Record<string, unknown>;
      route.get = () => 'mine';
      assert.equal((route.get as Any)(), 'mine');
    });
    test('response.{json,jsonp,render}: wrapped ones are called, with the request as this.req', async () => {
      for (const name of ['json', 'jsonp'] as const) {
        const calls = await wrapping(members('response'), name, async () => {
          await ask(
            web().get('/x', (_req, res) => void res[name]({ a: 1 })),
            '/x',
          );
        });
        assert.equal((calls[0]![0] as { req: { url: string } }).req.url, '/x');
      }
    });
    test('Router: overridden per instance, as express-promise-router does, still registers handlers', async () => {
      const router = routerOf(web) as LooseRouter & Record<string, Any>;
      for (const name of ['use', 'all', 'param', 'route', 'get'] as const) {
        const original = router[name] as Any;
        (router as Record<string, Any>)[name] = (...args: unknown[]) =>
          original.apply(
            router,
            args.map(arg => (typeof arg === 'function' && arg.length < 4 ? promised(arg as Any) : arg)),
          );
      }
      router.get('/x', async (_req: unknown, res: Res) => res.send('promised'));
      assert.equal((await ask(web().use(router as never), '/x')).text, 'promised');
    });
    test('Router.prototype.constructor.param: can be reassigned', () => {
      const { constructor } = (
        web.Router as unknown as { prototype: { constructor: Record<string, unknown> } }
      ).prototype;
      assert.equal(constructor, web.Router);
      const { param } = constructor;
      constructor.param = noop;
      assert.equal(routerOf(web).param, noop);
      constructor.param = param;
    });
    test('Sentry: reads layer.handle.stack[0].route.path and layer.path of the layer that matched', async () => {
      const app = web();
      const router = web.Router().get('/x/:id', mark('found'));
      app.use('/api/:version', router);
      app.use((req, res) => {
        const layer = stackOf(app)[2]!;
        res.json([
          layer.path,
          layer.params,
          layer.handle.stack![0]!.route!.path,
          layer.handle.stack![0]!.path,
          req.originalUrl,
        ]);
      });
      const { text } = await ask(app, '/api/v1/x/7');
      assert.equal(text, '["/api/v1",{"version":"v1"},"/x/:id","/x/7","/api/v1/x/7"]');
    });
    test('Router of a wrapper: can be called with a name and options, as Ghost does', () => {
      const Original = web.Router as unknown as (options?: object) => LooseRouter;
      const Wrapped = (name: string, options: object): LooseRouter =>
        Object.assign(Original(options), { parent: name });
      assert.equal(
        (Wrapped('Parent', { mergeParams: true }) as unknown as { parent: string }).parent,
        'Parent',
      );
      assert.equal(typeof Original('Parent' as never), 'function');
    });
  });
}

function promised(handler: Any): Any {
  return (req, res, next) => {
    Promise.resolve(handler(req, res, next)).catch(next as Next);
  };
}

/**
 * Runs a program with a substitute for Datadog's tracer: its list of packages, and a subscriber that records messages.
 */
function withTracer(packages: string[] | undefined, program: string): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-tracer-'));
  const folder = path.join(home, 'datadog-instrumentations/src/helpers');
  const list = path.join(folder, 'hooks.js');
  const tracer = `
    const messages = [];
    const { subscribe } = require('node:diagnostics_channel');
    subscribe('dd-trace:bundler:load', message => messages.push(message));
    ${packages ? `require(${JSON.stringify(list)});` : ''}
    require('ristretto');`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    const names = Object.fromEntries((packages ?? []).map(name => [name, 1]));
    fs.writeFileSync(list, `module.exports = ${JSON.stringify(names)};`);
    return outputOf(`${tracer}\n${program}`);
  } finally {
    fs.rmSync(home, { recursive: true });
  }
}

const count = 'console.log(messages.length);';

/** The functions for tracers that compile the paths of a layer to find the one that matched. */
describe('internals: tracing', () => {
  test('path-to-regexp: a supported tracer receives one function for paths when the framework is loaded', () => {
    const output = withTracer(
      ['express', 'path-to-regexp'],
      `const [{ module, ...rest }] = messages;
      console.log(JSON.stringify([messages.length, rest, typeof module]));`,
    );
    const rest = { package: 'path-to-regexp', path: 'path-to-regexp', version: '0.1.13' };
    assert.deepEqual(JSON.parse(output), [1, rest, 'function']);
  });
  test('path-to-regexp: the function creates the expressions of Express, which a tracer then tests', () => {
    const cases = {
      '/user/:id': '/user/7',
      '/:a-:b': '/x-y',
      '/x*': '/xyz',
      '/a(': '',
      '/user': '/users',
      '': '/',
    };
    const output = withTracer(
      ['path-to-regexp'],
      `const compile = path => {
        try {
          const expression = messages[0].module(path);
          return [expression instanceof RegExp, String(expression), expression.test(${JSON.stringify(cases)}[path])];
        } catch (error) {
          return error.name;
        }
      };
      console.log(JSON.stringify(${JSON.stringify(Object.keys(cases))}.map(compile)));`,
    );
    const compile = require(require.resolve('path-to-regexp', { paths: [require.resolve('express')] })) as (
      path: string,
    ) => RegExp;
    const expected = Object.entries(cases).map(([pattern, text]) => {
      try {
        const expression = compile(pattern);
        return [true, String(expression), expression.test(text)];
      } catch (error) {
        return (error as Error).name;
      }
    });
    assert.deepEqual(JSON.parse(output), expected);
  });
  test('path-to-regexp: testing its expressions takes linear time', () => {
    const output = withTracer(
      ['path-to-regexp'],
      `const begin = process.cpuUsage();
      const matched = messages[0].module('/*a*b*c*d*e').test('/' + 'abcd'.repeat(2000));
      console.log(matched, process.cpuUsage(begin).user < 2e6);`,
    );
    assert.equal(output, 'false true\n');
  });
  test('path-to-regexp: the function does not modify a regular expression passed to it', () => {
    const output = withTracer(
      ['path-to-regexp'],
      `const given = /^\\/x/i;
      const made = messages[0].module(given);
      console.log(String(made), made.test('/X'), made === given, Object.hasOwn(given, 'test'));`,
    );
    assert.equal(output, '/^\\/x/i true false false\n');
  });
  test('path-to-regexp: an earlier tracer, which fails on unknown packages, receives nothing', () => {
    assert.equal(withTracer(['express'], count), '0\n');
  });
  test('path-to-regexp: other subscribers of the channel receive nothing', () => {
    assert.equal(withTracer(undefined, count), '0\n');
  });
  test('path-to-regexp: nothing is reported without a tracer', () => {
    const { reportPathCompiler } = internal('ristretto', 'lib/router/tracing') as {
      reportPathCompiler(): void;
    };
    assert.doesNotThrow(reportPathCompiler);
  });
});
