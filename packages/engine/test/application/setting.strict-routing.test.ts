/** The setting `strict routing`. */
import { describe, test } from 'node:test';
import { sameEach } from '../support/compare.js';
import { answer, mark, tracing } from '../support/routing.js';
import type { Web } from '../support/oracle.js';

const paths = ['/foo', '/foo/', '/foo//', '/bar', '/bar/', '/x/7', '/x/7/', '/m', '/m/', '/'];
const build = (app: ReturnType<Web>): unknown =>
  app
    .get('/foo', mark('foo'))
    .get('/bar/', mark('bar/'))
    .get('/x/:id', mark('x'))
    .get('/x/:id/', mark('x/'))
    .use('/m', mark('use m'))
    .use('/m/', mark('use m/'))
    .all('/*', mark('star'));

describe('setting strict routing', () => {
  test('default: is undefined, and a trailing slash makes no difference', () =>
    sameEach(tracing(build), paths));
  test('disabled: a trailing slash makes no difference', () =>
    sameEach(
      tracing(app => build(app.disable('strict routing'))),
      paths,
    ));
  test('enabled: a trailing slash matters for routes, but not for mounts', () =>
    sameEach(
      tracing(app => build(app.enable('strict routing'))),
      paths,
    ));
  test('after the first route: has no effect', () =>
    sameEach(
      tracing(app => {
        app.get('/first', answer);
        app.enable('strict routing');
        build(app);
      }),
      paths,
    ));
  test('sub-app: inherits it if it is mounted before its first route', () =>
    sameEach(
      tracing((app, web) => {
        app.enable('strict routing');
        const early = web();
        app.use('/early', early);
        build(early);
        const late = web();
        build(late);
        app.use('/late', late);
      }),
      paths.flatMap(path => [`/early${path}`, `/late${path}`]),
    ));
  test('router: does not inherit it', () =>
    sameEach(
      tracing((app, web) => {
        app.enable('strict routing');
        app.use('/router', web.Router().get('/foo', mark('router')));
      }),
      ['/router/foo', '/router/foo/'],
    ));
});
