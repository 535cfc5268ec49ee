/** Routes by method, and how their handlers interact. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { methods } from '@ristretto/private-engine/lib/router/methods';
import { frameworks, ours, same } from './support/oracle.js';
import type { App, Build } from './support/oracle.js';
import type { ErrorRequestHandler, RequestHandler, Response } from 'ristretto3/lib/types/core';
import type legacy from 'ristretto3';

const { ristretto3: web } = frameworks;

const respond =
  (name: string): RequestHandler =>
  (req, res) => {
    res.set('X-Route', name);
    res.end(`${name} ${req.method} ${req.url}`);
  };
const pass: RequestHandler = (_req, _res, next) => next();
const build =
  (add: (app: App) => unknown): Build =>
  web => {
    const app = web();
    add(app);
    return app;
  };

describe('app.VERB', () => {
  test('method: every method that Node.js supports has a function', async () => {
    for (const method of methods) {
      // Node does not emit CONNECT as a request
      if (method === 'connect') continue;
      const add = build(app =>
        (app as unknown as Record<string, App['get']>)[method]!('/x', respond(method)),
      );
      const answer = await same(add, { method: method.toUpperCase(), path: '/x' });
      assert.equal(answer.headers['x-route'], method);
    }
  });

  test('path: / matches // too, alone and in an array, unless routing is strict', async () => {
    for (const path of ['/', ['/', '/home']] as const) {
      const add = build(app => app.get(path as string, respond('root')));
      for (const [url, status] of [
        ['/', 200],
        ['//', 200],
        ['//?a=b', 200],
        ['///', 404],
        ['//x', 404],
      ] as const) {
        assert.equal((await same(add, url)).status, status, url);
      }
    }
    const strict = build(app => app.enable('strict routing').get('/', respond('root')));
    assert.equal((await same(strict, '/')).status, 200);
    assert.equal((await same(strict, '//')).status, 404);
  });

  test('callbacks: nested arrays are flattened', async () => {
    const answer = await same(build(app => app.get('/', [pass, [pass, [pass]]], [[respond('last')]])));
    assert.equal(answer.text, 'last GET /');
  });

  test('callbacks: throws at registration if one is not a function', () => {
    for (const bad of [null, 'x', {}]) {
      for (const framework of Object.values(frameworks)) {
        assert.throws(
          () => framework().get('/', pass, bad as never),
          /\.get\(\) requires callback functions but got a \[object \w+\]/,
        );
      }
    }
  });

  test('callbacks: a route without any passes the request on', async () => {
    await same(
      build(app => app.post('/')),
      { method: 'POST' },
    );
  });

  test('next(route): skips the rest of the route', async () => {
    const add = build(app =>
      app.get('/', (_req, _res, next) => next('route'), respond('no')).get('/', respond('yes')),
    );
    assert.equal((await same(add)).text, 'yes GET /');
  });

  test('errors: error handlers in the same route get them', async () => {
    const add = build(app =>
      app.get(
        '/',
        (_req: legacy.Request, _res: legacy.Response, next: legacy.NextFunction) => next(new Error('broken')),
        respond('no'),
        (err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
          res.send(`in the route: ${(err as Error).message}`),
      ),
    );
    assert.equal((await same(add)).text, 'in the route: broken');
  });

  test('errors: error handlers in later routes get them too', async () => {
    const add = build(app => {
      app.get('/', () => {
        throw new Error('broken');
      });
      app.get('/', respond('no'));
      app.get(
        '/other',
        (_err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
          res.send('other path'),
      );
      app.get('/', (err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
        res.send(`second route: ${(err as Error).message}`),
      );
    });
    assert.equal((await same(add)).text, 'second route: broken');
  });

  test('errors: an error handler that calls next() without an error resumes normal routing', async () => {
    const add = build(app => {
      app.get('/', (_req, _res, next) => next(new Error('broken')));
      app.get(
        '/',
        respond('no'),
        (_err: unknown, _req: legacy.Request, _res: legacy.Response, next: legacy.NextFunction) => next(),
        respond('recovered'),
      );
    });
    assert.equal((await same(add)).text, 'recovered GET /');
  });

  test('errors: without an error handler in a route, they go to the middleware after the routes', async () => {
    const add = build(app => {
      app.get('/', (_req, _res, next) => next(new Error('broken')), respond('no'));
      app.use((err, _req, res, _next) => res.send(`behind: ${(err as Error).message}`));
    });
    assert.equal((await same(add)).text, 'behind: broken');
  });

  test('errors: an error handler in a route is skipped when there is no error', async () => {
    const add = build(app =>
      app.get(
        '/',
        (_err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
          res.send('no'),
        respond('yes'),
      ),
    );
    assert.equal((await same(add)).text, 'yes GET /');
  });

  test('rejected promise: is handled as an error wherever the handler is registered', async () => {
    const fail = () => Promise.reject(new Error('late'));
    const take: ErrorRequestHandler = (err, _req, res, _next) => res.send(err.message);
    for (const add of [
      (app: App) => app.get('/', fail, take),
      (app: App) => app.get('/', fail).get('/', take),
      (app: App) => app.get('/', pass, fail).use(take),
      (app: App) => app.get('/', fail).use(take),
      (app: App) => app.param('id', (_req, _res, next) => setImmediate(next)).get('/:id?', fail, take),
      (app: App) => app.param('id', fail).get('/:id', take),
    ]) {
      assert.equal((await ours(build(add), '/')).text.replace(/^Cannot.*\n/, 'late'), 'late');
    }
    const late = build(app =>
      app
        .param('id', (_req, _res, next) => setImmediate(next))
        .get('/:id', fail)
        .use(take),
    );
    assert.equal((await ours(late, '/7')).text, 'late');
  });

  test('HEAD: routes for HEAD come first, then those for GET', async () => {
    const add = build(app => app.get('/', respond('get')).head('/', respond('head')));
    assert.equal((await same(add, { method: 'HEAD' })).headers['x-route'], 'head');
    const get = build(app => app.get('/', respond('get')));
    assert.equal((await same(get, { method: 'HEAD' })).headers['x-route'], 'get');
    const failing = build(app =>
      app
        .head('/', (_req, _res, next) => next(new Error('broken')))
        .use((_err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
          res.send(503, ''),
        ),
    );
    assert.equal((await same(failing, { method: 'HEAD' })).status, 503);
  });

  test('HEAD: routes of app.all() run once, and those for GET after them', async () => {
    const seen: string[] = [];
    const note =
      (name: string): RequestHandler =>
      (_req, _res, next) => {
        seen.push(name);
        next();
      };
    const add = build(app => app.get('/', note('get')).head('/', note('head')).all('/', note('all')));
    await ours(add, { method: 'HEAD' });
    assert.deepEqual(seen, ['head', 'all', 'get']);
  });

  test('failing views and files: errors go to the middleware after the routes, as with req.next', async () => {
    for (const fail of [
      (res: Response) => res.render('none.tmpl'),
      (res: Response) => res.sendfile('/nowhere/x'),
      (res: Response) => res.format({ png: () => undefined }),
      (res: Response) => res.req.next!(new Error('x')),
    ]) {
      const add = build(app => {
        app.engine('tmpl', () => undefined);
        app.get('/', (_req, res) => void fail(res));
        app.get(
          '/',
          (_err: unknown, _req: legacy.Request, res: legacy.Response, _next: legacy.NextFunction) =>
            res.send('no'),
        );
        app.use((_err, _req, res, _next) => res.send(503, 'behind'));
      });
      assert.equal((await same(add, { headers: { Accept: 'text/html' } })).text, 'behind');
    }
  });

  test('OPTIONS: without a route for it, lists the methods of all routes for the path', async () => {
    const add = build(app => {
      app.post('/x', pass).get('/x', pass).get('/:any', pass);
      app['m-search']('/x', pass).delete('/y', pass);
      return app.options('/x', pass);
    });
    const answer = await same(add, { method: 'OPTIONS', path: '/x' });
    assert.deepEqual(
      [answer.headers.allow, answer.text],
      ['GET,HEAD,M-SEARCH,POST', 'GET,HEAD,M-SEARCH,POST'],
    );
    const none = build(app => app.post('/x', pass));
    assert.equal((await same(none, { method: 'OPTIONS', path: '/nope' })).status, 404);
    assert.equal((await ours(none, { method: 'OPTIONS', path: '*' })).status, 404);
    const failing = build(app =>
      app.options('/x', (_req, _res, next) => next(new Error('x'))).get('/x', pass),
    );
    // Express 3 responds with the list, and the error is lost
    assert.equal((await ours(failing, { method: 'OPTIONS', path: '/x' })).status, 500);
  });

  test('settings: case sensitive routing and strict routing are read when the first route is added', async () => {
    for (const setting of ['case sensitive routing', 'strict routing']) {
      for (const path of ['/Books', '/books', '/Books/']) {
        await same(
          build(app => app.enable(setting as never).get('/Books', respond('books'))),
          path,
        );
        const late = build(app => {
          app.get('/first', pass);
          app.enable(setting as never).get('/Books', respond('books'));
        });
        await same(late, path);
      }
    }
  });

  test('malformed parameter: sends 400', async () => {
    const add = build(app => app.get('/:id', respond('id')));
    assert.equal((await ours(add, '/%E0%A4%A')).status, 400);
  });

  test('malformed parameter of a route for another method: sends 404, also if other methods are looked up', async () => {
    const add: Build = framework => {
      const app = framework();
      app.enable('method not allowed' as never).get('/:id', respond('id'));
      return app.use('/mounted', framework());
    };
    for (const method of ['POST', 'DELETE']) {
      assert.equal((await same(add, { method, path: '/%E0%A4%A' })).status, 404);
    }
  });

  test('many routes: the first, the last and those in between are found', async () => {
    const add = build(app => {
      for (let i = 0; i < 50; i++) app.get(`/r${i}/:id`, respond(`r${i}`));
      return app.get('/r7/:id', respond('again'));
    });
    for (const i of [0, 7, 49]) assert.equal((await same(add, `/r${i}/x`)).text, `r${i} GET /r${i}/x`);
    await same(add, '/r50/x');
  });

  test('returned value: is the application', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      assert.equal(app.get('/', pass), app);
      assert.equal(app.all('/', pass), app);
    }
  });
});

describe('app.get', () => {
  test('name: returns a setting', () => {
    const app = web().set('title', 'x');
    assert.equal(app.get('title'), 'x');
    assert.equal(app.get('nope'), undefined);
  });
});

describe('app.all', () => {
  test('method: handles every method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'M-SEARCH', 'DELETE']) {
      const answer = await same(
        build(app => app.all('/x', respond('all'))),
        { method, path: '/x' },
      );
      assert.equal(answer.headers['x-route'], 'all');
    }
  });

  test('order: runs in the order of registration among the routes for a method', async () => {
    const add = build(app => app.all('/*', pass).get('/a', respond('a')).all('*', respond('all')));
    assert.equal((await same(add, '/a')).text, 'a GET /a');
    assert.equal((await same(add, '/b')).text, 'all GET /b');
  });
});

describe('app.del', () => {
  test('delete: is an alias', async () => {
    await same(
      build(app => app.del('/x', respond('gone'))),
      { method: 'DELETE', path: '/x' },
    );
  });
});
