/** `router.use`: middleware of a router. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, markError, tracing } from '../support/routing.js';

const paths = ['/', '/a', '/a/', '/a/b', '/A/b', '/ab', '/a/b/c?x=/a', '//a', '/b', '/x/a'];
const routing = (build: (router: Router, framework: Web) => unknown, mount = '/') =>
  tracing((app, framework) => {
    const router = framework.Router();
    build(router, framework);
    app.use(mount, router);
  });

describe('router.use', () => {
  test('path: default matches every path', () =>
    sameEach(
      routing(router => router.use(mark('m'))),
      paths,
    ));
  test('path: string is stripped from url', () =>
    sameEach(
      routing(router => router.use('/a', mark('m'))),
      paths,
    ));
  test('path: string is relative to the mount in a mounted router', () =>
    sameEach(
      routing(router => router.use('/b', mark('m')).use('/', mark('n')), '/a'),
      paths,
    ));
  test('path: patterns, expressions and arrays are matched', () =>
    sameEach(
      routing(router => router.use('/a*', mark('1')).use(/^\/b/, mark('2')).use(['/x', /b$/], mark('3'))),
      paths,
    ));
  test('path: parameters are matched', () =>
    sameEach(
      routing(router => router.use('/:one', mark('m')).use('/:one/:two', mark('n'))),
      paths,
    ));
  test('expression: is only stripped at the start of the path, even if it matches elsewhere', () =>
    sameEach(
      routing(router =>
        router.use(/b$/, mark('1')).use(/a/, mark('2')).use(/\/b/, mark('3')).use(/(?:)/, mark('4')),
      ),
      [...paths, '//b', '/b/b', '/./b'],
    ));
  test('callback: series, arrays and nested arrays run in order', () =>
    sameEach(
      routing(router =>
        router.use('/a', mark('1'), [mark('2'), [mark('3')]] as never, mark('4')).use([mark('5')]),
      ),
      paths,
    ));
  test('callback: other routers on the same path all run', () =>
    sameEach(
      routing((router, framework) => {
        router.use('/a', framework.Router().use(mark('first')));
        router.use('/a', framework.Router().get('/b', mark('second')));
        router.use('/a', mark('third'));
      }),
      paths,
    ));
  test('callback: application is mounted', () =>
    sameEach(
      routing((router, framework) => router.use('/a', framework().use(mark('in'), answer))),
      paths,
    ));
  test('callback: error handlers have four parameters', () =>
    sameEach(
      routing(router =>
        router.use(
          '/a',
          mark('fails', new Error('no')),
          mark('never'),
          markError('heals', () => undefined),
          mark('on'),
        ),
      ),
      paths,
    ));
  test('callback: functions with more than four parameters are never called', () =>
    sameEach(
      routing(router => {
        router.use(((_a: 1, _b: 1, _c: 1, _d: 1, _e: 1) => assert.fail('called')) as never);
        router.use('/a', mark('fails', 'bad'), ((_a: 1, _b: 1, _c: 1, _d: 1, _e: 1) =>
          assert.fail('called')) as never);
      }),
      paths,
    ));
  test('callback: functions with fewer than three parameters are called', () =>
    sameEach(
      tracing(app => {
        app.use('/a', ((req: { res: { send(text: string): void } }) => void req.res.send('one')) as never);
        app.use((() => undefined) as never);
      }),
      ['/a'],
    ));
  test('returns: returns the router', () => {
    const router = web.Router();
    assert.equal(
      router.use(() => undefined),
      router,
    );
  });
  const bad: [string, unknown[]][] = [
    ['nothing', []],
    ['a path alone', ['/a']],
    ['a number', ['/a', 1]],
    ['null', ['/a', null]],
    ['undefined', ['/a', undefined]],
    ['a string', [() => undefined, 'x']],
    ['an object', ['/a', {}]],
    ['an expression', ['/a', /x/]],
    ['an empty array', ['/a', []]],
    ['an empty array alone', [[]]],
    ['a number as path', [1, () => undefined]],
    ['an object as path', [{}, () => undefined]],
  ];
  for (const [what, args] of bad) {
    test(`bad argument: ${what} throws`, () => {
      const failure = (framework: typeof frameworks.express): unknown => {
        try {
          (framework.Router().use as (...args: unknown[]) => unknown)(...args);
        } catch (error) {
          return [(error as Error).name, (error as Error).message];
        }
        return 'nothing thrown';
      };
      assert.deepEqual(failure(frameworks.ristretto), failure(frameworks.express));
    });
  }
});
