/** Routes: the live table, and finding a route without a request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failing, frameworks, onError, ours, pass, respond, same, serves } from './support/oracle.js';
import type { App, Build, Web } from './support/oracle.js';

const { ristretto3: web } = frameworks;

function addRoutes(app: App): App {
  for (const path of ['/', '/users', '/users/:id', '/:any?/:else?']) app.get(path, respond(path));
  return app.del('/users/:id', respond('deleted'));
}

const appOf = (framework: Web): App => addRoutes(framework());

/** Registers a test of requests to the application after its routes were edited. */
const edits = (
  title: string,
  edit: (app: App, web: Web) => unknown,
  expected: Record<string, string | number>,
) =>
  serves(
    title,
    (app, web) => {
      addRoutes(app);
      edit(app, web);
    },
    expected,
  );

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

  edits('removing: an entry that was spliced is no longer a route', app => app.routes.get!.splice(1, 1), {
    '/users': '/:any?/:else?',
    '/users/7': '/users/:id',
  });
  edits(
    'removing: entries can be filtered',
    app => (app.routes.get = app.routes.get!.filter(({ path }) => path !== '/users/:id')),
    { '/users/7': '/:any?/:else?' },
  );
  edits('removing: all entries of a method can be deleted', app => delete app.routes.get, {
    '/users': 404,
    'DELETE /users/7': 'deleted',
  });
  edits('removing: a list can be emptied', app => (app.routes.get!.length = 0), { '/users': 404 });

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

  edits('order: reordering the entries changes the order of the routes', app => app.routes.get!.reverse(), {
    '/users/7': '/:any?/:else?',
  });

  edits(
    'callbacks: can be replaced and extended',
    app => {
      app.routes.get![0]!.callbacks = [respond('replaced')];
      app.routes.get![1]!.callbacks.unshift(respond('added'));
    },
    { '/': 'replaced', '/users': 'added' },
  );

  edits('regexp: can be replaced', app => (app.routes.get![1]!.regexp = /^\/people$/), {
    '/people': '/users',
  });

  test('regexp: can be replaced after the first request', async () => {
    const app = appOf(web);
    await ours(() => app, '/');
    app.routes.get![1]!.regexp = /^\/people$/;
    assert.equal((await ours(() => app, '/people')).text, '/users');
  });

  edits(
    'adding: accepts new web.Route()',
    (app, web) => app.routes.get!.unshift(new web.Route('get', '/new/:x', [respond('new')], {})),
    { '/new/1': 'new' },
  );

  test('adding: rejects a plain object', async () => {
    const app = appOf(web);
    app.routes.get!.push({ path: '/bare' } as never);
    const answer = await ours(() => app, '/');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /contains an entry that is not a route/);
  });

  edits('methods: without routes get 404', () => undefined, { 'POST /': 404 });

  test('methods: inherited property names are not methods', async () => {
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

  serves(
    'error: is also set in a route that handles an error',
    app =>
      app.get('/:id', failing).get(
        '/:other',
        onError((_err, req, res, _next) => res.send(String(req.route.path))),
      ),
    { '/7': '/:other' },
  );
});

