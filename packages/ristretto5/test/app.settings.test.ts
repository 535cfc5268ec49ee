/** Settings and members of applications that differ in Express 5 or do not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { logged } from '../../engine/test/support/environment.js';
import { ask } from '../../engine/test/support/http.js';
import { alike, frameworks, quiet, same, serving } from './support/oracle.js';

/** Settings and their defaults in Express 5, and `app.render`, `app.listen` and `app.handle`. */
describe('app.settings', () => {
  test('defaults: have the values of Express 5, in objects without a prototype', () => {
    alike(web => {
      const app = web() as unknown as Record<string, object>;
      return ['settings', 'cache', 'engines', 'locals'].map(
        name => Object.getPrototypeOf(app[name]) as unknown,
      );
    });
    const plain = (web: typeof frameworks.ristretto5) => {
      const { settings } = web() as unknown as { settings: Record<string, unknown> };
      return Object.entries(settings).map(([name, value]) => [name, typeof value === 'function' || value]);
    };
    alike(plain);
  });

  test('app.get: with only a name, reads a setting; throws without a name', () => {
    alike(web => [web().get('etag'), web().get('hasOwnProperty'), web().set('a', 1).get('a')]);
    alike(web => (web().get as () => unknown)());
  });

  test('query parser: is simple by default, and each value selects the parser of Express 5', () => {
    for (const value of ['simple', 'extended', true] as const) {
      alike(web =>
        (web().set('query parser', value).get('query parser fn') as (text: string) => unknown)(
          'a[b]=1&a[b]=2&c',
        ),
      );
    }
    alike(web => web().set('query parser', false).get('query parser fn'));
    alike(web => web().set('query parser', 'x' as never));
  });

  test('app.render: takes null as options, and calls back asynchronously', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      app.engine('tpl', (_file, _options, done) => done(null, 'html'));
      app.set('view', function View(this: Record<string, unknown>) {
        Object.setPrototypeOf(
          this,
          (require(framework === web ? 'ristretto5/lib/view' : 'express5/lib/view') as { prototype: object })
            .prototype,
        );
        Object.assign(this, {
          path: '/x',
          engine: (_path: string, _options: object, done: (...args: unknown[]) => void) => done(null, 'html'),
        });
      });
      const order: unknown[] = [];
      await new Promise<void>(resolve => {
        app.render('x', null as never, (error: unknown, html: string) => {
          order.push(error, html);
          resolve();
        });
        order.push('sync');
      });
      assert.deepEqual(order, ['sync', null, 'html']);
    }
  });

  test('app.listen: calls the callback once, on listening', async () => {
    for (const framework of Object.values(frameworks)) {
      const calls: unknown[] = [];
      const server = await new Promise<http.Server>(resolve => {
        const server = framework().listen(0, function (this: unknown, ...args: unknown[]) {
          calls.push(this === server, args);
          resolve(server);
        });
      });
      server.emit('error', new Error('late'));
      server.close();
      assert.deepEqual(calls, [true, []]);
    }
  });

  test('app.listen: passes the error to the callback if the port is in use', async () => {
    const taken = http.createServer().listen(0);
    const { port } = taken.address() as AddressInfo;
    for (const framework of Object.values(frameworks)) {
      const error = await new Promise<NodeJS.ErrnoException>(resolve => {
        framework().listen(port, resolve);
      });
      assert.equal(error.code, 'EADDRINUSE');
    }
    taken.close();
  });

  test('app.handle: adds the properties of Express 5 to a request, in their order', async () => {
    await same(
      serving((req, res) => {
        const before = new Set(Object.keys(new http.IncomingMessage(null as never)));
        res.json(Object.keys(req).filter(name => !before.has(name) && name !== '_parsedUrl'));
      }),
    );
  });

  test('final handler: logs the whole error; in development, its folded stack and its properties', async () => {
    const error = Object.assign(new Error('broken'), { detail: 1 });
    for (const framework of Object.values(frameworks)) {
      const app = framework().use(() => {
        throw error;
      }) as web.Application;
      const lines = await logged(() => ask(app));
      if (framework === web && process.env.RISTRETTO_ERROR_PAGE !== 'off') {
        assert.match(
          String(lines[0]),
          /^Error: broken\n {4}at .*app\.settings\.test\.ts[^]*\n {4}detail: 1$/,
        );
      } else {
        assert.deepEqual(lines, [error]);
      }
    }
    await same(web => quiet(web()), '/none');
  });
});

/* eslint-disable @typescript-eslint/no-explicit-any -- arguments that the types refuse */
type Any = any;

/** Returns an application that responds with the layers that a request passed through. */
const noting =
  (build: (app: web.Application, name: (id: string) => web.RequestHandler, web: Any) => unknown) =>
  (web: Any): web.Application => {
    const app = quiet(web());
    const seen: unknown[] = [];
    const name = (id: string) => (req: Any, _res: Any, next: (error?: unknown) => void) => {
      seen.push([id, req.method, req.baseUrl, req.url, { ...req.params }]);
      next();
    };
    build(app, name as never, web);
    app.use((_req, res) => void res.status(404).json(seen));
    app.use(((error: Error, _req, res, _next) => {
      res.status(500).json([seen, error.name, error.message]);
    }) as web.ErrorRequestHandler);
    return app;
  };

/** Fixes the environment of an application. */
function inEnvironment(app: web.Application, env: string): web.Application {
  const { settings } = app as unknown as { settings: object };
  Object.defineProperty(settings, 'env', { get: () => env, set: () => undefined });
  return app;
}

/** Members of applications, their events and settings, that are the same in Express 5 as in Express 4. */
describe('app', () => {
  test('app.param: passes errors to the error handlers, keeps a leading colon, and has no function form', async () => {
    const build = noting((app: Any, name) => {
      app.param('a', (_req: Any, _res: Any, next: Any, value: string) =>
        next(value === 'x' && new Error('no x')),
      );
      app.param(':b', name('never'));
      app.param('c', (req: Any, _res: Any, next: Any) => next(req.params.c === 'r' ? 'route' : undefined));
      app.get('/p/:a', name('a')).get('/p/:b', name('b')).get('/q/:c', name('c')).get('/q/:d', name('d'));
    });
    for (const path of ['/p/x', '/p/y', '/q/r', '/q/s', '/p/%zz']) await same(build, path);
    alike(web => (web() as Any).param(() => () => undefined));
  });

  test('values: an undecodable value is an error, and matching continues with it', async t => {
    t.mock.method(console, 'error', () => undefined);
    const build = noting((app: Any, name) => {
      app.use('/:m', name('mount')).get('/x/:id', name('route')).get('/x/*rest', name('rest'));
      app.use(((error: Any, _req: Any, _res: Any, next: Any) =>
        next(new Error(`${error.status} ${error.expose}`))) as Any);
    });
    for (const path of ['/%zz', '/x/%E0%A4', '/x/a/%', '/%zz/x']) await same(build, path);
    for (const env of ['test', 'production']) {
      await same(web => inEnvironment(web().get('/:id', () => undefined) as web.Application, env), '/%zz');
    }
  });

  test('app.listen: without a callback, errors are emitted on the server', async () => {
    const taken = http.createServer().listen(0);
    for (const framework of Object.values(frameworks)) {
      const [error] = (await once(framework().listen(taken.address() as AddressInfo), 'error')) as [Any];
      assert.equal(error.code, 'EADDRINUSE');
    }
    taken.close();
  });
});
