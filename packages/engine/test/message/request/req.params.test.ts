/** `req.params`: named and numbered parameters of the route. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NextFunction, Request, Response } from 'express';
import { askPort, withServer } from '../../support/http.js';
import { sameEach } from '../../support/compare.js';
import { frameworks } from '../../support/oracle.js';
import { answer, mark, tracing } from '../../support/routing.js';

const routed = (...paths: (string | RegExp)[]) =>
  tracing(app => {
    for (const path of paths) app.get(path, mark(String(path)));
  });

describe('req.params', () => {
  test('default: is an empty object', () =>
    sameEach(
      tracing(app => app.use(mark('m')).get('/x', answer)),
      ['/', '/x'],
    ));
  test('named: parameters are properties', () =>
    sameEach(routed('/:id', '/users/:user/posts/:post', '/:from-:to', '/:file.:ext'), [
      '/7',
      '/users/tobi/posts/1',
      '/a-b',
      '/photo.jpg',
      '/a-b.c',
    ]));
  test('named: parameters may have a regular expression', () =>
    sameEach(routed('/:id(\\d+)', '/:name([a-z]{2,})', '/:x(a|b)/:y'), ['/7', '/ab', '/a/b', '/a']));
  test('optional: are undefined if they are missing', () =>
    sameEach(routed('/x/:id?', '/:a?/y/:b?', '/:all*', '/z/:some+'), [
      '/x',
      '/x/1',
      '/y',
      '/1/y/2',
      '/z/1/2/3',
    ]));
  test('numbered: groups of regular expressions are keyed by index', () =>
    sameEach(routed(/^\/(\d+)(?:-(\d+))?$/, /^\/(.*)$/, /(b)/), ['/1', '/1-2', '/any/thing', '/abc']));
  test('numbered: wildcards and unnamed groups are keyed by index', () =>
    sameEach(routed('*', '/*', '/a/*/b/*', '/(x|y)/(z)?', '/:name/*'), [
      '/',
      '/a/1/b/2/3',
      '/x/z',
      '/x/',
      '/y',
    ]));
  test('named groups of expressions: are keyed by name', () =>
    sameEach(routed(/^\/(?<year>\d{4})-(?<month>\d\d)$/), ['/2024-05', '/x']));
  test('decoded: values are percent-decoded', () =>
    sameEach(routed('/:name', '*', '/:a-:b'), [
      '/a%20b',
      '/%E2%82%AC',
      '/a%2Fb',
      '/a+b',
      '/%2525',
      '/%3F%23',
      '/caf%c3%a9-%41',
    ]));
  test('malformed: causes an error with status 400', () =>
    sameEach(routed('/:name', '*', '/x/:id'), ['/%', '/%zz', '/%E0%A4%A', '/ok%', '/x/%c0%80']));
  test('malformed: the error has statusCode and status as own properties, in this order', () =>
    sameEach(
      tracing(app => {
        app.get('/:name', mark('never'));
        app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
          res.json(Object.entries(error));
        });
      }),
      ['/%zz'],
    ));
  test('malformed: reaches the error handlers after earlier layers have run', () =>
    sameEach(
      tracing(app => {
        app.use('/x', mark('before'));
        app.get('/x/:id', mark('never'));
        app.use('/x', mark('never'));
      }),
      ['/x/%zz', '/x/1'],
    ));
  test('names of Object.prototype: are ordinary parameter names', () =>
    sameEach(routed('/:constructor/:toString/:hasOwnProperty'), ['/a/b/c']));
  test('prototype: is Object.prototype, even with a parameter named __proto__', () =>
    sameEach(
      tracing(app => {
        app.get('/:__proto__', (req, res) => {
          res.json([
            Object.getPrototypeOf(req.params) === Object.prototype,
            ({} as Record<string, unknown>).x,
            (req.params as Record<string, string>).x,
          ]);
        });
      }),
      ['/x', '/polluted'],
    ));
  test('the same name twice: the last group that matched wins', () =>
    sameEach(routed('/:id/:id', '/:id/x/:id?', '/:a?/y/:a?'), ['/1/2', '/1/x', '/1/x/2', '/y/2', '/1/y']));
  test('changes: are visible in one layer only', () =>
    sameEach(
      tracing(app => {
        app.use('/:id', (req, _res, next) => {
          req.params.id = 'changed';
          (req.params as Record<string, string>).added = 'added';
          next();
        });
        app.use('/:id', mark('later'));
        app.get('/:name', (req, _res, next) => {
          req.params = { replaced: 'yes' } as never;
          next();
        });
        app.get('/:name', mark('route'));
        app.get('/x', mark('no parameters'));
      }),
      ['/x', '/y'],
    ));
  test('changes: made for one request are not seen by the next', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web();
      app.use((req, _res, next) => {
        (req.params as Record<string, string>).seen ??= String(Object.keys(req.params).length);
        assert.deepEqual(req.params, { seen: '0' });
        next();
      });
      app.get('/x', (req, res) => {
        assert.deepEqual(req.params, {});
        (req.params as Record<string, string>).left = 'behind';
        res.send('x');
      });
      await withServer(app, async port => {
        for (let i = 0; i < 3; i++) assert.equal((await askPort(port, '/x')).text, 'x');
      });
    }
  });
  test('handlers of one route: share the same object', () =>
    sameEach(
      tracing(app => {
        app.get(
          '/:id',
          (req, _res, next) => {
            req.params.id = `${req.params.id} changed`;
            next();
          },
          answer,
        );
      }),
      ['/7'],
    ));
  test('mounted router: has its own parameters, and the outer ones are restored afterwards', () =>
    sameEach(
      tracing((app, web) => {
        const router = web.Router();
        router.get('/:inner', mark('inner'));
        app.use('/:outer', mark('before'), router, mark('after'));
      }),
      ['/a/b', '/a'],
    ));
  test('error handlers: see the parameters of their own path', () =>
    sameEach(
      tracing(app => {
        app.get('/:id', mark('fails', new Error('no')));
      }),
      ['/7'],
    ));
});