describe('web.Router', () => {
  serves(
    'middleware: is a router that can be mounted',
    (app, web) => {
      const router = new web.Router();
      router.get('/x', respond('x'));
      router.route('post', '/x', respond('posted'));
      router.all('/y', respond('y'));
      app.use('/m', router.middleware as never);
    },
    { '/m/x': 'x', 'POST /m/x': 'posted', '/m/y': 'y' },
  );

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

type Router = InstanceType<Web['Router']>;
type MatchedRequest = Parameters<Router['matchRequest']>[0];

function routerOf(web: Web): Router {
  const router = new web.Router();
  router.get('/user/:id', pass);
  router.get('/user/:id/*', pass);
  router.get('/user/12', pass);
  router.post('/user/:id', pass);
  router.all('/x', pass);
  router.head('/h', pass);
  router.get('/h', pass);
  return router;
}

/** Asserts that both frameworks find the same; returns what ours finds. */
function found(look: (router: Router) => unknown): unknown {
  const [mine, theirs] = Object.values(frameworks).map(web => look(routerOf(web)));
  assert.deepEqual(mine, theirs);
  return mine;
}

const shown = (entry: ReturnType<Router['match']>): unknown =>
  entry && [entry.method, entry.path, Object.entries(entry.params!)];

/** Finding a router's route for a method and a URL, without handling a request. */
describe('router.match', () => {
  test('route: is the first one for the method and path, with its params', () => {
    for (const request of [
      ...['get /user/12', 'GET /user/12?a=b', 'get /USER/a%20b/', 'get http://host/user/12'],
      ...['get /user/1/2/3', 'post /user/12', 'put /x', 'options /x'],
    ]) {
      const [method, url] = request.split(' ') as [string, string];
      assert.ok(
        found(router => shown(router.match(method, url))),
        request,
      );
    }
    assert.deepEqual(
      found(router => shown(router.match('get', '/user/7'))),
      ['get', '/user/:id', [['id', '7']]],
    );
    const router = routerOf(frameworks.ristretto3);
    assert.equal(router.match('get', '/user/7'), router.map.get![0]);
  });

  test('route: is undefined if none matches', () => {
    for (const request of ['get /nope', 'put /user/1', 'nope /x', 'get ', 'get //user/12']) {
      const [method, url] = request.split(' ') as [string, string];
      assert.equal(
        found(router => router.match(method, url)),
        undefined,
        request,
      );
    }
    assert.equal(routerOf(frameworks.ristretto3).match('constructor', '/x'), undefined);
  });

  test('route: throws if a parameter cannot be decoded', () => {
    for (const web of Object.values(frameworks)) {
      assert.throws(() => routerOf(web).match('get', '/user/%zz'), /Failed to decode param '%zz'/);
    }
  });

  test('position: routes before it are skipped', () => {
    const found12 = (from: number) => found(router => shown(router.match('get', '/user/12', from)));
    assert.deepEqual(found12(0), ['get', '/user/:id', [['id', '12']]]);
    assert.deepEqual(found12(1), ['get', '/user/12', []]);
    assert.equal(found12(3), undefined);
  });

  test('HEAD: uses its own routes, then those for GET unless excluded', () => {
    const head = (url: string, from?: number, exact?: boolean) =>
      found(router => shown(router.match('head', url, from, exact)));
    assert.deepEqual(head('/h'), ['head', '/h', []]);
    assert.deepEqual(head('/user/12'), ['get', '/user/:id', [['id', '12']]]);
    assert.deepEqual(head('/user/12', 1), ['get', '/user/12', []]);
    assert.equal(head('/user/12', 0, true), undefined);
    assert.deepEqual(head('/h', 1, true), ['head', '/h', []]);
    assert.equal(head('/h', 2, true), undefined);
  });

  test('options and edits: honours caseSensitive, and uses a replaced regexp', () => {
    for (const web of Object.values(frameworks)) {
      const router = new web.Router({ caseSensitive: true });
      router.get('/A', pass);
      assert.deepEqual([router.match('get', '/a'), router.match('get', '/A')?.path], [undefined, '/A']);
      router.map.get![0]!.regexp = /^\/b$/;
      assert.equal(router.match('get', '/b')?.path, '/A');
    }
  });
});

describe('router.matchRequest', () => {
  test('route: is the one for method and URL of the request, with its position in _route_index', () => {
    const look = (request: MatchedRequest, ...rest: [number?, boolean?]) =>
      found(router => [shown(router.matchRequest(request, ...rest)), request._route_index]);
    assert.deepEqual(look({ method: 'GET', url: '/user/12' }), [['get', '/user/:id', [['id', '12']]], 0]);
    assert.deepEqual(look({ method: 'GET', url: '/user/12' }, 1), [['get', '/user/12', []], 2]);
    assert.deepEqual(look({ method: 'HEAD', url: '/user/12' }), [['get', '/user/:id', [['id', '12']]], 0]);
    assert.deepEqual(look({ method: 'HEAD', url: '/user/12' }, 0, true), [undefined, undefined]);
    assert.deepEqual(look({ method: 'POST', url: '/nope' }), [undefined, undefined]);
  });

  test('route: a handler can look up other routes of its request', async () => {
    const build: Build = web => {
      const app = web();
      app.get('/:any', (req, res) => {
        const { _router } = app as unknown as { _router: Router };
        res.send(String(_router.matchRequest(req, 1)?.path));
      });
      return app.get('/x', pass);
    };
    assert.equal((await same(build, '/x')).text, '/x');
    assert.equal((await ours(build, '/y')).text, 'undefined');
  });
});
