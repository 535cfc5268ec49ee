/** `app.use`: mounts middleware, routers and applications. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { sameEach } from '../support/compare.js';
import { answer, mark, markError, tracing } from '../support/routing.js';

const paths = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/A/b',
  '/ab',
  '/a.b',
  '/a/b/c?x=/a',
  '//a',
  '/a//b',
  '/b',
  '/%61/b',
  '/x/a',
];

describe('app.use', () => {
  test('path: default matches every path', () =>
    sameEach(
      tracing(app => app.use(mark('m'))),
      paths,
    ));
  test('path: string, matches at a segment boundary and is stripped from url', () =>
    sameEach(
      tracing(app => app.use('/a', mark('m'))),
      paths,
    ));
  test('path: with a slash at the end behaves as without it', () =>
    sameEach(
      tracing(app => app.use('/a/', mark('m'))),
      paths,
    ));
  test('path: empty string matches every path', () =>
    sameEach(
      tracing(app => app.use('', mark('m'))),
      paths,
    ));
  test('path: with parameters sets req.params', () =>
    sameEach(
      tracing(app => app.use('/:one/:two', mark('m'))),
      [...paths, '/%zz/b', '/a%2Fb/c'],
    ));
  test('path: pattern matches a prefix', () =>
    sameEach(
      tracing(app => app.use('/a*c', mark('m')).use('/ab?', mark('n')).use('/x(yz)?', mark('o'))),
      [...paths, '/abc', '/axyzc/d', '/ab/c', '/x', '/xyz/1'],
    ));
  test('path: regular expression matches a prefix', () =>
    sameEach(
      tracing(app =>
        app
          .use(/^\/a(\d*)/, mark('m'))
          .use(/b$/, mark('n'))
          .use(/(?:)/, mark('o')),
      ),
      [...paths, '/a12/b', '/a1', '/a1b'],
    ));
  test('path: array may hold strings, patterns and expressions', () =>
    sameEach(
      tracing(app => app.use(['/a', '/b*', /^\/x/], mark('m'))),
      paths,
    ));
  test('path: is case-sensitive if the setting is enabled', () =>
    sameEach(
      tracing(app => {
        app.enable('case sensitive routing');
        app.use('/a', mark('m'));
      }),
      paths,
    ));
  test('callback: series, arrays and nested arrays run in order', () =>
    sameEach(
      tracing(app => {
        app.use(mark('1'), mark('2'));
        app.use('/a', mark('3'), [mark('4'), [mark('5')]] as never, mark('6'));
        app.use([mark('7'), [mark('8')]] as never);
      }),
      paths,
    ));
  test('callback: router runs as middleware', () =>
    sameEach(
      tracing((app, framework) => {
        const router = framework.Router();
        router.use(mark('in'));
        router.get('/b', answer);
        app.use('/a', mark('before'), router, mark('after'));
      }),
      paths,
    ));
  test('callback: application runs as middleware', () =>
    sameEach(
      tracing((app, framework) => {
        const sub = framework();
        sub.use(mark('in'));
        sub.get('/b', answer);
        app.use('/a', mark('before'), sub, mark('after'));
      }),
      paths,
    ));
  test('callback: error handler has exactly four parameters', () =>
    sameEach(
      tracing(app => {
        app.use(markError('skipped'));
        app.use('/a', mark('fails', new Error('no')));
        app.use(mark('skipped'));
        app.use('/x', markError('elsewhere'));
        app.use(
          '/a',
          markError('first'),
          markError('second', () => undefined),
        );
        app.use(mark('after'));
      }),
      paths,
    ));
  test('order: is the order of registration for all kinds of layers', () =>
    sameEach(
      tracing(app => {
        app.get('/a', mark('1'));
        app.use(mark('2'));
        app.all('/a', mark('3'));
        app.route('/a').get(mark('4'));
        app.use('/a', mark('5'));
        app.post('/a', mark('never'));
        app.get(/^\/a$/, mark('6'));
      }),
      paths,
    ));
  test('nesting: sets baseUrl and url at three levels and restores them afterwards', () =>
    sameEach(
      tracing((app, framework) => {
        const inner = framework.Router();
        inner.use('/c', mark('c'));
        const middle = framework.Router();
        middle.use('/b', mark('b'), inner, mark('b again'));
        app.use('/a', mark('a'), middle, mark('a again'));
      }),
      ['/a/b/c', '/a/b/c/', '/a/b/c/d?e=f', '/A/B/C', '/a/b', '/a/b?x'],
    ));
  test('absolute form: does not treat the authority as part of the path', () =>
    sameEach(
      tracing((app, framework) => {
        const router = framework.Router();
        router.use('/b', mark('in'));
        app.use('/a', mark('m'), router);
      }),
      [
        'http://example.com/a/b?x=1',
        'http://example.com/a',
        'http://example.com',
        'http://example.com/?a=/a',
      ],
    ));
  test('changed url: req.url as rewritten by middleware applies to all later layers', () =>
    sameEach(
      tracing(app => {
        app.use('/a', (req, _res, next) => {
          req.url = '/changed' + req.url;
          next();
        });
        app.use('/a/changed', mark('changed'));
        app.use('/a', mark('a'));
      }),
      paths,
    ));
  test('returned value: is the application', () => {
    const app = web();
    assert.equal(
      app.use(() => undefined),
      app,
    );
    assert.equal(
      app.use('/', () => undefined),
      app,
    );
  });

  const bad: [string, (app: ReturnType<typeof web>) => unknown, string][] = [
    ['nothing', app => app.use(...([] as unknown as [never])), 'app.use() requires a middleware function'],
    ['a path alone', app => app.use('/a' as never), 'app.use() requires a middleware function'],
    [
      'a number',
      app => app.use('/a', 1 as never),
      'Router.use() requires a middleware function but got a number',
    ],
    [
      'null',
      app => app.use('/a', null as never),
      'Router.use() requires a middleware function but got a Null',
    ],
    [
      'a string',
      app => app.use(() => undefined, 'x' as never),
      'Router.use() requires a middleware function but got a string',
    ],
    [
      'an object',
      app => app.use('/a', {} as never),
      'Router.use() requires a middleware function but got a Object',
    ],
    [
      'an expression',
      app => app.use('/a', /x/ as never),
      'Router.use() requires a middleware function but got a RegExp',
    ],
  ];
  for (const [what, use, message] of bad) {
    test(`bad callback: ${what} throws`, () => {
      assert.throws(() => use(web()), { name: 'TypeError', message });
    });
  }
  test('bad path: a number throws', () => {
    assert.throws(() => web().use(1 as never, () => undefined), TypeError);
  });

  test('CVE-2026-34785: a mount path ends at a segment boundary', async () => {
    const app = web().use('/css', (_req, res) => void res.send('css'));
    assert.equal((await ask(app, '/css-backup.sql')).status, 404);
    assert.equal((await ask(app, '/css/x')).status, 200);
  });
  test('CVE-2026-6556: array, expression and string mounts strip alike', async () => {
    for (const path of ['/admin', '/admin/', ['/admin'], ['/other', '/admin/'], /^\/admin(?=\/|$)/]) {
      const app = web().use(path, (req, res) => void res.send(`${req.baseUrl} ${req.url}`));
      assert.equal((await ask(app, '/admin/users')).text, '/admin /users', String(path));
      assert.equal((await ask(app, '/administrator')).status, 404, String(path));
    }
  });
  test('CVE-2026-14198: a guard and a route see the same path', async () => {
    const app = web();
    app.use('/admin', (_req, res) => void res.status(403).end());
    app.get('/admin/secret', (_req, res) => void res.send('secret'));
    for (const path of [
      '/admin/secret',
      '/ADMIN/secret',
      '/admin//secret',
      '/admin/secret/',
      '/admin/secret;x',
    ]) {
      assert.notEqual((await ask(app, path)).text, 'secret', path);
    }
    for (const path of [
      '//admin/secret',
      '/admin%2Fsecret',
      '/./admin/secret',
      '/;/admin/secret',
      '/admin;/secret',
    ]) {
      assert.equal((await ask(app, path)).status, 404, path);
    }
  });
  test('CVE-2026-85184: an absolute-form target does not bypass the guard of its path', async () => {
    const app = web();
    app.use('/admin', (_req, res) => void res.status(403).end());
    app.use((_req, res) => void res.send('open'));
    assert.equal((await ask(app, 'http://x/admin')).status, 403);
  });
});
