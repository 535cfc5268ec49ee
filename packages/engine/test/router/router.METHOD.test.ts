/** `router.METHOD` and `router.all`. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { answer, mark, sameTraces } from '../support/routing.js';

const routed = (requests: (Ask | string)[], build: (router: Router) => unknown, mount = '/') =>
  sameTraces(requests, (app, framework) => {
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
    routed(
      ['/x', '/y'].flatMap(path => ['GET', 'HEAD'].map(method => ({ method, path }))),
      router => {
        router.get('/x', mark('1'), answer);
        router.head('/y', (_req, res) => void res.set('X-By', 'head').end());
        router.get('/y', answer);
      },
    ));
  test('OPTIONS: responds with the methods of the routes', () =>
    routed(
      ['/a/x', '/a/y', '/a', '/x'].map(path => ({ method: 'OPTIONS', path })),
      router => router.get('/x', answer).post('/x', answer).delete('/:any', answer),
      '/a',
    ));
  test('OPTIONS: a list that cannot be sent causes an error', () =>
    sameTraces([{ method: 'OPTIONS', path: '/x' }], app => {
      app.use((_req, res, next) => {
        const { send } = res;
        res.send = () => {
          res.send = send;
          throw new Error('not sent');
        };
        next();
      });
      app.get('/x', answer);
    }));
  test('regular expression: groups are in params by number', () =>
    routed(['/commits/71dbb9c', '/commits/71dbb9c..4c084f9', '/commits/'], router =>
      router.get(/^\/commits\/(\w+)(?:\.\.(\w+))?$/, answer),
    ));
  test('array: may contain several paths', () =>
    routed(['/x', '/y7', '/1/z', '/z'], router => router.get(['/x', /^\/y(\d)/, '/:id/z'], answer)));
  test('several handlers: run in order, arrays too, and next(route) skips the rest', () =>
    routed(['/x'], router => {
      router.get('/x', [mark('1'), [mark('2')]] as never, mark('3', 'route'), mark('never'));
      router.get('/x', answer);
    }));
  test('bad callback: throws', () => {
    assert.throws(() => web.Router().get('/x', 1 as never), {
      message: 'Route.get() requires a callback function but got a [object Number]',
    });
  });
  test('no callback: creates a route without handlers', () =>
    routed(['/x', { method: 'OPTIONS', path: '/x' }], router => router.get('/x')));
});

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/api/a'].map(path => ({ method, path })),
);

/** `router.all`: handlers for every method. */
describe('router.all', () => {
  test('method: every method is handled', () =>
    sameTraces(requests, (app, framework) => app.use(framework.Router().all('/x', mark('all'), answer))));
  test('path: default logic for a prefix is added by a pattern', () =>
    sameTraces(requests, (app, framework) =>
      app.use(framework.Router().all('/api/*', mark('guard')).get('/api/:page', answer)),
    ));
  test('path: an asterisk matches every path', () =>
    sameTraces(requests, (app, framework) =>
      app.use(framework.Router().all('*', mark('guard')).get('/x', answer)),
    ));
  test('next(route): skips the rest of it', () =>
    sameTraces(requests, (app, framework) =>
      app.use(framework.Router().all('/x', mark('1', 'route'), mark('never')).get('/x', answer)),
    ));
  test('OPTIONS: its handlers run, and add no method to the list', () =>
    sameTraces([{ method: 'OPTIONS', path: '/x' }], (app, framework) =>
      app.use(framework.Router().all('/x', mark('all')).get('/x', answer)),
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
