/** `app.get`, `app.post` and all other methods. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { sameEach } from '../support/compare.js';
import { answer, mark, markError, tracing } from '../support/routing.js';

const askable = METHODS.filter(method => !['CONNECT', 'QUERY'].includes(method));

describe('app.METHOD', () => {
  for (const method of askable) {
    const name = method.toLowerCase() as 'get';
    test(`${name}: handles ${method} and no other method`, async () => {
      const app = web();
      assert.equal(
        app[name]('/x', (_req, res) => void res.send('it')),
        app,
      );
      const own = await ask(app, { method, path: '/x' });
      assert.equal(own.status, 200);
      const other = await ask(app, { method: method === 'PUT' ? 'POST' : 'PUT', path: '/x' });
      assert.equal(other.status, 404);
    });
  }
  test('every method: in http.METHODS has a function', () => {
    const app = web() as unknown as Record<string, unknown>;
    for (const method of METHODS) assert.equal(typeof app[method.toLowerCase()], 'function', method);
  });
  test('HEAD: is handled by get, without a body in the response', () =>
    sameEach(
      tracing(app => app.get('/x', mark('1'), answer)),
      [
        { method: 'HEAD', path: '/x' },
        { method: 'HEAD', path: '/y' },
      ],
    ));
  test('HEAD: is handled by head if it was registered first', () =>
    sameEach(
      tracing(app => {
        app.head('/x', (_req, res) => void res.set('X-By', 'head').end());
        app.get('/x', (_req, res) => void res.set('X-By', 'get').send('x'));
        app.get('/y', (_req, res) => void res.set('X-By', 'get').send('x'));
        app.head('/y', (_req, res) => void res.set('X-By', 'head').end());
      }),
      ['/x', { method: 'HEAD', path: '/x' }, { method: 'HEAD', path: '/y' }],
    ));
  test('HEAD: runs the whole chain of GET handlers (skips no guard)', async () => {
    const app = web();
    const seen: string[] = [];
    app.get(/./, (_req, _res, next) => {
      seen.push('guard');
      next();
    });
    app.get('/x', (_req, res) => void res.send('x'));
    await ask(app, { method: 'HEAD', path: '/x' });
    assert.deepEqual(seen, ['guard']);
  });
  test('HEAD: enters a route of another method and runs its param callbacks', () =>
    sameEach(
      tracing(app => {
        app.param('id', (_req, res, next) => {
          res.set('X-Param', 'ran');
          next();
        });
        app.post('/:id', answer);
      }),
      [{ method: 'HEAD', path: '/x' }],
    ));
  test('OPTIONS: lists the methods of all matching routes when none handles it', () =>
    sameEach(
      tracing(app => {
        app.get('/x', answer);
        app.post('/x', answer).put('/x', answer).get('/:any', answer);
        app.head('/h', answer);
        app.all('/all', answer);
        app.use('/x', mark('m'));
      }),
      ['/x', '/h', '/all', '/none/here', '*'].map(path => ({ method: 'OPTIONS', path })),
    ));
  test('OPTIONS: includes the methods of nested routers; explicit handlers run first, errors win', () =>
    sameEach(
      tracing((app, framework) => {
        const router = framework.Router();
        router.patch('/x', answer);
        app.get('/a/x', answer);
        app.use('/a', router);
        app.options('/own', answer);
        app.get('/bad', answer);
        app.use('/bad', mark('fails', new Error('no')));
      }),
      ['/a/x', '/own', '/bad', '/a/y'].map(path => ({ method: 'OPTIONS', path })),
    ));
  test('several handlers: run in order, each calling next', () =>
    sameEach(
      tracing(app => app.get('/x', mark('1'), [mark('2'), [mark('3')]] as never, answer)),
      ['/x'],
    ));
  test('next(route): leaves the route', () =>
    sameEach(
      tracing(app => {
        app.get('/x', mark('1', 'route'), mark('never'));
        app.get('/x', answer);
      }),
      ['/x'],
    ));
  test('next(error): skips to error handlers, inside the route and after it', () =>
    sameEach(
      tracing(app => {
        app.get('/x', mark('1', new Error('no')), mark('never'), markError('in route'));
        app.get('/x', mark('never'));
        app.use(markError('behind'));
        app.get(
          '/y',
          mark('1', 'text'),
          markError('heals', () => undefined),
          mark('on'),
          answer,
        );
        app.get(
          '/z',
          mark('1', 'text'),
          markError('to the next route', () => 'route'),
          mark('never'),
        );
        app.get('/z', answer);
      }),
      ['/x', '/y', '/z'],
    ));
  test('throwing: is equivalent to next(error)', () =>
    sameEach(
      tracing(app => {
        app.get('/x', () => {
          throw new Error('thrown');
        });
        app.use('/y', () => {
          throw 'text';
        });
        app.get('/z', mark('1', new Error('no')), (() => {
          throw new Error('in handler');
        }) as never);
      }),
      ['/x', '/y', '/z'],
    ));
  test('no handler: passes the request on when a route has no handlers', () =>
    sameEach(
      tracing(app => app.post('/x', []).get('/x', [] as never)),
      ['/x', { method: 'POST', path: '/x' }],
    ));
  test('get: with one argument reads a setting', () => {
    assert.equal(web().set('title', 'x').get('title'), 'x');
  });
  test('bad callback: throws an error that names what was passed', () => {
    const message = 'Route.get() requires a callback function but got a [object Number]';
    assert.throws(() => web().get('/x', 1 as never), { name: 'Error', message });
    assert.throws(
      () => web().post('/x', () => undefined, undefined as never),
      /Route\.post\(\) .* \[object Undefined\]/,
    );
  });
  test('bad path: throws at registration', () => {
    assert.throws(() => web().get(1 as never, () => undefined), TypeError);
    assert.throws(() => web().get('/(', () => undefined), SyntaxError);
    assert.throws(() => web().post(undefined as never), TypeError);
  });
});
