/** `req.matchedPath`: the whole pattern that a request has matched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import web from 'ristretto';
import { ask } from '../../support/http.js';
import { askHttp2 } from '../../support/http2.js';
import { secondCopy } from '../../support/modules.js';

type App = ReturnType<typeof web>;
type Routes = Pick<web.Router, 'get' | 'use' | 'all' | 'param' | 'post'>;

const send: web.RequestHandler = (_req, res) => void res.send('ok');
const pass: web.RequestHandler = (_req, _res, next) => next();
const fail: web.RequestHandler = () => {
  throw new Error('no');
};

/**
 * Creates an application in the test environment that records the matched path of each request when its response is
 * sent.
 */
function makeApp(seen: unknown[], build: (app: App) => void): App {
  const app = web().set('env', 'test');
  app.use((req, res, next) => {
    res.on('finish', () => seen.push(req.matchedPath));
    next();
  });
  build(app);
  return app;
}

/** Returns the matched path of a request when its response is sent. */
async function matched(build: (app: App) => void, url: string, method = 'GET'): Promise<unknown> {
  const seen: unknown[] = [];
  await makeApp(seen, build).inject({ url, method });
  await setImmediate();
  assert.equal(seen.length, 1);
  return seen[0];
}

/** Creates a router with routes. */
function router(build: (router: Routes) => void, options?: web.RouterOptions): web.Router {
  const made = web.Router(options);
  build(made);
  return made;
}

