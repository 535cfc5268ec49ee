// runs: each
/** Routers and applications: other frameworks can read, wrap and override them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';
import { loose, stackOf } from '../../engine/test/support/internals.js';
import type { LooseApp, LooseRouter } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { answer } from '../../engine/test/support/routing.js';

type Any = (...args: unknown[]) => unknown;
const noop = (): void => undefined;
const routerOf = (web: Web): LooseRouter => web.Router() as unknown as LooseRouter;

for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  describe(`internals: application router (${framework})`, () => {
    test('app._router: is undefined until it is needed', () => {
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
      test(`app.${member}: creates the router`, () => {
        const app = web();
        use(app);
        assert.equal(typeof loose(app)._router, 'function');
      });
    }
    test('app.lazyrouter: creates it once, with query and expressInit', () => {
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
    test('app.lazyrouter: overridden, as LoopBack does, is called', async () => {
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
    test('app._router: can be replaced by another one', async () => {
      const app = loose(web().get('/x', answer));
      const other = routerOf(web);
      other.get('/x', (_req: unknown, res: { end(text: string): void }) => res.end('other'));
      app._router = other;
      assert.equal((await ask(app, '/x')).text, 'other');
    });
    test('app._router: uses the settings at the time it is created', () => {
      const app = loose(web().enable('strict routing').get('/x', noop));
      const { strict, caseSensitive } = app._router as unknown as Record<string, unknown>;
      assert.deepEqual([strict, caseSensitive], [true, false]);
    });
    test('own members: include the whole API, as Feathers and LoopBack copy it', async () => {
      const copy = Object.create(null) as Record<string, unknown>;
      const app = web();
      Object.defineProperties(copy, Object.getOwnPropertyDescriptors(app));
      assert.equal(copy.use, app.use);
      // This also tests the framework itself: getters that throw are copied, not called
      const all = Object.defineProperties(
        () => undefined,
        Object.getOwnPropertyDescriptors(web),
      ) as unknown as Web;
      assert.equal(all.Router, web.Router);
      app.get('/', (_req, res) => void res.send('x'));
      assert.equal((await ask(app)).text, 'x');
    });
    test('app.use: overridden, receives every registration', () => {
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
    test('layers: are named router, bound dispatch, mounted_app, or after the function', () => {
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
    test('nested routers: are reached through layer.handle.stack', () => {
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
    test('express-list-endpoints: parses the source of layer.regexp', () => {
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
}
