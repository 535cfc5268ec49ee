/** The live table of routes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks, ours, same } from './support/oracle.js';
import type { App, Build } from './support/oracle.js';
import type { RequestHandler } from 'ristretto3/lib/types/core';
import type legacy from 'ristretto3';

const { ristretto3: web } = frameworks;

const respond =
  (name: string): RequestHandler =>
  (_req, res) => {
    res.send(name);
  };

function appOf(framework: typeof web): App {
  const app = framework();
  for (const path of ['/', '/users', '/users/:id', '/:any?/:else?']) app.get(path, respond(path));
  app.del('/users/:id', respond('deleted'));
  return app;
}

const edited =
  (edit: (app: App) => void): Build =>
  framework => {
    const app = appOf(framework);
    edit(app);
    return app;
  };

describe('app.routes', () => {
  test('entries: are grouped by method and have path, method, callbacks and keys', () => {
    const [ours, theirs] = Object.values(frameworks).map(framework => {
      const { routes } = appOf(framework);
      return Object.fromEntries(
        Object.entries(routes).map(([method, entries]) => [
          method,
          entries.map(entry => [
            Object.keys(entry),
            entry.path,
            entry.method,
            entry.keys,
            entry.callbacks.map(callback => typeof callback),
            entry.regexp instanceof RegExp,
          ]),
        ]),
      );
    });
    assert.deepEqual(ours, theirs);
    assert.deepEqual(Object.keys(ours!), ['get', 'delete']);
  });

  test('entries: keys have name and optional, for named parameters only', () => {
    const app = web();
    app.get('/a/:b?/*/:c(\\d+)', respond('x')).get(/^\/(\w+)$/, respond('y'));
    assert.deepEqual(app.routes.get![0]!.keys, [
      { name: 'b', optional: true },
      { name: 'c', optional: false },
    ]);
    assert.deepEqual(app.routes.get![1]!.keys, []);
  });

  test('entries: regexp and match test a path; params is from the last match', () => {
    const entry = appOf(web).routes.get![2]!;
    assert.ok(entry.regexp.test('/users/7') && !entry.regexp.test('/users'));
    assert.ok(entry.match('/users/7') && !entry.match('/users'));
    assert.ok(entry.match('/users/8'));
    assert.equal(entry.params!.id, '8');
  });

  test('empty: is an empty object without routes', () => {
    for (const framework of Object.values(frameworks)) assert.deepEqual(framework().routes, {});
  });

  test('removing: a removed entry is no longer a route', async () => {
    const splice = edited(app => app.routes.get!.splice(1, 1));
    assert.equal((await same(splice, '/users')).text, '/:any?/:else?');
    assert.equal((await same(splice, '/users/7')).text, '/users/:id');
    const filter = edited(app => {
      app.routes.get = app.routes.get!.filter(({ path }) => path !== '/users/:id');
    });
    assert.equal((await same(filter, '/users/7')).text, '/:any?/:else?');
    const all = edited(app => delete app.routes.get);
    assert.equal((await same(all, '/users')).status, 404);
    assert.equal((await same(all, { method: 'DELETE', path: '/users/7' })).text, 'deleted');
    const none = edited(app => (app.routes.get!.length = 0));
    assert.equal((await same(none, '/users')).status, 404);
  });

  test('removing: works while the application serves, between requests and during one', async () => {
    const app = appOf(web);
    app.routes.get!.unshift(
      new web.Route('get', '/users', [
        (_req: unknown, _res: unknown, next: () => void) => {
          app.routes.get!.splice(1, 2);
          next();
        },
      ]),
    );
    const build = () => app;
    assert.equal((await ours(build, '/users')).text, '/users');
    assert.equal((await ours(build, '/users')).text, '/:any?/:else?');
  });

  test('order: reordering the entries changes the order of the routes', async () => {
    const build = edited(app => app.routes.get!.reverse());
    assert.equal((await same(build, '/users/7')).text, '/:any?/:else?');
  });

  test('callbacks: can be replaced and extended', async () => {
    const replaced = edited(app => (app.routes.get![0]!.callbacks = [respond('replaced')]));
    assert.equal((await same(replaced, '/')).text, 'replaced');
    const added = edited(app => app.routes.get![0]!.callbacks.unshift(respond('added')));
    assert.equal((await same(added, '/')).text, 'added');
  });

  test('regexp: can be replaced, before and after the first request', async () => {
    const build = edited(app => (app.routes.get![1]!.regexp = /^\/people$/));
    assert.equal((await same(build, '/people')).text, '/users');
    const app = appOf(web);
    await ours(() => app, '/');
    app.routes.get![1]!.regexp = /^\/people$/;
    assert.equal((await ours(() => app, '/people')).text, '/users');
  });

  test('adding: accepts new web.Route() and rejects a plain object', async () => {
    const build: Build = framework => {
      const app = appOf(framework);
      app.routes.get!.unshift(new framework.Route('get', '/new/:x', [respond('new')], {}));
      return app;
    };
    assert.equal((await same(build, '/new/1')).text, 'new');
    const bare = edited(app => app.routes.get!.push({ path: '/bare' } as never));
    const answer = await ours(bare, '/');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /contains an entry that is not a route/);
  });

  test('methods: inherited property names are not methods', async () => {
    assert.equal(
      (
        await same(
          edited(() => undefined),
          { method: 'POST' },
        )
      ).status,
      404,
    );
    const app = { url: '/', method: 'CONSTRUCTOR' };
    const router = new web.Router();
    let passed = false;
    router.handle(app as never, {} as never, () => (passed = true));
    assert.ok(passed);
  });
});

describe('req.route', () => {
  test('route: is the entry that runs', async () => {
    const app = web();
    let isEntry = false;
    app.get('/:id', (req, res) => {
      isEntry = req.route === app.routes.get![0];
      res.send([req.route.path, req.route.method].join());
    });
    assert.equal((await ours(() => app, '/7')).text, '/:id,get');
    assert.ok(isEntry);
  });

  test('error: is also set in a route that handles an error', async () => {
    const build: Build = framework => {
      const app = framework();
      app.get('/:id', (_req, _res, next) => next(new Error('x')));
      app.get(
        '/:other',
        (_err: unknown, req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
          res.send(String(req.route.path)),
      );
      return app;
    };
    assert.equal((await same(build, '/7')).text, '/:other');
  });
});

describe('web.Router', () => {
  test('middleware: is a router that can be mounted', async () => {
    const build: Build = framework => {
      const router = new framework.Router();
      router.get('/x', respond('x'));
      router.route('post', '/x', respond('posted'));
      router.all('/y', respond('y'));
      return framework().use('/m', router.middleware as never);
    };
    assert.equal((await same(build, '/m/x')).text, 'x');
    assert.equal((await same(build, { method: 'POST', path: '/m/x' })).text, 'posted');
    assert.equal((await same(build, '/m/y')).text, 'y');
  });

  test('options: caseSensitive and strict apply; new may be omitted', async () => {
    for (const options of [{ caseSensitive: true }, { strict: true }, undefined]) {
      const build: Build = framework => {
        const router = new framework.Router(options);
        router.get('/X', respond('x'));
        return framework().use(router.middleware as never);
      };
      for (const path of ['/X', '/x', '/X/']) await same(build, path);
    }
    assert.ok(web.Router() instanceof web.Router);
  });
});
