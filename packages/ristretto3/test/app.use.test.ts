/** Middleware, applications and servers mounted at a path, `app.router`, and the live list of middleware. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import base from 'ristretto';
import web from 'ristretto3';
import type { RequestHandler } from 'ristretto3/lib/types/core';
import { askPort, withServer } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { at } from '../../engine/test/support/tree.js';
import { form, uploadDirectory } from './support/multipart.js';
import {
  adding,
  caught,
  failing,
  frameworks,
  note,
  noted,
  on,
  ours,
  pass,
  respond as text,
  same,
  serves,
} from './support/oracle.js';
import { words } from '../../engine/test/support/random.js';
import type { App, Build, Web } from './support/oracle.js';

/** Responds with its name and the URL it sees. */
const respond = (name: string): RequestHandler =>
  on((req, res) => void res.end(`${name} ${req.url} of ${req.originalUrl}`));

describe('app.use', () => {
  const at = (path: string): Build => adding(app => app.use(path, respond('mounted')).use(respond('rest')));

  serves(
    'path: matches if a slash or a dot follows, in any case',
    app => app.use('/apple', text('mounted')).use(text('rest')),
    {
      ...Object.fromEntries(
        words('/apple /apple/ /apple/pie /apple.html /apple?x=1 /APPLE/Pie?x').map(path => [path, 'mounted']),
      ),
      ...Object.fromEntries(words('/applepie /apple-pie /app /x/apple').map(path => [path, 'rest'])),
    },
  );

  serves(
    'path: is stripped from the URL and restored afterwards',
    app => {
      app.use('/apple', respond('mounted'));
      app.use(
        '/a/b',
        on((req, _res, next) => next(req.url === '/c?d' ? undefined : 'not stripped')),
      );
      app.use(respond('rest'));
    },
    { '/apple.html?a=1': 'mounted /.html?a=1 of /apple.html?a=1', '/a/b/c?d': 'rest /a/b/c?d of /a/b/c?d' },
  );

  test('path: is literal text, even with characters that are special in patterns', async () => {
    for (const [path, url] of [
      ['/:id', '/7'],
      ['/:id', '/:id'],
      ['/a+b', '/a+b'],
      ['/a+b', '/aab'],
      ['/a(b)', '/a(b)/c'],
      ['/x.y', '/xzy'],
      ['/*', '/z'],
    ] as const) {
      await same(at(path), url);
    }
  });

  test('path: a trailing slash makes no difference, and / alone matches every path', async () => {
    for (const path of ['/apple/', '/', '']) {
      for (const url of ['/apple', '/apple/pie', '/other']) await same(at(path), url);
    }
  });

  serves(
    'order: middleware runs in the order of registration',
    app => app.use(note('one')).use(note('two')).use(noted),
    { '/': 'one,two' },
  );

  serves(
    'application: is mounted; its path, route and parent show where',
    (app, web) => {
      const [blog, admin] = [web(), web()];
      admin.get('/x', (req, res) => {
        const facts = [admin.path(), admin.route, admin.parent === blog, req.app === admin, req.url];
        res.send(facts.join());
      });
      blog.use('/admin', admin);
      app.use('/blog', blog);
    },
    { '/blog/admin/x': '/blog/admin,/admin,true,true,/x' },
  );

  serves(
    'application: requests it does not handle continue in its parent',
    (app, web) => {
      app.use('/child', web().get('/other', respond('child')));
      app.use(on((req, res) => res.send(`${String(req.app === app)} ${req.url}`)));
    },
    { '/child/x': 'true /child/x' },
  );

  serves(
    'application: inherits settings without a default and engines; emits mount',
    (app, web) => {
      const child = web();
      app.set('title', 'outer').set('json spaces', 7).set('jsonp callback name', 'cb').enable('trust proxy');
      let parent: unknown;
      child.on('mount', (outer: unknown) => (parent = outer));
      child.get('/', (_req, res) => {
        const names = ['title', 'json spaces', 'jsonp callback name', 'trust proxy'];
        res.send([parent === app, ...names.map(name => child.get(name))].join());
      });
      app.use('/child', child);
    },
    // The default of 2 spaces remains
    { '/child': 'true,outer,2,callback,true' },
  );

  test('application: a 4.x application can be mounted, and a 3.x one inside it keeps its API', async () => {
    const inner = web();
    inner.get('/', (req, res) => {
      res.locals({ a: 1 });
      res.send([req.auth, req.app === inner, res.locals.a, inner.get('title')].join());
    });
    const outer = base();
    outer.set('title', '4.x').use('/old', inner as never);
    assert.equal((await ours(() => outer as never, '/old')).text, ',true,1,4.x');

    const modern = base();
    modern.get('/x', (req, res) => res.send(`${req.baseUrl} ${modern.path()} ${typeof modern.route}`));
    const old = web().use('/new', modern as never);
    assert.equal((await ours(() => old, '/new/x')).text, '/new /new function');
  });

  test('application of 4.x: keeps the members of its own requests', async () => {
    const modern = base();
    modern.get('/', (req, res) => res.send(String(req.accepts())));
    const old = web().use('/new', modern as never);
    assert.equal((await ours(() => old, '/new')).text, '*/*');
  });

  test('router of 4.x: works as middleware', async () => {
    const router = base.Router();
    router.get('/:id', (req, res) => res.send(req.params));
    const answer = await ours(web => web().use('/new', router as never), '/new/7');
    assert.deepEqual(JSON.parse(answer.text), { id: '7' });
  });

  serves(
    'http.Server: handles requests with its listener',
    app =>
      app.use(
        '/s',
        http.createServer((req, res) => res.end(`server ${req.url}`)),
      ),
    { '/s/x': 'server /x' },
  );

  serves(
    'handle: any object with a handle() function can be mounted',
    app =>
      app.use('/s', {
        handle(req: http.IncomingMessage, res: http.ServerResponse) {
          res.end(`handled ${req.url} ${String(this === undefined)}`);
        },
      }),
    { '/s/x': 'handled /x false' },
  );

  serves(
    'error handler: a function with four parameters gets errors under its path',
    app => {
      app.get('*', failing).use('/other', caught('other'));
      app.use('/a', (err, req, res, _next) => res.send(`${(err as Error).message} ${req.url}`));
    },
    { '/a/b': 'broken /b', '/c': 500 },
  );

  serves(
    'several: handlers of one call run in order, which Express 3 ignored',
    app => app.use('/a', pass, [[respond('second')]]),
    { '/a': 'second / of /a' },
    ours,
  );

  test('returned value: is the application', () => {
    const app = web();
    assert.equal(app.use(respond('x')), app);
    assert.equal(app.use('/x', web()), app);
  });

  test('bad argument: throws at once, with a message that describes the argument', () => {
    const use = (...args: unknown[]) => Reflect.apply(web().use, web(), args) as unknown;
    assert.throws(() => use('/a'), /app.use\(\) requires something to mount/);
    assert.throws(() => use(), /requires something to mount/);
    assert.throws(() => use('/a', 'b'), /expected a path as a string, then functions, .* got 'b'/);
    assert.throws(() => use(/^\/a/, respond('x')), /expected a path as a string, .* got \/\^\\\/a\//);
    assert.throws(() => use(['/a', '/b'], respond('x')), /expected a path as a string, .* got '\/a'/);
    assert.throws(() => use(undefined), /expected a path as a string, .* got undefined/);
  });

  serves(
    'rejected promise: goes to the error handlers',
    app => app.use(() => Promise.reject(new Error('late'))).use(caught('took')),
    { '/': 'took: late' },
    ours,
  );

  test('sub-application: the prototypes of messages inside it are its own', async () => {
    const { headers, text } = await same(web => {
      const app = web();
      const sub = web();
      const isOwn = (of: typeof app, req: object, res: object): boolean =>
        Object.getPrototypeOf(req) === of.request && Object.getPrototypeOf(res) === of.response;
      const inside: RequestHandler = (req, res, next) => {
        res.set('X-Inside', String(isOwn(sub, req, res)));
        next();
      };
      const outside: RequestHandler = (req, res) => {
        res.end(String(isOwn(app, req, res)));
      };
      sub.use(inside);
      app.use('/sub', sub);
      return app.use(outside);
    }, '/sub');
    assert.deepEqual([headers['x-inside'], text], ['true', 'true']);
  });
});

describe('app.stack', () => {
  const { ristretto3: web } = frameworks;

  test('entries: have route and handle for each middleware, with the router where the first route is', () => {
    const seen = Object.values(frameworks).map(framework => {
      const app = framework();
      app.use('/a', function first() {});
      app.get('/', () => {});
      app.use('/', function last() {});
      return app.stack.map(entry => [Object.keys(entry), entry.route, entry.handle.name]);
    });
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(
      seen[0]!.map(([, , name]) => name),
      ['query', 'expressInit', 'first', 'router', 'last'],
    );
  });

  serves(
    'edits: take effect',
    app => {
      app.use('/a', text('first')).use('/a', text('second'));
      app.stack.splice(2, 1);
      app.stack.unshift({ route: '/b', handle: on((_req, res) => void res.end('b')) as never });
    },
    { '/a': 'second', '/b/c': 'b' },
  );

  test('edits: take effect while the application serves', async () => {
    const app = web();
    app.use(
      '/',
      on((_req, _res, next) => {
        app.stack[3]!.route = '/moved';
        next();
      }),
    );
    app.use('/a', text('here'));
    assert.equal((await ours(() => app, '/a')).text, 'here');
    assert.equal((await ours(() => app, '/a')).status, 404);
    assert.equal((await ours(() => app, '/moved')).text, 'here');
  });

  serves(
    'handle: is looked up at each request',
    app => {
      app.use('/a', text('first'));
      app.stack[2]!.handle = text('replaced') as never;
    },
    { '/a': 'replaced' },
  );

  test('bad entry: throws an error that says what an entry is', () => {
    const app = web();
    app.stack.push({ route: '/x' } as never);
    assert.throws(
      () => app.handle({ url: '/' } as never, {} as never),
      /expected entries \{ route: .* handle: undefined/,
    );
  });
});

const classic = (uploadDir: string) => (web: Web) => {
  const app = web();
  app.use(web.favicon(Buffer.from('icon')));
  app.use(web.logger({ format: 'tiny', stream: { write: () => undefined } }));
  app.use(web.responseTime((_req, res) => res.setHeader('X-Timed', 'yes')));
  app.use(web.compress());
  app.use(web.cookieParser('secret'));
  app.use(web.bodyParser({ uploadDir }));
  app.use(web.methodOverride());
  app.use(web.cookieSession({ key: 'kept' }));
  app.use(app.router);
  app.use(web.static(at('')));
  app.use(web.errorHandler({ log: false }));
  app.get('/', (_req, res) => void res.send('x'.repeat(3000)));
  app.get('/visits', (req, res) => {
    req.session.visits = 1;
    res.cookie('name', 'tobi', { signed: true });
    res.json({ visits: req.session.visits });
  });
  app.post(
    '/form',
    (req, res) => void res.json({ body: req.body, files: Object.keys((req.files ?? {}) as object) }),
  );
  app.put('/form', (req, res) => void res.json({ put: req.body }));
  app.get('/broken', () => {
    throw Object.assign(new Error('broken'), { stack: 'broken' });
  });
  return app;
};

const parts = [
  { name: 'pet[name]', value: 'Tobi' },
  { name: 'photo', filename: 'tobi.png', value: 'PNG' },
];
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

const requests: Record<string, Ask> = {
  'a page': { path: '/' },
  'a page, compressed': { path: '/', headers: { 'Accept-Encoding': 'gzip' } },
  'a page, asked for with HEAD': { path: '/', method: 'HEAD' },
  'a session and a signed cookie': { path: '/visits' },
  'an upload': form(parts, { path: '/form' }),
  'a form that means PUT': { method: 'POST', path: '/form', headers: urlencoded, body: '_method=PUT&a[b]=1' },
  'JSON that is none': {
    method: 'POST',
    path: '/form',
    headers: { 'Content-Type': 'application/json' },
    body: '',
  },
  'a file': { path: '/todo.txt' },
  'an error': { path: '/broken', headers: { Accept: 'text/plain' } },
  nothing: { path: '/nope' },
};

/** The default middleware stack of 3.x applications as a whole. */
describe('middleware: the classic stack', () => {
  for (const [what, request] of Object.entries(requests)) {
    test(`${what}: sends the same response`, t => same(classic(uploadDirectory(t).uploadDir), request));
  }

  test('session, csrf and basicAuth: log in and submit a form', async () => {
    const app = web();
    app.use(web.basicAuth('tobi', 'ferret'));
    app.use(web.cookieParser());
    app.use(web.session({ secret: 'secret' }));
    app.use(web.urlencoded());
    app.use(web.csrf());
    app.get('/', (req, res) => void res.send((req as unknown as { csrfToken(): string }).csrfToken()));
    app.post(
      '/',
      (req, res) => void res.send(`${String((req as { user?: string }).user)} says ${req.body.text}`),
    );
    app.set('env', 'test');
    await withServer(app as never, async port => {
      const Authorization = `Basic ${Buffer.from('tobi:ferret').toString('base64')}`;
      assert.equal((await askPort(port)).status, 401);
      const page = await askPort(port, { headers: { Authorization } });
      const headers = { ...urlencoded, Authorization, Cookie: page.headers['set-cookie']!.split(';')[0]! };
      const send = (body: string) => askPort(port, { method: 'POST', headers, body });
      assert.equal((await send('text=hi')).status, 403);
      const sent = await send(`text=hi&_csrf=${encodeURIComponent(page.text)}`);
      assert.equal(sent.text, 'tobi says hi');
    });
  });
});

type Step = (app: App) => unknown;

const used =
  (name: string): Step =>
  app =>
    app.use(note(name));
const route: Step = app => app.get('/', note('route'));
const router: Step = app => app.use(app.router);

function order(title: string, steps: Step[], expected: string): void {
  serves(
    `order: ${title}`,
    app => {
      for (const step of steps) step(app);
      app.use(noted);
    },
    { '/': expected },
  );
}

/** `app.router`: where the routes run among the middleware. */
describe('app.router', () => {
  order('the first route sets the position', [used('a'), route, used('b')], 'a,route,b');
  order('a first route without middleware before it is first', [route, used('a')], 'route,a');
  order('app.use(app.router) before routes sets it', [router, used('a'), route], 'route,a');
  order('app.use(app.router) between', [used('a'), router, used('b'), route], 'a,route,b');
  order('app.use(app.router) after routes', [used('a'), route, used('b'), router], 'a,route,b,route');
  order('routes do not run if app.router is read but not used', [app => app.router, used('a'), route], 'a');

  serves(
    'order: the router can be used in another application',
    (app, web) => app.use('/m', web().get('/x', (req, res) => res.send(req.url)).router as never),
    { '/m/x': '/x' },
  );

  serves(
    'function: has three parameters and the name router',
    app => {
      const { name, length } = app.router;
      app.use(text([name, length].join()));
    },
    { '/': 'router,3' },
  );
});
