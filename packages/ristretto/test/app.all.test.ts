/** `app.all`: handlers for every method. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from './support/compare.js';
import { answer, mark, tracing } from './support/routing.js';

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/admin/a'].map(path => ({ method, path })),
);

describe('app.all', () => {
  test('method: every one', () =>
    sameEach(
      tracing(app => app.all('/x', mark('all'), answer)),
      requests,
    ));
  test('path: patterns, for logic on prefixes', () =>
    sameEach(
      tracing(app => app.all('/admin/*', mark('guard')).get('/admin/:page', answer)),
      requests,
    ));
  test('next(route): leaves it', () =>
    sameEach(
      tracing(app => app.all('/x', mark('1', 'route'), mark('never')).get('/x', answer)),
      requests,
    ));
  test('returns: the application', () => {
    const app = web();
    assert.equal(
      app.all('/x', () => undefined),
      app,
    );
  });
  test('bad callback: throws', () => {
    assert.throws(
      () => web().all('/x', {} as never),
      /requires a callback function but got a \[object Object\]/,
    );
  });
});