describe('req.matchedPath', () => {
  test('route: is the pattern of the route', async () => {
    assert.equal(await matched(app => app.get('/users/:id', send), '/users/7?x'), '/users/:id');
    assert.equal(await matched(app => app.get('/', send), '/'), '/');
    assert.equal(await matched(app => app.get('/exactly/', send), '/exactly/'), '/exactly/');
    assert.equal(await matched(app => app.get('*', send), '/any'), '*');
  });

  test('mounts: add their patterns before the one of the route', async () => {
    const users = router(users => users.get('/', send).get('/:id', send).get('*', send));
    const build = (app: App): unknown =>
      app.use(
        '/api/',
        router(api => api.use('/:tenant/users', users)),
      );
    assert.equal(await matched(build, '/api/acme/users'), '/api/:tenant/users');
    assert.equal(await matched(build, '/api/acme/users/7'), '/api/:tenant/users/:id');
    assert.equal(await matched(build, '/api/acme/users/7/8'), '/api/:tenant/users/*');
    assert.equal(await matched(app => app.use(router(inner => inner.get('/x', send))), '/x'), '/x');
    assert.equal(await matched(app => app.use(router(inner => inner.get('*', send))), '/x'), '*');
  });

  test('sub-applications: count as mounts, with the path that matched', async () => {
    const sub = web().get('/posts/:id', send);
    assert.equal(
      await matched(app => app.use(['/blog', '/:lang/blog'], sub), '/en/blog/posts/7'),
      '/:lang/blog/posts/:id',
    );
    assert.equal(
      await matched(app => app.use(['/blog', '/:lang/blog'], sub), '/blog/posts/7'),
      '/blog/posts/:id',
    );
  });

  test('arrays of paths: is the path that matched', async () => {
    const build = (app: App): unknown => app.get(['/a', ['/b/:id', /^\/c(\d)/] as never], send);
    assert.equal(await matched(build, '/b/7'), '/b/:id');
    assert.equal(await matched(build, '/c7'), '/^\\/c(\\d)/');
    const strict = (app: App): unknown =>
      app.use(router(inner => inner.get(['/a', '/a/', '/A/'], send), { strict: true, caseSensitive: true }));
    assert.equal(await matched(strict, '/a/'), '/a/');
    assert.equal(await matched(strict, '/A/'), '/A/');
    assert.equal(await matched(app => app.get([], send), '/x'), '*');
  });

  test('regular expressions: are converted to strings', async () => {
    assert.equal(await matched(app => app.get(/^\/x/, send), '/x'), '/^\\/x/');
    assert.equal(
      await matched(
        app =>
          app.use(
            /^\/v\d/,
            router(inner => inner.get('/x', send)),
          ),
        '/v2/x',
      ),
      '/^\\/v\\d/x',
    );
  });

  test('middleware: is the path of the middleware, if it has one', async () => {
    assert.equal(await matched(app => app.use('/graphql', send), '/graphql/x'), '/graphql');
    assert.equal(await matched(app => app.use(send), '/x'), undefined);
    assert.equal(
      await matched(
        app =>
          app.use(
            '/api',
            router(api => api.use(send)),
          ),
        '/api/x',
      ),
      '/api',
    );
  });

  test('404: is undefined', async () => {
    const build = (app: App): unknown =>
      app.use(
        '/api',
        router(api => api.get('/x', send)),
      );
    assert.equal(await matched(build, '/api/y'), undefined);
    assert.equal(await matched(build, '/y'), undefined);
    assert.equal(await matched(app => app.get('*', pass), '/y'), undefined);
    assert.equal(await matched(app => app.get('*', pass).use(send), '/y'), undefined);
    assert.equal(await matched(build, '/api/x', 'POST'), undefined);
  });

  test('while routing: is the path matched so far', async () => {
    const seen: unknown[] = [];
    const note: web.RequestHandler = (req, _res, next) => {
      seen.push(req.matchedPath);
      next();
    };
    const inner = router(made =>
      made
        .use(note)
        .param('id', (req, _res, next) => note(req, _res, next))
        .get('/:id', note),
    );
    const app = web().use(note).use('/api', note, inner).get('/api/:any', note).use(send);
    await app.inject('/api/7');
    assert.deepEqual(seen, [undefined, '/api', '/api', '/api/:id', '/api/:id', '/api/:any']);
  });

  test('while routing: contains the mount paths when a layer’s match method is called', async () => {
    const seen: unknown[] = [];
    const inner = router(made => made.get('/x', send));
    const app = web().use('/api', (req, _res, next) => {
      inner.stack[0] = Object.assign(Object.create(inner.stack[0]!) as object, {
        match: () => seen.push(req.matchedPath) < 0,
      }) as never;
      next();
    });
    await app.use('/api', inner).inject('/api/x');
    assert.deepEqual(seen, ['/api']);
  });

  test("next('route') and next('router'): the next route that matches counts", async () => {
    const skip =
      (to: 'route' | 'router'): web.RequestHandler =>
      (_req, _res, next) =>
        next(to);
    const build = (app: App): unknown =>
      app
        .get('/:a', skip('route'), fail)
        .use(router(inner => inner.get('/:b', skip('router'))))
        .get('/:c', send);
    assert.equal(await matched(build, '/x'), '/:c');
  });

  test('errors: keep the path that failed', async () => {
    const inside = (app: App): unknown =>
      app.use(
        '/a',
        router(a =>
          a.use(
            '/b',
            router(b => b.get('/:id', fail)),
          ),
        ),
      );
    assert.equal(await matched(inside, '/a/b/7'), '/a/b/:id');
    assert.equal(await matched(app => app.use('/a', fail), '/a/b'), '/a');
    assert.equal(await matched(app => app.use(fail), '/a'), undefined);
    assert.equal(await matched(app => app.get('/:id', send), '/%zz'), '/:id');
    assert.equal(await matched(app => app.use('/x', fail).get('/:a/:b', send), '/x/%zz'), '/x');
  });

  test('error handlers: see the path that failed, wherever they are mounted', async () => {
    const seen: unknown[] = [];
    const note: web.ErrorRequestHandler = (err, req, _res, next) => {
      seen.push(req.matchedPath);
      next(err);
    };
    const inner = router(made => made.get('/:id', fail).use(note as never));
    await web().set('env', 'test').use('/a', inner, note).use(note).inject('/a/7');
    assert.deepEqual(seen, ['/a/:id', '/a/:id', '/a/:id']);
  });

  test('error handlers: after one calls next() without an error, routing sets the path again', async () => {
    const recover: web.ErrorRequestHandler = (_err, _req, _res, next) => next();
    const inner = router(made => made.get('/:id', fail));
    const build = (rest: (app: App) => unknown) => (app: App) => rest(app.use('/a', inner).use(recover));
    assert.equal(
      await matched(
        build(app => app.get('/a/:any', send)),
        '/a/7',
      ),
      '/a/:any',
    );
    assert.equal(
      await matched(
        build(app =>
          app.use(
            '/a',
            router(b => b.get('/*', send)),
          ),
        ),
        '/a/7',
      ),
      '/a/*',
    );
    assert.equal(
      await matched(
        build(app => app.use(send)),
        '/a/7',
      ),
      undefined,
    );
    assert.equal(
      await matched(
        build(() => undefined),
        '/a/7',
      ),
      undefined,
    );
  });

  test('error handlers: a router called by one of them sets its own path', async () => {
    const other = router(made => made.get('/:other', send));
    const build = (app: App): unknown =>
      app.get('/:id', fail).use(((_err, req, res, next) => other(req, res, next)) as web.ErrorRequestHandler);
    assert.equal(await matched(build, '/7'), '/:other');
  });

  test('routers called by a handler: add to the mount paths of that handler', async () => {
    const inner = router(made => made.get('/a/:b', send).use(pass));
    const called: web.RequestHandler = (req, res, next) => inner(req, res, next);
    const answered: web.RequestHandler = (req, res) => inner(req, res, () => void res.send('none'));
    assert.equal(await matched(app => app.get('/:x/*', called), '/a/7'), '/a/:b');
    assert.equal(await matched(app => app.use('/m', called), '/m/a/7'), '/m/a/:b');
    assert.equal(await matched(app => app.use('/m', answered), '/m/x'), '/m');
  });

  test('two applications for one request: a failure in the first does not affect the second', async () => {
    const first = web().get('/:first', fail);
    const second = web().get('/:second', send);
    const seen: unknown[] = [];
    await ask((req, res) => {
      res.on('finish', () => seen.push((req as { matchedPath?: string }).matchedPath));
      first(req as never, res as never, () => second(req as never, res as never));
    }, '/x');
    assert.deepEqual(seen, ['/:second']);
  });

  test('rewritten URLs: the route that matches the new URL counts', async () => {
    const rewrite: web.RequestHandler = (req, _res, next) => {
      req.url = '/new/7';
      next();
    };
    assert.equal(await matched(app => app.use(rewrite).get('/new/:id', send), '/old'), '/new/:id');
  });

  test('layers that tools change: the path that the tool sets counts', async () => {
    const stackOf = (app: App): { regexp: RegExp; match: unknown }[] =>
      (app as never as { _router: web.Router })._router.stack as never;
    assert.equal(
      await matched(app => {
        app.get('/a', send);
        stackOf(app).at(-1)!.regexp = /^\/b/;
      }, '/b'),
      '/^\\/b/',
    );
    assert.equal(
      await matched(app => {
        app.use(['/a', '/b'], send);
        const { match } = stackOf(app).at(-1)!;
        stackOf(app).at(-1)!.match = function (this: unknown): unknown {
          return Reflect.apply(match as () => unknown, this, ['/a']);
        };
      }, '/a/x'),
      '/a',
    );
  });

  test('transports: works over HTTP/1.1, HTTP/2 and app.fetch', async () => {
    const seen: unknown[] = [];
    const app = makeApp(seen, made => made.get('/users/:id', send));
    await ask(app, '/users/1');
    await askHttp2(app, '/users/2');
    await app.fetch(new Request('http://x/users/3'));
    await setImmediate();
    assert.deepEqual(seen, ['/users/:id', '/users/:id', '/users/:id']);
  });

  test('two copies of the framework: each sees the path that the other has matched', async () => {
    const other = secondCopy() as never as typeof web;
    const inner = other.Router().get('/:id', send);
    assert.equal(await matched(app => app.use('/a', inner), '/a/7'), '/a/:id');
    assert.equal(
      await matched(app => app.use(['/a', '/b'], other().get('/:id', fail) as never), '/b/7'),
      '/b/:id',
    );
  });

  test('routers of other frameworks: contribute the path of their mount', async () => {
    const inner = express.Router().get('/:id', send as never);
    assert.equal(await matched(app => app.use('/a', inner as never), '/a/7'), '/a');
  });

  test('assignment: creates an own property of the request', async () => {
    const app = web().use((req, res) => {
      const before = Object.keys(req).includes('matchedPath');
      req.matchedPath = '/mine';
      res.json([before, req.matchedPath, Object.keys(req).includes('matchedPath')]);
    });
    assert.deepEqual((await app.inject('/')).json(), [false, '/mine', true]);
    assert.equal(Object.keys(web.request).includes('matchedPath'), false);
  });

  test('without a request: is undefined', () => {
    assert.equal(web.request.matchedPath, undefined);
  });
});
