// runs: each
/** Routers and applications: other frameworks can read, wrap, override and mend them and what is around them. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler } from 'express';
import { ask } from '../../engine/test/support/http.js';
import { layerClass, loose, replacing, stackOf } from '../../engine/test/support/internals.js';
import type { LooseApp, LooseRouter } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { answer } from '../../engine/test/support/routing.js';
import { root } from '../../engine/test/support/tree.js';

type Any = (...args: unknown[]) => unknown;
const noop = (): void => undefined;
const routerOf = (web: Web): LooseRouter => web.Router() as unknown as LooseRouter;

for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  describe(`internals: application router (${framework})`, () => {
    test('app._router: is undefined until it is needed', () => {
      const app = loose(web());
      app.set('title', 'x');
      app.engine('x', noop);
      assert.equal(app._router, undefined);
      assert.equal(Object.hasOwn(app, '_router'), false);
    });
    for (const [member, use] of Object.entries<(app: ReturnType<Web>) => unknown>({
      use: app => app.use(noop),
      get: app => app.get('/', noop),
      all: app => app.all('/', noop),
      route: app => app.route('/'),
      param: app => app.param('id', (_req, _res, next) => next()),
      lazyrouter: app => loose(app).lazyrouter(),
    })) {
      test(`app.${member}: creates the router`, () => {
        const app = web();
        use(app);
        assert.equal(typeof loose(app)._router, 'function');
      });
    }
    test('app.lazyrouter: creates it once, with query and expressInit', () => {
      const app = loose(web());
      app.lazyrouter();
      const router = app._router;
      app.lazyrouter();
      assert.equal(app._router, router);
      assert.deepEqual(
        stackOf(app).map(({ name, handle }) => [name, handle.name, handle.length]),
        [
          ['query', 'query', 3],
          ['expressInit', 'expressInit', 3],
        ],
      );
    });
    test('app.lazyrouter: overridden, as LoopBack does, is called', async () => {
      const app = loose(web());
      const { lazyrouter } = app;
      let made = 0;
      app.lazyrouter = function (this: LooseApp) {
        if (!this._router) made++;
        lazyrouter.call(this);
        this._router.use = Object.assign(this._router.use.bind(this._router), { overridden: true });
      };
      app.get('/x', (_req, res) => void res.send('found'));
      app.use(noop);
      assert.equal(made, 1);
      assert.equal((app._router.use as unknown as { overridden: boolean }).overridden, true);
      assert.equal((await ask(app, '/x')).text, 'found');
    });
    test('app._router: can be replaced by another one', async () => {
      const app = loose(web().get('/x', answer));
      const other = routerOf(web);
      other.get('/x', (_req: unknown, res: { end(text: string): void }) => res.end('other'));
      app._router = other;
      assert.equal((await ask(app, '/x')).text, 'other');
    });
    test('app._router: uses the settings at the time it is created', () => {
      const app = loose(web().enable('strict routing').get('/x', noop));
      const { strict, caseSensitive } = app._router as unknown as Record<string, unknown>;
      assert.deepEqual([strict, caseSensitive], [true, false]);
    });
    test('own members: include the whole API, as Feathers and LoopBack copy it', async () => {
      const copy = Object.create(null) as Record<string, unknown>;
      const app = web();
      Object.defineProperties(copy, Object.getOwnPropertyDescriptors(app));
      assert.equal(copy.use, app.use);
      // This also tests the framework itself: getters that throw are copied, not called
      const all = Object.defineProperties(
        () => undefined,
        Object.getOwnPropertyDescriptors(web),
      ) as unknown as Web;
      assert.equal(all.Router, web.Router);
      app.get('/', (_req, res) => void res.send('x'));
      assert.equal((await ask(app)).text, 'x');
    });
    test('app.use: overridden, receives every registration', () => {
      const app = web();
      const seen: unknown[][] = [];
      const { use } = app;
      (app as unknown as Record<string, Any>).use = function (this: unknown, ...args: unknown[]) {
        seen.push(args);
        return (use as Any).apply(this, args);
      };
      app.use('/x', noop);
      assert.deepEqual(seen, [['/x', noop]]);
      assert.equal(stackOf(app).length, 3);
    });
  });

  describe(`internals: names (${framework})`, () => {
    test('layers: are named router, bound dispatch, mounted_app, or after the function', () => {
      const app = web();
      app.use(web.Router());
      app.use(web());
      app.get('/x', noop);
      app.use(web.static('.'), web.json(), web.urlencoded({ extended: true }), web.raw(), web.text());
      app.use((_req, _res, next) => next());
      const names = ['query', 'expressInit', 'router', 'mounted_app', 'bound dispatch'];
      names.push('serveStatic', 'jsonParser', 'urlencodedParser', 'rawParser', 'textParser');
      assert.deepEqual(
        stackOf(app).map(({ name, handle }) => [name, handle.name, handle.length]),
        [...names.map(name => [name, name, 3]), ['<anonymous>', '', 3]],
      );
      assert.ok(stackOf(app).every(layer => layer instanceof layerClass(framework)));
    });
    test('nested routers: are reached through layer.handle.stack', () => {
      const inner = web.Router().get('/deep', noop);
      const app = web().use('/a', web.Router().use('/b', inner));
      const layer = stackOf(app)[2]!.handle.stack![0]!.handle.stack![0]!;
      assert.equal(layer.route!.path, '/deep');
      assert.equal(stackOf(app)[2]!.handle.parent, undefined);
    });
  });
}

const plain = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });

/** Members around the layers that tools and applications replace or read. */
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

  describe(`internals: users (${framework})`, () => {
    test('app.handle, res.writeHead, res._header: can be used on a response made by hand, as express-ws does, so that no header block is sent', (_context, done) => {
      const app = web().get('/ws/.websocket', (req, res) => {
        assert.equal(typeof res.send, 'function');
        assert.equal(req.path, '/ws/.websocket');
        res.writeHead(200);
        assert.equal(res.headersSent, true);
        done();
      });
      const req = Object.assign(new http.IncomingMessage(null as never), {
        method: 'GET',
        url: '/ws/.websocket',
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

    test('Object.create(router): with a stack of its own runs that one, as in SAP CAP, and the router keeps its own', async () => {
      const router = web.Router();
      router.get('/fails', (_req, _res, next) => next(new Error('lost')));
      router.get('/part', (req, res, next) => {
        const part = Object.create(router) as LooseRouter & { handle: Any };
        part.stack = part.stack.filter(({ handle }) => handle.length !== 4);
        req.url = '/fails';
        part.handle(req, res, (error: Error) => next(new Error(`${error.message}, then passed on`)));
      });
      router.use(((error, _req, res, _next) => void res.send(error.message)) as ErrorRequestHandler);
      const app = web().use(router);
      assert.equal((await ask(app, '/part')).text, 'lost, then passed on');
      assert.equal((await ask(app, '/fails')).text, 'lost');
      assert.equal((router as unknown as LooseRouter).stack.length, 3);
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
  });
}

type Handler = (...args: unknown[]) => unknown;

interface Layer {
  handle: Handler;
  route?: { stack: Layer[] };
  match?: Handler;
}

interface Response {
  end(text: string): void;
  setHeader(name: string, value: string): void;
}

type Application = RequestListener & {
  set(name: string, value: unknown): Application;
  use(...args: unknown[]): Application;
  get(path: string, handler: (req: { params: object }, res: Response) => void): Application;
  stack?: Layer[];
  router?: { stack: Layer[] };
  _router?: { stack: Layer[] };
};

/** The pairs of packages, and where their layers are. */
const VERSIONS: [ours: string, theirs: string, stackOf: (app: Application) => Layer[]][] = [
  ['ristretto', 'express', app => app._router!.stack],
  ['ristretto5', 'express5', app => app.router!.stack],
  ['ristretto3', 'express3', app => app.stack!],
];
const prototypeOf = (layer: Layer) => Object.getPrototypeOf(layer) as object;

const each = (change: (layer: Layer) => Layer) => (stack: Layer[]) => {
  for (const [at, layer] of stack.entries()) {
    const routed = layer.route?.stack;
    for (const [position, one] of routed?.entries() ?? []) routed![position] = change(one);
    stack[at] = change(layer);
  }
};

const listed = (layer: Layer) => {
  const copy: Record<string, unknown> = {};
  for (const name in layer) copy[name] = layer[name as keyof Layer];
  return copy as unknown as Layer;
};

const CHANGES: Record<string, (stack: Layer[]) => unknown> = {
  'copied with its prototype': each(
    layer => Object.setPrototypeOf({ ...layer }, prototypeOf(layer)) as Layer,
  ),
  'copied by Object.assign': each(layer => Object.assign(Object.create(prototypeOf(layer)) as Layer, layer)),
  'copied with what for…in lists': each(listed),
  'copied with the functions of its prototype': each(layer => ({ ...layer, ...prototypeOf(layer) })),
  'replaced by an object that inherits from it': each(layer => Object.create(layer) as Layer),
  'replaced by a proxy': each(layer => new Proxy(layer, {})),
  'with another handler': stack => {
    const layer = stack.find(({ handle }) => handle.name === 'marks')!;
    layer.handle = (_req, res, next) => {
      (res as Response).setHeader('X-Marked', 'again');
      (next as () => void)();
    };
  },
  'with a handler that an accessor returns': each(layer => {
    const { handle } = layer;
    return Object.defineProperty(layer, 'handle', { get: () => handle, set: () => undefined });
  }),
  removed: stack =>
    stack.splice(
      stack.findIndex(({ handle }) => handle.name === 'marks'),
      1,
    ),
  moved: stack => stack.unshift(...stack.splice(stack.length - 1)),
};
const PATHS = ['/users/7', '/users/%zz', '/sub/1/x', '/plain', '/none'];

/**
 * What tools do to the layers of an application after it was built. Whatever was fixed for one version is a row of this table,
 * and runs on all of them, each compared with its Express.
 */
describe('internals: layers', () => {
  type Web = (() => Application) & { Router?: () => Application };
  const load = createRequire(__filename) as (name: string) => Web;
  function build(web: Web): Application {
    const app = web().set('env', 'test');
    app.use(function marks(_req: unknown, res: Response, next: () => void) {
      res.setHeader('X-Marked', 'once');
      next();
    });
    app.get('/users/:id', ({ params }, res) => res.end(JSON.stringify(Object.entries(params))));
    app.get('/plain', (_req, res) => res.end('plain'));
    app.use('/sub', ({ url }: { url: string }, res: Response) => res.end(url));
    app.use((error: Error, _req: unknown, res: Response, _next: unknown) =>
      res.end(`failed: ${error.message}`),
    );
    return app;
  }

  for (const [ours, theirs, stackOf] of VERSIONS) {
    for (const [what, change] of Object.entries(CHANGES)) {
      test(`${what}: ${ours} does what ${theirs} does`, async () => {
        const [here, there] = await Promise.all(
          [ours, theirs].map(async name => {
            const app = build(load(name));
            change(stackOf(app));
            const seen = [];
            for (const path of PATHS) {
              const { status, headers, text } = await ask(app, path);
              seen.push([path, status, headers['x-marked'], status < 400 ? text : '']);
            }
            return seen;
          }),
        );
        assert.deepEqual(here, there);
      });
    }
  }
});
