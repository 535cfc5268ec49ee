/** `app.all`: handlers for every method. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { answer, mark, tracing } from '../support/routing.js';

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/admin/a'].map(path => ({ method, path })),
);

describe('app.all', () => {
  test('method: matches every method', () =>
    sameEach(
      tracing(app => app.all('/x', mark('all'), answer)),
      requests,
    ));
  test('path: accepts patterns, for logic shared by a prefix', () =>
    sameEach(
      tracing(app => app.all('/admin/*', mark('guard')).get('/admin/:page', answer)),
      requests,
    ));
  test('next(route): leaves the route', () =>
    sameEach(
      tracing(app => app.all('/x', mark('1', 'route'), mark('never')).get('/x', answer)),
      requests,
    ));
  test('returned value: is the application', () => {
    const app = web();
    assert.equal(
      app.all('/x', () => undefined),
      app,
    );
  });
  test('bad callback: throws an error that names what was passed', () => {
    assert.throws(
      () => web().all('/x', {} as never),
      /requires a callback function but got a \[object Object\]/,
    );
  });
});
