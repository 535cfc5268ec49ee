/** Routes by method, and how their handlers interact. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { methods } from '@ristretto/private-engine/lib/router/methods';
import {
  adding,
  caught,
  failing,
  frameworks,
  note,
  on,
  onError,
  ours,
  pass,
  respond,
  same,
  serves,
} from './support/oracle.js';
import type { App } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const recover = onError((_err, _req, _res, next) => next());
const late = () => Promise.reject(new Error('late'));

describe('app.VERB', () => {
  test('method: every method that Node.js supports has a function', async () => {
    for (const method of methods) {
      // Node does not emit CONNECT as a request
      if (method === 'connect') continue;
      const add = adding(app => {
        app.use(on((_req, res, next) => next(void res.set('X-Route', method))));
        (app as unknown as Record<string, App['get']>)[method]!('/x', respond(method));
      });
      const answer = await same(add, { method: method.toUpperCase(), path: '/x' });
      assert.deepEqual([answer.status, answer.headers['x-route']], [200, method]);
    }
  });

  for (const path of ['/', ['/', '/home']]) {
    serves(
      `path: ${JSON.stringify(path)} matches // too, unless routing is strict`,
      app => app.get(path as string, respond('root')),
      { '/': 200, '//': 200, '//?a=b': 200, '///': 404, '//x': 404 },
    );
  }
  serves(
    'path: / does not match // if routing is strict',
    app => app.enable('strict routing').get('/', respond('root')),
    { '/': 200, '//': 404 },
  );

  serves(
    'callbacks: nested arrays are flattened',
    app => app.get('/', [pass, [pass, [pass]]], [[respond('last')]]),
    { '/': 'last' },
  );

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

  serves('callbacks: a route without any passes the request on', app => app.post('/'), { 'POST /': 404 });

  serves(
    'next(route): skips the rest of the route',
    app => app.get('/', (_req, _res, next) => next('route'), respond('no')).get('/', respond('yes')),
    { '/': 'yes' },
  );

  serves(
    'errors: error handlers in the same route get them',
    app => app.get('/', failing, respond('no'), caught('in the route')),
    { '/': 'in the route: broken' },
  );

  serves(
    'errors: error handlers in later routes get them too',
    app =>
      app
        .get('/', () => {
          throw new Error('broken');
        })
        .get('/', respond('no'))
        .get('/other', caught('other path'))
        .get('/', caught('second route')),
    { '/': 'second route: broken' },
  );

  serves(
    'errors: an error handler that calls next() without an error resumes normal routing',
    app => app.get('/', failing).get('/', respond('no'), recover, respond('yes')),
    { '/': 'yes' },
  );

  serves(
    'errors: without an error handler in a route, they go to the middleware after the routes',
    app => app.get('/', failing, respond('no')).use(caught('behind')),
    { '/': 'behind: broken' },
  );

  serves(
    'errors: an error handler in a route is skipped when there is no error',
    app => app.get('/', caught('no'), respond('yes')),
    { '/': 'yes' },
  );

  for (const [where, add] of Object.entries<(app: App) => unknown>({
    'the same route': app => app.get('/7', late, caught('took')),
    'a later route': app => app.get('/7', late).get('/7', caught('took')),
    middleware: app => app.get('/7', pass, late).use(caught('took')),
    'the same route, after a late parameter': app =>
      app.param('id', (_req, _res, next) => setImmediate(next)).get('/:id', late, caught('took')),
    'middleware, after a late parameter': app =>
      app
        .param('id', (_req, _res, next) => setImmediate(next))
        .get('/:id', late)
        .use(caught('took')),
    'the route of the parameter': app => app.param('id', late).get('/:id', caught('took')),
  })) {
    serves(`rejected promise: goes to the error handler in ${where}`, add, { '/7': 'took: late' }, ours);
  }

  test('HEAD: routes for HEAD come first, then those for GET and all methods, each once', async () => {
    for (const [add, seen] of [
      [(app: App) => app.get('/', note('get')).head('/', note('head')), 'head,get'],
      [(app: App) => app.get('/', note('get')), 'get'],
      [(app: App) => app.get('/', note('get')).head('/', note('head')).all('/', note('all')), 'head,all,get'],
    ] as const) {
      const build = adding(app => {
        add(app);
        app.use(on((req, res) => res.set('X-Seen', String(req.session)).send('')));
      });
      const { headers } = await ours(build, { method: 'HEAD' });
      assert.equal(headers['x-seen'], seen);
    }
  });

  serves(
    'HEAD: an error goes to the error handlers',
    app => app.head('/', failing).use(onError((_err, _req, res, _next) => res.send(503, ''))),
    { 'HEAD /': 503 },
  );

  for (const [what, fail] of Object.entries<(res: Response) => unknown>({
    'a view': res => res.render('none.tmpl'),
    'a file': res => res.sendfile('/nowhere/x'),
    'no acceptable type': res => res.format({}),
    'req.next': res => res.req.next!(new Error('x')),
  })) {
    serves(
      `failing response: an error of ${what} goes to the middleware after the routes`,
      app => {
        app.engine('tmpl', () => undefined);
        app.get('/', (_req, res) => void fail(res)).get('/', caught('no'));
        app.use(onError((_err, _req, res, _next) => res.send(503, 'behind')));
      },
      { '/': 'behind' },
    );
  }

  test('OPTIONS: without a route for it, lists the methods of all routes for the path', async () => {
    const add = adding(app => {
      app.post('/x', pass).get('/x', pass).get('/:any', pass);
      app['m-search']('/x', pass).delete('/y', pass);
      app.options('/x', pass);
    });
    const { headers, text } = await same(add, { method: 'OPTIONS', path: '/x' });
    assert.deepEqual([headers.allow, text], ['GET,HEAD,M-SEARCH,POST', 'GET,HEAD,M-SEARCH,POST']);
  });
  serves('OPTIONS: sends 404 without a route', app => app.post('/x', pass), { 'OPTIONS /nope': 404 });
  serves('OPTIONS: * is no path', app => app.post('/x', pass), { 'OPTIONS *': 404 }, ours);
  serves(
    'OPTIONS: an error is sent; Express 3 responds with the list, and the error is lost',
    app => app.options('/x', failing).get('/x', pass),
    { 'OPTIONS /x': 500 },
    ours,
  );

  test('settings: case sensitive routing and strict routing are read when the first route is added', async () => {
    for (const setting of ['case sensitive routing', 'strict routing']) {
      for (const path of ['/Books', '/books', '/Books/']) {
        for (const first of [false, true]) {
          const build = adding(app => {
            if (first) app.get('/first', pass);
            app.enable(setting as never).get('/Books', respond('books'));
          });
          await same(build, path);
        }
      }
    }
  });

  serves('malformed parameter: sends 400', app => app.get('/:id', pass), { '/%E0%A4%A': 400 }, ours);
  serves(
    'malformed parameter of a route for another method: sends 404, also if other methods are looked up',
    (app, web) => {
      app.enable('method not allowed' as never).get('/:id', respond('id'));
      app.use('/mounted', web());
    },
    { 'POST /%E0%A4%A': 404, 'DELETE /%E0%A4%A': 404 },
  );

  serves(
    'many routes: the first, the last and those in between are found',
    app => {
      for (let i = 0; i < 50; i++) app.get(`/r${i}/:id`, respond(`r${i}`));
      app.get('/r7/:id', respond('again'));
    },
    { '/r0/x': 'r0', '/r7/x': 'r7', '/r49/x': 'r49', '/r50/x': 404 },
  );

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
    const app = frameworks.ristretto3().set('title', 'x');
    assert.deepEqual([app.get('title'), app.get('nope')], ['x', undefined]);
  });
});

describe('app.all', () => {
  const expected = ['GET', 'POST', 'OPTIONS', 'M-SEARCH', 'DELETE'].map(method => [`${method} /x`, 'all']);
  serves('method: handles every method', app => app.all('/x', respond('all')), {
    ...Object.fromEntries(expected),
    'HEAD /x': 200,
  });

  serves(
    'order: runs in the order of registration among the routes for a method',
    app => app.all('/*', pass).get('/a', respond('a')).all('*', respond('all')),
    { '/a': 'a', '/b': 'all' },
  );
});

describe('app.del', () => {
  serves('delete: is an alias', app => app.del('/x', respond('gone')), { 'DELETE /x': 'gone' });
});
