/** `router.METHOD` and `router.all`. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { ask } from '../support/http.js';
import { answer, mark, tracing } from '../support/routing.js';

const routing = (build: (router: Router) => unknown, mount = '/') =>
  tracing((app, framework) => {
    const router = framework.Router();
    build(router);
    app.use(mount, router);
  });
const askable = METHODS.filter(method => !['CONNECT', 'QUERY'].includes(method));

/** `router.get`, `router.post` and all other methods. */
describe('router.METHOD', () => {
  for (const method of askable) {
    test(`${method.toLowerCase()}: handles ${method} and no other method`, async () => {
      const router = web.Router();
      const name = method.toLowerCase() as 'get';
      assert.equal(
        router[name]('/x', (_req, res) => void res.send('it')),
        router,
      );
      const app = web().use(router);
      assert.equal((await ask(app, { method, path: '/x' })).status, 200);
      assert.equal((await ask(app, { method: method === 'PUT' ? 'POST' : 'PUT', path: '/x' })).status, 404);
    });
  }
  test('HEAD: is handled by get, unless head was registered before', () =>
    sameEach(
      routing(router => {
        router.get('/x', mark('1'), answer);
        router.head('/y', (_req, res) => void res.set('X-By', 'head').end());
        router.get('/y', answer);
      }),
      ['/x', '/y'].flatMap(path => ['GET', 'HEAD'].map(method => ({ method, path }))),
    ));
  test('OPTIONS: responds with the methods of the routes', () =>
    sameEach(
      routing(router => router.get('/x', answer).post('/x', answer).delete('/:any', answer), '/a'),
      ['/a/x', '/a/y', '/a', '/x'].map(path => ({ method: 'OPTIONS', path })),
    ));
  test('OPTIONS: a list that cannot be sent causes an error', () =>
    sameEach(
      tracing(app => {
        app.use((_req, res, next) => {
          const { send } = res;
          res.send = () => {
            res.send = send;
            throw new Error('not sent');
          };
          next();
        });
        app.get('/x', answer);
      }),
      [{ method: 'OPTIONS', path: '/x' }],
    ));
  test('regular expression: groups are in params by number', () =>
    sameEach(
      routing(router => router.get(/^\/commits\/(\w+)(?:\.\.(\w+))?$/, answer)),
      ['/commits/71dbb9c', '/commits/71dbb9c..4c084f9', '/commits/'],
    ));
  test('array: may contain several paths', () =>
    sameEach(
      routing(router => router.get(['/x', /^\/y(\d)/, '/:id/z'], answer)),
      ['/x', '/y7', '/1/z', '/z'],
    ));
  test('several handlers: run in order, arrays too, and next(route) skips the rest', () =>
    sameEach(
      routing(router => {
        router.get('/x', [mark('1'), [mark('2')]] as never, mark('3', 'route'), mark('never'));
        router.get('/x', answer);
      }),
      ['/x'],
    ));
  test('bad callback: throws', () => {
    assert.throws(() => web.Router().get('/x', 1 as never), {
      message: 'Route.get() requires a callback function but got a [object Number]',
    });
  });
  test('no callback: creates a route without handlers', () =>
    sameEach(
      routing(router => router.get('/x')),
      ['/x', { method: 'OPTIONS', path: '/x' }],
    ));
});

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/api/a'].map(path => ({ method, path })),
);

/** `router.all`: handlers for every method. */
describe('router.all', () => {
  test('method: every method is handled', () =>
    sameEach(
      tracing((app, framework) => app.use(framework.Router().all('/x', mark('all'), answer))),
      requests,
    ));
  test('path: default logic for a prefix is added by a pattern', () =>
    sameEach(
      tracing((app, framework) =>
        app.use(framework.Router().all('/api/*', mark('guard')).get('/api/:page', answer)),
      ),
      requests,
    ));
  test('path: an asterisk matches every path', () =>
    sameEach(
      tracing((app, framework) => app.use(framework.Router().all('*', mark('guard')).get('/x', answer))),
      requests,
    ));
  test('next(route): skips the rest of it', () =>
    sameEach(
      tracing((app, framework) =>
        app.use(framework.Router().all('/x', mark('1', 'route'), mark('never')).get('/x', answer)),
      ),
      requests,
    ));
  test('OPTIONS: its handlers run, and add no method to the list', () =>
    sameEach(
      tracing((app, framework) => app.use(framework.Router().all('/x', mark('all')).get('/x', answer))),
      [{ method: 'OPTIONS', path: '/x' }],
    ));
  test('returns: returns the router', () => {
    const router = web.Router();
    assert.equal(
      router.all('/x', () => undefined),
      router,
    );
  });
  test('bad callback: throws', () => {
    assert.throws(() => web.Router().all('/x', {} as never), {
      name: 'TypeError',
      message: 'Route.all() requires a callback function but got a [object Object]',
    });
  });
});
