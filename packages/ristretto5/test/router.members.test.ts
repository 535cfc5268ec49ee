/** Routers, routes and layers: their members, what they reject, and how a walk proceeds. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type web from 'ristretto5';
import { alike, frameworks, quiet, same } from './support/oracle.js';
import { ask } from '../../engine/test/support/http.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- tools use members that the types do not declare */
type Web = typeof frameworks.ristretto5;
const nothing = (): void => undefined;

/** A notice is emitted once per place in a program. */
const messages: string[] = [];
process.on('deprecation', (error: Error) => void messages.push(error.message));

/** Returns what a router does with a request object, without a server. */
function walked(
  web: Web,
  build: (router: any, seen: unknown[]) => void,
  url: string,
  method = 'GET',
): unknown {
  const router = web.Router() as any;
  const seen: unknown[] = [];
  build(router, seen);
  const req = { url, method } as Record<string, unknown>;
  router(req, {}, (error: unknown) => seen.push('out', req.url, error));
  return seen;
}

describe('router', () => {
  test('Layer: has the own keys of router 2.3, and retains nothing of a match', () => {
    alike(web => {
      const router = web.Router();
      router.use('/m/:id', function named() {});
      router.get(['/a', '/b'], nothing);
      router.use(nothing);
      return router.stack.map(layer => {
        const match = layer.match('/m/1/x');
        return [Object.keys(layer), layer.name, layer.rawPath, layer.slash, match, Object.keys(layer)];
      });
    });
    alike(web => {
      const [layer] = web.Route.prototype ? [new web.Route('/x')] : [];
      return [Object.keys(layer!), Object.getPrototypeOf(layer!.methods) as unknown];
    });
  });

  test('Layer: has the names of router 2 for routes, routers and applications', () => {
    alike(web => {
      const app = web();
      app.get('/a', nothing);
      app.use(web.Router());
      app.use(web());
      app.use(() => undefined);
      return app.router.stack.map(({ name, handle }) => [name, handle.name, handle.length]);
    });
  });

  test('Layer: handleRequest and handleError are looked up when called, so that tools may replace them', async () => {
    const Layer = require('ristretto5/lib/routing/layer') as {
      prototype: Record<string, (...args: unknown[]) => unknown>;
    };
    const { handleRequest, handleError } = Layer.prototype as Record<string, (...args: unknown[]) => unknown>;
    const calls: unknown[] = [];
    const app = quiet(frameworks.ristretto5());
    app.get('/', () => {
      throw new Error('x');
    });
    app.use(((_error, _req, res, _next) => void res.send('handled')) as web.ErrorRequestHandler);
    Layer.prototype.handleRequest = function (...args) {
      calls.push('request');
      return Reflect.apply(handleRequest!, this, args);
    };
    Layer.prototype.handleError = function (...args) {
      calls.push('error');
      return Reflect.apply(handleError!, this, args);
    };
    try {
      assert.equal((await ask(app)).text, 'handled');
    } finally {
      Object.assign(Layer.prototype, { handleRequest, handleError });
    }
    assert.deepEqual(calls, ['request', 'request', 'error']);
  });

  test('Layer: calls a replaced handler according to its own number of parameters', async () => {
    await Promise.all(
      Object.entries(frameworks).map(async ([name, web]) => {
        const app = quiet(web());
        app.use((_req, res) => void res.send('first'));
        app.use((_req, res) => void res.send('second'));
        const [layer] = app.router.stack;
        assert.equal((await ask(app)).text, 'first', name);
        layer!.handle = ((_err, _req, res, _next) =>
          void res.send('wrong')) as web.ErrorRequestHandler as never;
        assert.equal((await ask(app)).text, 'second', name);
        layer!.handle = (_req, res) => void res.send('third');
        assert.equal((await ask(app)).text, 'third', name);
      }),
    );
  });

  test('Layer: handleRequest can be called on an object that is not a layer', () => {
    const Layer = require('ristretto5/lib/routing/layer') as {
      prototype: Record<string, (...args: unknown[]) => unknown>;
    };
    const passed: unknown[] = [];
    const next = (err?: unknown): void => void passed.push(err);
    const own = { handle: (_req: unknown, _res: unknown, done: typeof next): void => done('called') };
    Layer.prototype.handleRequest!.call(own, {}, {}, next);
    Layer.prototype.handleRequest!.call({ handle: (_a: 1, _b: 1, _c: 1, _d: 1) => undefined }, {}, {}, next);
    assert.deepEqual(passed, ['called', undefined]);
  });

  test('Layer: matchers replaced by a tool are used, also with the index over many routes', async () => {
    const app = frameworks.ristretto5();
    for (let i = 0; i < 20; i++) app.get(`/r${String(i)}`, (_req, res) => void res.send(String(i)));
    assert.equal((await ask(app, '/r7')).text, '7');
    const [layer] = app.router.stack as any[];
    layer.matchers = [(path: string) => path === '/r7' && { path, params: {} }];
    assert.equal((await ask(app, '/r7')).text, '0');
  });

  test('listRoutes: lists each path of routes and of mounted routers', () => {
    alike(web => {
      const router = web.Router();
      const inner = web.Router();
      router.use(['/a', '/m/:x'], inner);
      router.use(nothing);
      router.all(['/x', '/y'], nothing);
      router.route('/e');
      router.route('/z').post(nothing).get(nothing);
      router.route('/h').head(nothing).get(nothing);
      router.route('/mix').all(nothing).get(nothing);
      router.use('/app', web());
      return router.listRoutes().map(({ path, methods, router }) => [path, methods, router === inner]);
    });
  });

  test('arguments: are checked by routers and routes', () => {
    const refused: ((router: any) => unknown)[] = [
      router => router.use(),
      router => router.use('/x'),
      router => router.use([]),
      router => router.use(nothing, 'x'),
      router => router.get('/x'),
      router => router.get('/x', 5),
      router => router.route('/x').get(),
      router => router.route('/x').all('x'),
      router => router.param(),
      router => router.param('x'),
      router => router.param(5, nothing),
      router => router.param('x', 5),
      router => router.handle({}, {}),
      router => router({}, {}),
      router => router.route('/:'),
    ];
    for (const call of refused) alike(web => call(web.Router()));
  });

  test('param: callbacks run once for each value, and get the array of a wildcard', async () => {
    await same(web => {
      const app = web();
      const seen: unknown[] = [];
      app.param(['id', 'rest'], (_req, _res, next, value, name) => {
        seen.push([name, value]);
        next();
      });
      app.use('/:id', (_req, _res, next) => next());
      app.get('/:id', (_req, _res, next) => next());
      app.get('/*rest', (_req, _res, next) => next());
      app.get('/*rest', (_req, res) => void res.json(seen));
      return app;
    }, '/a');
  });

  test('params: have no prototype for a path, but one for an expression, the root and mergeParams', async () => {
    await same(web => {
      const app = web();
      const seen: unknown[] = [];
      const note: web.RequestHandler = (req, _res, next) => {
        seen.push(Object.getPrototypeOf(req.params) === null, { ...req.params });
        next();
      };
      app.use('/:a', note, web.Router({ mergeParams: true }).get('/:b', note), web.Router().get('/:b', note));
      app.get(/^\/(\w)\/(\d)?/, note);
      app.use(note);
      app.use((_req, res) => void res.json(seen));
      return app;
    }, '/x/1');
  });

  test('promises: rejections of handlers, error handlers and param callbacks go to the error handlers', async () => {
    const reasons: unknown[] = [new Error('rejected'), undefined, 0, 'route', 'text'];
    for (const reason of reasons) {
      for (const kind of ['handler', 'error', 'param', 'thenable', 'route']) {
        await same(web => {
          const app = web();
          const rejects = () => Promise.reject(reason as Error);
          if (kind === 'handler') app.use(rejects);
          if (kind === 'route') app.get('/x', (_req, _res, next) => next(), rejects);
          if (kind === 'thenable') {
            app.use(() => ({ then: (_done: unknown, fail: (reason: unknown) => void) => fail(reason) }));
          }
          if (kind === 'param')
            app.param('id', rejects).get('/:id', (_req, res) => void res.send('not reached'));
          if (kind === 'error') {
            app.use(() => {
              throw new Error('first');
            });
            app.use(((_error, _req, _res, _next) => rejects()) as web.ErrorRequestHandler);
          }
          app.use(((error: Error | string, _req, res, _next) => {
            res.send(`caught ${typeof error === 'string' ? error : error.message}`);
          }) as web.ErrorRequestHandler);
          return app;
        }, '/x');
      }
    }
  });

  test('promises: a handler that rejects after calling next does not start a second walk', async t => {
    const app = quiet(frameworks.ristretto5());
    let walks = 0;
    app.use(async (_req, _res, next) => {
      next();
      await delay(1);
      throw new Error('late');
    });
    app.use((_req, _res, next) => {
      walks++;
      setTimeout(() => {
        next();
      }, 10);
    });
    app.use((_req, res) => void res.send('sent'));
    app.use(((_error, _req, _res, _next) => void walks++) as web.ErrorRequestHandler);
    t.mock.method(console, 'error', () => undefined);
    assert.equal((await ask(app)).text, 'sent');
    assert.equal(walks, 1);
  });

  test('promises: foreign thenables of handlers and parameter callbacks are deprecated', async () => {
    await same(web => {
      const app = web();
      app.param('id', ((_req: unknown, _res: unknown, next: () => void) => {
        next();
        return { then: nothing };
      }) as never);
      app.get('/:id', (_req, res) => {
        res.send('sent');
        return { then: nothing };
      });
      return app;
    }, '/1');
    for (const kind of ['handlers', 'parameters']) {
      const expected = `${kind} that are Promise-like are deprecated, use a native Promise instead`;
      assert.ok(messages.filter(message => message === expected).length >= 2, kind);
    }
  });

  test('promises: objects with a then that are no promises do what they do in Express', async () => {
    type Done = (value?: unknown) => void;
    const failure = new Error('then failed');
    const throws = (): never => {
      throw failure;
    };
    const results: Record<string, () => unknown> = {
      'calls its first function, as a reply of Fastify does': () => ({
        then: (done: Done) => setImmediate(done),
      }),
      'calls both': () => ({ then: (done: Done, fail: Done) => (done(), fail(failure)) }),
      'fails twice': () => ({ then: (_done: Done, fail: Done) => (fail(failure), fail(failure)) }),
      throws: () => ({ then: throws }),
      'cannot be read': () => Object.defineProperty({}, 'then', { get: throws }),
      'is a proxy without members': () => new Proxy({}, { get: throws }),
    };
    for (const [title, make] of Object.entries(results)) {
      for (const kind of ['handler', 'route', 'error', 'param']) {
        await same(web => {
          const app = web();
          const handler = ((_req: web.Request, res: web.Response) => {
            setTimeout(() => res.headersSent || res.send('sent'), 5);
            return make();
          }) as unknown as web.RequestHandler;
          if (kind === 'handler') app.use(handler);
          if (kind === 'route') app.get('/:id', handler);
          if (kind === 'param') app.param('id', handler as never).get('/:id', nothing);
          if (kind === 'error') {
            app.use(throws);
            app.use(((_error, req, res, next) => handler(req, res, next)) as web.ErrorRequestHandler);
          }
          app.use(((error: Error, _req, res, next) => {
            if (res.headersSent) next(error);
            else res.send(`caught ${error.message}`);
          }) as web.ErrorRequestHandler);
          return app;
        }, '/1').catch((error: unknown) => assert.fail(new Error(`${kind}: ${title}`, { cause: error })));
      }
    }
  });

  test('OPTIONS: sends the sorted methods of all matching routes without calling res.send', async () => {
    const { headers, text } = await same(
      web => {
        const app = web();
        app.post('/x', nothing).get('/:id', nothing).delete('/other', nothing);
        return app;
      },
      { method: 'OPTIONS', path: '/x' },
    );
    assert.equal(headers.allow, text);
    await same(web => web().all('/x', (_req, res) => void res.send('own')), {
      method: 'OPTIONS',
      path: '/x',
    });
    await same(web => web().use('/x', web.Router().get('/y', nothing)), { method: 'OPTIONS', path: '/x/y' });
  });

  test('use: a URL rewritten by middleware is appended to its mount path', () => {
    for (const url of ['/m', '/m/', '/m/a', '/m?x', '/m/?x', 'http://h/m/a', '/mx', '/m.x', '/m//a']) {
      for (const written of [undefined, '/zz', '/', '/?y', '', 'zz', '?y', '//']) {
        alike(web =>
          walked(
            web,
            (router, seen) => {
              router.use('/m', (req: any, _res: unknown, next: () => void) => {
                seen.push(req.url, req.baseUrl);
                if (written !== undefined) req.url = written;
                next();
              });
              router.use((req: any, _res: unknown, next: () => void) => {
                seen.push(req.url, req.baseUrl);
                next();
              });
            },
            url,
          ),
        );
      }
    }
  });

  test("next: 'route' ends the route and 'router' the router; the last layer calls out asynchronously", () => {
    for (const value of ['route', 'router', new Error('x'), 0, null]) {
      alike(web =>
        walked(
          web,
          (router, seen) => {
            router.get(
              '/',
              (_req: unknown, _res: unknown, next: (value: unknown) => void) => next(value),
              () => seen.push('second'),
            );
            router.get('/', () => seen.push('next route'));
          },
          '/',
        ),
      );
    }
  });
});
