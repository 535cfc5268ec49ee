// runs: each
/** Members around the layers that tools and applications replace or read. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';
import { layerClass, replacing, stackOf } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { root } from '../../engine/test/support/tree.js';
import { VIEWS } from '../../engine/test/support/views.js';

type Any = (...args: unknown[]) => unknown;
type Loose = Record<string, Any>;
const noop = (): void => undefined;
const plain = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });

for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  describe(`internals: instrumentation (${framework})`, () => {
    test('Elastic APM: can replace static by a function with its properties', async () => {
      const original = web.static as unknown as Any;
      let calls = 0;
      const replacement = (...args: unknown[]) => {
        calls++;
        return original(...args);
      };
      Object.assign(replacement, original);
      await replacing(web, 'static', plain(replacement), async () => {
        assert.equal(web.static.mime, (original as unknown as typeof web.static).mime);
        assert.equal((await ask(web().use(web.static(root)), '/todo.txt')).text, '- groceries');
      });
      assert.equal(calls, 1);
    });
  });

  describe(`internals: Layer (${framework})`, () => {
    test('fast_star, fast_slash: of layer.regexp indicate whether it matches every path', () => {
      const flags = (path: string, end: boolean) => {
        const { regexp } = new (layerClass(framework))(path, { end, sensitive: false, strict: false }, noop);
        return [regexp.fast_star, regexp.fast_slash];
      };
      assert.deepEqual(flags('*', true), [true, false]);
      assert.deepEqual(flags('/', false), [false, true]);
      assert.deepEqual(flags('/', true), [false, false]);
      assert.deepEqual(flags('/x', false), [false, false]);
    });
  });

  describe(`internals: names (${framework})`, () => {
    test('jsonParser and others: parsers and static are found in the stack by name', () => {
      const app = web().use(
        web.json(),
        web.urlencoded({ extended: true }),
        web.raw(),
        web.text(),
        web.static(root),
      );
      const names = ['jsonParser', 'urlencodedParser', 'rawParser', 'textParser', 'serveStatic'];
      assert.deepEqual(
        stackOf(app)
          .slice(2)
          .map(({ name }) => name),
        names,
      );
      for (const name of names) assert.ok(stackOf(app).some(({ handle }) => handle.name === name));
    });
  });

  describe(`internals: users (${framework})`, () => {
    test('express.application.get =: applies to applications created afterwards', async () => {
      const application = (web as unknown as Record<string, Loose>).application!;
      const { get } = application;
      const seen: unknown[] = [];
      const replacement = function (this: unknown, ...args: unknown[]) {
        seen.push(args[0]);
        return get!.apply(this, args);
      };
      await replacing(application, 'get', plain(replacement), async () => {
        const app = web().get('/x', (_req, res) => void res.send('found'));
        assert.equal((await ask(app, '/x')).text, 'found');
      });
      assert.ok(seen.includes('/x'));
    });

    test('express.Router.ws =: an added method is on every router', () => {
      const ws = function (this: { get: Any }, path: string) {
        return this.get(`${path}/.websocket`, noop);
      };
      const before = web.Router() as unknown as Loose;
      (web.Router as unknown as Loose).ws = ws as Any;
      try {
        const router = web.Router() as unknown as Loose & { stack: { route: { path: string } }[] };
        assert.equal(router.ws!('/chat'), router);
        assert.equal(router.stack[0]!.route.path, '/chat/.websocket');
        assert.equal(before.ws, ws);
      } finally {
        delete (web.Router as unknown as Loose).ws;
      }
    });

    test('app.listen =: an overwritten one is called', () => {
      const app = web();
      app.listen = ((port: number) => `mine ${port}`) as never;
      assert.equal(app.listen(80), 'mine 80');
    });

    test('res.writeHead, res._header: can be overridden on a response made by hand, so that no header block is sent', (_context, done) => {
      const app = web().use((_req, res) => {
        res.writeHead(200);
        assert.equal(res.headersSent, true);
        done();
      });
      const req = Object.assign(new http.IncomingMessage(null as never), {
        method: 'GET',
        url: '/.websocket',
      });
      const res = new http.ServerResponse(req) as http.ServerResponse & { _header: string };
      res.writeHead = ((status: number) => {
        if (status > 200) done(new Error(`status ${status}`));
        res._header = '';
        return res;
      }) as never;
      Object.defineProperty(res, 'headersSent', { get: () => typeof res._header === 'string' });
      (app as unknown as { handle: Any }).handle(req, res, done);
    });

    test('http.createServer(options, app): serves requests', async () => {
      const app = web().use((_req, res) => void res.send('found'));
      assert.equal((await ask(http.createServer({ keepAlive: true }, app))).text, 'found');
    });

    test("req.app.get('trust proxy'): returns what was set", async () => {
      for (const value of [true, false, 1, 'loopback']) {
        const app = web().set('trust proxy', value);
        app.use((req, res) => void res.json([req.app.get('trust proxy')]));
        assert.equal((await ask(app)).text, JSON.stringify([value]));
      }
    });

    test('req.route.path, req.baseUrl: are set when the response has finished', async () => {
      const seen = new Promise<unknown[]>(resolve => {
        const app = web().use((req, res, next) => {
          res.on('finish', () => {
            resolve([
              req.baseUrl,
              (req.route as { path: string }).path,
              typeof (res as never as { _header: unknown })._header,
            ]);
          });
          next();
        });
        app.use(
          '/api',
          web.Router().get('/users/:id', (_req, res) => void res.send('found')),
        );
        void ask(app, '/api/users/7');
      });
      // `req.route` and `req.baseUrl` are not restored after the router that responded.
      assert.deepEqual(await seen, ['/api', '/users/:id', 'string']);
    });

    test('app.render =: an overwritten one is called by res.render', async () => {
      const app = web();
      app.render = ((view: string, options: object, done: (err: null, html: string) => void) => {
        done(null, `mine ${view} ${Object.keys(options).join()}`);
      }) as never;
      app.use((_req, res) => res.render('page', { title: 'T' }));
      assert.equal((await ask(app)).text, 'mine page title,_locals');
    });

    test('options.settings, options._locals: engines receive settings, view options and locals', async () => {
      const app = web().set('views', VIEWS).set('view options', { layout: false });
      app.engine('tmpl', ((
        _file: string,
        options: Record<string, unknown>,
        done: (err: null, html: string) => void,
      ) => {
        const { settings, _locals, title } = options as Record<string, Record<string, unknown>>;
        done(null, JSON.stringify([settings!.views === VIEWS, settings!['view options'], _locals, title]));
      }) as never);
      app.use((_req, res) => {
        res.locals.title = 'response';
        res.render('title.tmpl', { title: 'given' });
      });
      assert.equal((await ask(app)).text, '[true,{"layout":false},{"title":"response"},"given"]');
    });
  });
}
