/** `router.all`: handlers for every method. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { answer, mark, tracing } from '../support/routing.js';

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/api/a'].map(path => ({ method, path })),
);

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
