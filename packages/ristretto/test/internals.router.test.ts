/** Routers and applications, as instrumentations and frameworks on top read, wrap and override them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from './support/http.js';
import { loose, replacing, stackOf } from './support/internals.js';
import type { LooseApp, LooseLayer, LooseRouter } from './support/internals.js';
import { frameworks } from './support/oracle.js';
import type { Web } from './support/oracle.js';
import { answer, mark } from './support/routing.js';

type Any = (...args: unknown[]) => unknown;
interface Res {
  send(text: string): void;
  json(value: unknown): void;
}
type Next = (err?: unknown) => void;
const noop = (): void => undefined;
const routerOf = (web: Web, options?: object): LooseRouter =>
  web.Router(options as never) as unknown as LooseRouter;

for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  const members = (target: 'Router' | 'application' | 'request' | 'response'): Record<string, Any> =>
    (web as unknown as Record<string, Record<string, Any>>)[target]!;
  /** Wraps a member as instrumentations do; resolves with the calls. */
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

  describe(`internals: application router (${framework})`, () => {
    test('app._router: undefined until it is needed', () => {
      const app = loose(web());
      app.set('title', 'x');
      app.engine('x', noop);
      assert.equal(app._router, undefined);
      assert.equal(Object.hasOwn(app, '_router'), false);
    });
    for (const [member, use] of Object.entries<(app: ReturnType<Web>) => unknown>({
      use: app => app.use(noop),
      get: app => app.get('/', noop),
      all: app => app.all('/', noop),
      route: app => app.route('/'),
      param: app => app.param('id', (_req, _res, next) => next()),
      lazyrouter: app => loose(app).lazyrouter(),
    })) {
      test(`app.${member}: makes it`, () => {
        const app = web();
        use(app);
        assert.equal(typeof loose(app)._router, 'function');
      });
    }
    test('app.lazyrouter: makes it once, with query and expressInit', () => {
      const app = loose(web());
      app.lazyrouter();
      const router = app._router;
      app.lazyrouter();
      assert.equal(app._router, router);
      assert.deepEqual(
        stackOf(app).map(({ name, handle }) => [name, handle.name, handle.length]),
        [
          ['query', 'query', 3],
          ['expressInit', 'expressInit', 3],
        ],
      );
    });
    test('app.lazyrouter: overridden, as LoopBack does', async () => {
      const app = loose(web());
      const { lazyrouter } = app;
      let made = 0;
      app.lazyrouter = function (this: LooseApp) {
        if (!this._router) made++;
        lazyrouter.call(this);
        this._router.use = Object.assign(this._router.use.bind(this._router), { overridden: true });
      };
      app.get('/x', (_req, res) => void res.send('found'));
      app.use(noop);
      assert.equal(made, 1);
      assert.equal((app._router.use as unknown as { overridden: boolean }).overridden, true);
      assert.equal((await ask(app, '/x')).text, 'found');
    });
    test('app._router: may be replaced by another one', async () => {
      const app = loose(web().get('/x', answer));
      const other = routerOf(web);
      other.get('/x', (_req: unknown, res: { end(text: string): void }) => res.end('other'));
      app._router = other;
      assert.equal((await ask(app, '/x')).text, 'other');
    });
    test('app._router: its settings are those at the time it is made', () => {
      const app = loose(web().enable('strict routing').get('/x', noop));
      const { strict, caseSensitive } = app._router as unknown as Record<string, unknown>;
      assert.deepEqual([strict, caseSensitive], [true, false]);
    });
    test('own members: describe the whole interface, as Feathers and LoopBack copy it', async () => {
      const copy = Object.create(null) as Record<string, unknown>;
      const app = web();
      Object.defineProperties(copy, Object.getOwnPropertyDescriptors(app));
      assert.equal(copy.use, app.use);
      // the whole of the framework too: getters that throw are copied, not called
      const all = Object.defineProperties(
        () => undefined,
        Object.getOwnPropertyDescriptors(web),
      ) as unknown as Web;
      assert.equal(all.Router, web.Router);
      app.get('/', (_req, res) => void res.send('x'));
      assert.equal((await ask(app)).text, 'x');
    });
    test('app.use: overridden, gets what is registered', () => {
      const app = web();
      const seen: unknown[][] = [];
      const { use } = app;
      (app as unknown as Record<string, Any>).use = function (this: unknown, ...args: unknown[]) {
        seen.push(args);
        return (use as Any).apply(this, args);
      };
      app.use('/x', noop);
      assert.deepEqual(seen, [['/x', noop]]);
      assert.equal(stackOf(app).length, 3);
    });
  });

  describe(`internals: names (${framework})`, () => {
    test('layers: router, bound dispatch, mounted_app, and the functions’ own', () => {
      const app = web();
      app.use(web.Router());
      app.use(web());
      app.get('/x', noop);
      app.use(web.static('.'), web.json(), web.urlencoded({ extended: true }), web.raw(), web.text());
      app.use((_req, _res, next) => next());
      assert.deepEqual(
        stackOf(app).map(({ name }) => name),
        [
          'query',
          'expressInit',
          'router',
          'mounted_app',
          'bound dispatch',
          'serveStatic',
          'jsonParser',
          'urlencodedParser',
          'rawParser',
          'textParser',
          '<anonymous>',
        ],
      );
      assert.deepEqual(
        stackOf(app).map(({ handle }) => [handle.name, handle.length]),
        [
          ['query', 3],
          ['expressInit', 3],
          ['router', 3],
          ['mounted_app', 3],
          ['bound dispatch', 3],
          ['serveStatic', 3],
          ['jsonParser', 3],
          ['urlencodedParser', 3],
          ['rawParser', 3],
          ['textParser', 3],
          ['', 3],
        ],
      );
    });
    test('nested routers: are reached by layer.handle.stack', () => {
      const inner = web.Router().get('/deep', noop);
      const app = web().use('/a', web.Router().use('/b', inner));
      const layer = stackOf(app)[2]!.handle.stack![0]!.handle.stack![0]!;
      assert.equal(layer.route!.path, '/deep');
      assert.equal(stackOf(app)[2]!.handle.parent, undefined);
    });
    test('route handlers: are named in route.stack', () => {
      const app = web().get(
        '/x',
        function first() {},
        function second() {},
      );
      assert.deepEqual(
        stackOf(app)[2]!.route!.stack.map(layer => [layer.name, layer.handle.name, layer.method]),
        [
          ['first', 'first', 'get'],
          ['second', 'second', 'get'],
        ],
      );
    });
    test('express-list-endpoints: the texts of layer.regexp that it parses', () => {
      const app = web();
      app.use(web.Router());
      app.use('/users/:id', web.Router());
      app.use('/a-b.c/', web.Router());
      assert.deepEqual(
        stackOf(app)
          .slice(2)
          .map(({ regexp, keys }) => [String(regexp), keys.map(({ name }) => name)]),
        [
          ['/^\\/?(?=\\/|$)/i', []],
          ['/^\\/users(?:\\/([^/]+?))\\/?(?=\\/|$)/i', ['id']],
          ['/^\\/a-b\\.c\\/?(?=\\/|$)/i', []],
        ],
      );
    });
  });

  describe(`internals: instrumentation (${framework})`, () => {
    test('Router.use, Router.route, application.use: are called for all that is registered', async () => {
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
      // the first two layers, and the two of the application
      assert.equal(uses.length, 4);
    });
    test('OpenTelemetry: wraps layer.handle of the layer just added', async () => {
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
    test('Router.process_params: is called for every layer that is entered, the request is its third', async () => {
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
    test('Router.process_params: an overriding one decides whether the layer runs', async () => {
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
    test('route[METHOD]: wrapped or overwritten, are called by app and router', async () => {
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
    test('route.methods: names, and _all', () => {
      const route = web().route('/x').get(noop).post(noop).all(noop) as unknown as { methods: object };
      assert.deepEqual({ ...route.methods }, { get: true, post: true, _all: true });
    });
    test('response.{json,jsonp,render}: wrapped ones are called, the request is this.req', async () => {
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
    test('Router: overridden per instance, as express-promise-router does', async () => {
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
    test('res.once(close), req.res, req.route: are there for spans', async () => {
      let closed: () => void;
      const closing = new Promise<void>(resolve => (closed = resolve));
      const app = web().get('/x/:id', (req, res) => {
        req.res!.once('close', closed);
        res.send((req.route as { path: string }).path);
      });
      assert.equal((await ask(app, '/x/1')).text, '/x/:id');
      await closing;
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
    test('Router as a wrapper’s: called with a name and options, as Ghost does', () => {
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
