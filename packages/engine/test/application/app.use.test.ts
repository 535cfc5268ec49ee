/** `app.use` and mounted applications: the event `mount`, `app.mountpath`, `app.path`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { mark, markError, sameTraces } from '../support/routing.js';

const paths = words('/ /a /a/ /a/b /A/b /ab /a.b /a/b/c?x=/a //a /a//b /b /%61/b /x/a');

describe('app.use', () => {
  test('path: default matches every path', () => sameTraces(paths, app => app.use(mark('m'))));
  test('path: string, matches at a segment boundary and is stripped from url', () =>
    sameTraces(paths, app => app.use('/a', mark('m'))));
  test('path: with a slash at the end behaves as without it', () =>
    sameTraces(paths, app => app.use('/a/', mark('m'))));
  test('path: empty string matches every path', () => sameTraces(paths, app => app.use('', mark('m'))));
  test('path: with parameters sets req.params', () =>
    sameTraces([...paths, '/%zz/b', '/a%2Fb/c'], app => app.use('/:one/:two', mark('m'))));
  test('path: pattern matches a prefix', () =>
    sameTraces([...paths, '/abc', '/axyzc/d', '/ab/c', '/x', '/xyz/1'], app =>
      app.use('/a*c', mark('m')).use('/ab?', mark('n')).use('/x(yz)?', mark('o')),
    ));
  test('path: regular expression matches a prefix', () =>
    sameTraces([...paths, '/a12/b', '/a1', '/a1b'], app =>
      app
        .use(/^\/a(\d*)/, mark('m'))
        .use(/b$/, mark('n'))
        .use(/(?:)/, mark('o')),
    ));
  test('path: array may hold strings, patterns and expressions', () =>
    sameTraces(paths, app => app.use(['/a', '/b*', /^\/x/], mark('m'))));
  test('path: is case-sensitive if the setting is enabled', () =>
    sameTraces(paths, app => {
      app.enable('case sensitive routing');
      app.use('/a', mark('m'));
    }));
  test('callback: error handler has exactly four parameters', () =>
    sameTraces(paths, app => {
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
    }));
  test('order: is the order of registration for all kinds of layers', () =>
    sameTraces(paths, app => {
      app.get('/a', mark('1'));
      app.use(mark('2'));
      app.all('/a', mark('3'));
      app.route('/a').get(mark('4'));
      app.use('/a', mark('5'));
      app.post('/a', mark('never'));
      app.get(/^\/a$/, mark('6'));
    }));
  test('absolute form: does not treat the authority as part of the path', () =>
    sameTraces(
      [
        'http://example.com/a/b?x=1',
        'http://example.com/a',
        'http://example.com',
        'http://example.com/?a=/a',
      ],
      (app, framework) => {
        const router = framework.Router();
        router.use('/b', mark('in'));
        app.use('/a', mark('m'), router);
      },
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
});

describe('event mount', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`payload: is the parent application (${framework})`, () => {
      const app = web();
      const sub = web();
      const parents: unknown[] = [];
      assert.equal(
        sub.on('mount', parent => void parents.push(parent)),
        sub,
      );
      app.use('/admin', sub);
      assert.deepEqual(parents, [app]);
    });
    test(`state: path, parent and settings are already set (${framework})`, () => {
      const app = web().set('title', 'My site');
      const sub = web();
      let seen: unknown;
      sub.on('mount', () => (seen = [sub.mountpath, sub.path(), sub.get('title')]));
      app.use('/admin', sub);
      assert.deepEqual(seen, ['/admin', '/admin', 'My site']);
    });
    test(`every mount: emits the event (${framework})`, () => {
      let count = 0;
      const sub = web();
      sub.on('mount', () => count++);
      web().use('/a', sub).use('/b', sub);
      web().use(sub, sub);
      assert.equal(count, 4);
    });
    test(`routers and functions: receive no event (${framework})`, () => {
      const router = web.Router() as unknown as { emit?: unknown };
      assert.equal(router.emit, undefined);
      web().use(router as never, () => undefined);
    });
    test(`use: returns after the event (${framework})`, () => {
      const order: string[] = [];
      const sub = web();
      sub.on('mount', () => order.push('mount'));
      web().use(sub);
      order.push('returned');
      assert.deepEqual(order, ['mount', 'returned']);
    });
    test(`first listener: is the application's own, which inherits settings (${framework})`, () => {
      const sub = web() as unknown as { listeners(name: string): { name: string }[] };
      assert.deepEqual(
        sub.listeners('mount').map(({ name }) => name),
        ['onmount'],
      );
    });
    test(`other events: work because an application is an event emitter (${framework})`, () => {
      const app = web();
      const seen: unknown[] = [];
      app.once('ready' as 'mount', (value: unknown) => void seen.push(value));
      app.emit('ready', 1);
      app.emit('ready', 2);
      assert.deepEqual(seen, [1]);
    });
  }
});

describe('app.mountpath', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`root: is a slash (${framework})`, () => {
      const sub = web();
      assert.equal(sub.mountpath, '/');
      web().use(sub);
      assert.equal(sub.mountpath, '/');
    });
    for (const [kind, path] of [
      ['string: is the path', '/admin'],
      ['slash at the end: is kept', '/admin/'],
      ['array: is the list of patterns', ['/adm*n', '/manager']],
      ['regular expression: is the expression itself', /^\/x/],
    ] as const) {
      test(`${kind} as it was passed (${framework})`, () => {
        const sub = web();
        web().use(path as string, sub);
        assert.equal(sub.mountpath, path);
      });
    }
    test(`pattern: is the pattern, not what it matched (${framework})`, async () => {
      const sub = web();
      sub.get('/', (req, res) => void res.json([req.app.mountpath, req.baseUrl]));
      assert.equal(
        (await ask(web().use('/:user/a*n', sub), '/tobi/admin')).text,
        '["/:user/a*n","/tobi/admin"]',
      );
    });
    test(`parent: is the application it was mounted on (${framework})`, () => {
      const parent = web();
      const sub = web();
      assert.equal((sub as unknown as { parent: unknown }).parent, undefined);
      parent.use('/x', sub);
      assert.equal((sub as unknown as { parent: unknown }).parent, parent);
    });
  }
});

describe('app.path', () => {
  const places: [title: string, path: string, mount: (web: Web, sub: ReturnType<Web>) => unknown][] = [
    ['root: is the empty string', '', () => undefined],
    ['mounted: is the mount path', '/blog', (web, sub) => web().use('/blog', sub)],
    [
      'nested mounts: are joined',
      '/blog/admin',
      (web, sub) => {
        const blog = web();
        web().use('/blog', blog);
        blog.use('/admin', sub);
      },
    ],
    ['no path: the mount path is a slash', '/', (web, sub) => web().use(sub)],
    ['no path, nested: the slashes are joined', '//x', (web, sub) => web().use(web().use('/x', sub))],
    ['several patterns: are joined with commas', '/a,/b', (web, sub) => web().use(['/a', '/b'], sub)],
    [
      'mounted twice: is the last mount path',
      '/second',
      (web, sub) => web().use('/first', sub).use('/second', sub),
    ],
  ];
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    for (const [title, path, mount] of places) {
      test(`${title} (${framework})`, () => {
        const sub = web();
        mount(web, sub);
        assert.equal(sub.path(), path);
      });
    }
    test(`itself: throws, also through another application (${framework})`, () => {
      const app = web();
      const sub = web();
      app.use('/sub', sub);
      for (const mounting of [app, sub])
        assert.throws(() => mounting.use('/x', app), {
          name: 'TypeError',
          message:
            framework === 'express' ? /Cyclic/ : /got the application itself, or one in which it is mounted/,
        });
    });
  }
});
