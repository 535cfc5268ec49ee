/** The setting `case sensitive routing`. */
import { describe, test } from 'node:test';
import { sameEach } from '../support/compare.js';
import { answer, mark, tracing } from '../support/routing.js';
import type { Web } from '../support/oracle.js';

const paths = ['/foo', '/Foo', '/FOO', '/foo/bar', '/Foo/Bar', '/x/7', '/X/7'];
const build = (app: ReturnType<Web>): unknown =>
  app
    .use('/foo', mark('use'))
    .get('/Foo', mark('route'))
    .get('/x/:id', mark('parameter'))
    .get(/^\/foo/, mark('expression'));

describe('setting case sensitive routing', () => {
  test('default: is undefined, and case is ignored', () => sameEach(tracing(build), paths));
  test('disabled: case is ignored', () =>
    sameEach(
      tracing(app => build(app.disable('case sensitive routing'))),
      paths,
    ));
  test('enabled: case matters for routes and mounts', () =>
    sameEach(
      tracing(app => build(app.enable('case sensitive routing'))),
      paths,
    ));
  test('truthy value: counts as enabled', () =>
    sameEach(
      tracing(app => build(app.set('case sensitive routing', 1 as never))),
      paths,
    ));
  test('after the first route: has no effect', () =>
    sameEach(
      tracing(app => {
        app.get('/First', answer);
        app.enable('case sensitive routing');
        build(app);
      }),
      [...paths, '/first'],
    ));
  test('sub-app: inherits it if it is mounted before its first route', () =>
    sameEach(
      tracing((app, web) => {
        app.enable('case sensitive routing');
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
        app.enable('case sensitive routing');
        app.use('/Router', web.Router().get('/foo', mark('router')));
      }),
      ['/Router/foo', '/Router/FOO', '/router/foo'],
    ));
});
