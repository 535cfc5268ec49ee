/** The channels `ristretto.request`, `ristretto.request.route` and `ristretto.render`. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import type { ClientHttp2Stream } from 'node:http2';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask, askPort, portOf, withServer } from '../support/http.js';
import { askHttp2, withSession } from '../support/http2.js';
import { tmpl, VIEWS } from '../support/views.js';

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

/** Resolves with a note of each event of a tracing channel, once `count` events have been emitted. */
async function traced<Message>(
  name: string,
  count: number,
  note: (event: string, message: Message) => unknown,
  use: () => unknown,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  const channel = tracingChannel(name);
  await new Promise<void>((resolve, reject) => {
    const listeners = Object.fromEntries(
      EVENTS.map(event => [
        event,
        (message: unknown) => {
          seen.push(note(event, message as Message));
          if (seen.length < count) return;
          channel.unsubscribe(listeners as never);
          setImmediate(resolve);
        },
      ]),
    );
    channel.subscribe(listeners as never);
    Promise.resolve(use()).catch(reject);
  });
  return seen;
}

const traceRequests = (count: number, use: () => unknown): Promise<unknown[]> =>
  traced<web.RequestTrace>(
    'ristretto.request',
    count,
    (event, { req, res, error, aborted }) => {
      const failure = error instanceof Error ? [error.message] : [];
      return [
        event,
        req.originalUrl ?? req.url,
        res.statusCode,
        ...failure,
        ...(aborted === undefined ? [] : [aborted]),
      ];
    },
    use,
  );

const hello = (arrived: () => void = () => undefined): web.Express => {
  const app = web().set('env', 'test');
  app.get('/later', (_req, res) => void setTimeout(() => res.status(201).send('later'), 2));
  app.get('/fails', (_req, _res, next) => {
    next(new Error('failed'));
  });
  app.get('/hangs', arrived);
  app.get('/begins', (_req, res) => {
    res.write('begun');
    arrived();
  });
  app.get('/:name', (req, res) => void res.send(req.params.name));
  return app;
};

const ways: Record<string, (path: string) => unknown> = {
  'HTTP/1.1': path => ask(hello(), path),
  'HTTP/2': path => askHttp2(hello(), path),
  'app.fetch': async path => (await hello().fetch(new Request(`http://localhost${path}`))).text(),
  'app.inject': path => hello().inject(path),
};

describe('ristretto.request', () => {
  for (const [way, send] of Object.entries(ways)) {
    test(`start, end, asyncStart, asyncEnd: are emitted for a request by ${way}`, async () => {
      assert.deepEqual(await traceRequests(4, () => send('/name')), [
        ['start', '/name', 200],
        ['end', '/name', 200],
        ['asyncStart', '/name', 200, false],
        ['asyncEnd', '/name', 200, false],
      ]);
    });

    test(`end: is emitted before a response that is sent later, by ${way}`, async () => {
      assert.deepEqual(await traceRequests(4, () => send('/later')), [
        ['start', '/later', 200],
        ['end', '/later', 200],
        ['asyncStart', '/later', 201, false],
        ['asyncEnd', '/later', 201, false],
      ]);
    });

    test(`error: is emitted for an error that no handler handled, by ${way}`, async () => {
      assert.deepEqual(await traceRequests(5, () => send('/fails')), [
        ['start', '/fails', 200],
        ['error', '/fails', 200, 'failed'],
        ['end', '/fails', 200, 'failed'],
        ['asyncStart', '/fails', 500, 'failed', false],
        ['asyncEnd', '/fails', 500, 'failed', false],
      ]);
    });
  }

  test('start, end, asyncStart, asyncEnd: are emitted once with the setting `strict http`, for refused requests too', async () => {
    const strict = (): web.Express => hello().enable('strict http');
    assert.deepEqual(await traceRequests(4, () => ask(strict(), '/name')), [
      ['start', '/name', 200],
      ['end', '/name', 200],
      ['asyncStart', '/name', 200, false],
      ['asyncEnd', '/name', 200, false],
    ]);
    const refused = { path: '/name', headers: { host: ['a', 'b'] } };
    const seen = await traceRequests(5, () => ask(strict(), refused as never));
    assert.deepEqual(seen.at(-1), ['asyncEnd', '/name', 400, 'bad Host', false]);
    const outer = web().set('env', 'test').enable('strict http');
    outer.use('/inner', strict());
    assert.equal((await traceRequests(4, () => ask(outer, '/inner/name'))).length, 4);
  });

  test('error: is not emitted for a path without a handler', async () => {
    const seen = await traceRequests(4, () => ask(web(), '/none'));
    assert.deepEqual(seen.at(-1), ['asyncEnd', '/none', 404, false]);
  });

  test('error: is emitted to a subscriber added after the request had arrived', async () => {
    const seen: unknown[] = [];
    const listen = (message: unknown): void => {
      const { app: from, req, res, error } = message as web.RequestTrace;
      seen.push(from === app, req.url, res.statusCode, (error as Error).message);
    };
    const app = web().set('env', 'test');
    app.use((_req, _res, next) => {
      subscribe('tracing:ristretto.request:error', listen);
      next(new Error('late'));
    });
    await ask(app);
    unsubscribe('tracing:ristretto.request:error', listen);
    assert.deepEqual(seen, [true, '/', 200, 'late']);
  });

  test('aborted: is true if the client disconnects before the response is complete', async () => {
    for (const path of ['/hangs', '/begins']) {
      let request: http.ClientRequest | undefined;
      const server = http.createServer(hello(() => request!.destroy())).listen(0, '127.0.0.1');
      const seen = await traceRequests(4, async () => {
        const port = await portOf(server);
        request = http.get({ port, path, agent: false }).on('error', () => undefined);
      });
      server.close();
      assert.deepEqual(seen.at(-1), ['asyncEnd', path, 200, true]);
    }
  });

  test('aborted: is true if the client resets the stream, by HTTP/2', async () => {
    let stream: ClientHttp2Stream | undefined;
    const app = hello(() => stream!.close(8));
    const seen = await traceRequests(4, () =>
      withSession(app.listen({ http2: true, port: 0 }), async session => {
        stream = session.request({ ':path': '/hangs' });
        await once(stream, 'close');
      }),
    );
    assert.deepEqual(seen.at(-1), ['asyncEnd', '/hangs', 200, true]);
  });

  test('aborted: is true if the signal of the request is aborted, by app.fetch', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const app = hello(() => {
      controller.abort();
    });
    const seen = await traceRequests(4, () =>
      Promise.resolve(app.fetch(new Request('http://localhost/hangs', { signal }))).catch(() => undefined),
    );
    assert.deepEqual(seen.at(-1), ['asyncEnd', '/hangs', 200, true]);
  });

  test('app: is the application that received the request first, and emits its events once', async () => {
    const inner = hello();
    const outer = web();
    outer.use('/mounted', inner);
    outer.use('/handed', (req, res) => {
      inner(req, res);
    });
    for (const path of ['/mounted/x', '/handed/x']) {
      const seen = await traced<web.RequestTrace>(
        'ristretto.request',
        4,
        (event, { app }) => [event, app === outer],
        () => ask(outer, path),
      );
      assert.deepEqual(seen, [
        ['start', true],
        ['end', true],
        ['asyncStart', true],
        ['asyncEnd', true],
      ]);
    }
  });

  test('start: the request has the members of the application, even on the server of another one', async () => {
    const app = web();
    const seen = await traced<web.RequestTrace>(
      'ristretto.request',
      4,
      (event, { req, res }) => [event, req.path, req.app === app, res.app === app],
      () =>
        ask((req, res) => {
          app(req, res);
        }, '/x?y'),
    );
    assert.deepEqual(seen[0], ['start', '/x', true, true]);
  });

  test('app: emits nothing if it passes the request on', async () => {
    const app = web();
    const seen: unknown[] = [];
    const listen = (message: unknown): void => void seen.push(message);
    subscribe('tracing:ristretto.request:start', listen);
    await ask((req, res) => {
      app(req as never, res as never, () => res.end());
    });
    unsubscribe('tracing:ristretto.request:start', listen);
    assert.deepEqual(seen, []);
  });

  test('end: follows an error that a patched function throws out of the application', async () => {
    const app = web();
    const router = app.use(() => undefined)._router as { handle: unknown };
    router.handle = () => {
      throw new Error('thrown out');
    };
    const seen = await traceRequests(2, () => {
      const message = Object.create(app.request) as { url: string; method: string };
      Object.assign(message, { url: '/', method: 'GET' });
      const res = new http.ServerResponse(new http.IncomingMessage(null as never));
      assert.throws(() => {
        app(message as never, res as never);
      }, /thrown out/);
    });
    assert.deepEqual(seen, [
      ['start', '/', 200],
      ['end', '/', 200],
    ]);
  });

  test('bindStore: handlers and error handlers run in the store of their request', async () => {
    const store = new AsyncLocalStorage<string>();
    const { start } = tracingChannel('ristretto.request');
    start.bindStore(store, message => `for ${(message as web.RequestTrace).req.url}`);
    try {
      const app = web();
      app.get('/fails', async () => {
        await new Promise(resolve => setTimeout(resolve, 2));
        throw new Error('failed');
      });
      app.use((_req, res) => void res.send(store.getStore()));
      app.use(((_err, _req, res, _next) => {
        res.send(`${String(store.getStore())}, failed`);
      }) as web.ErrorRequestHandler);
      await withServer(app, async port => {
        const texts = await Promise.all(
          ['/a', '/fails', '/b'].map(async path => (await askPort(port, path)).text),
        );
        assert.deepEqual(texts, ['for /a', 'for /fails, failed', 'for /b']);
      });
    } finally {
      start.unbindStore(store);
    }
  });
});

describe('ristretto.request.route', () => {
  test('route: is emitted before the first handler of each route that the request reaches', async () => {
    const app = web();
    const seen: unknown[] = [];
    app.get('/a/:id', (_req, _res, next) => {
      seen.push('handler');
      next('route');
    });
    app.post('/a/:id', (_req, _res, next) => {
      next();
    });
    app.all('/a/*', (_req, res) => void res.end());
    const listen = (message: unknown): void => {
      const { req, res, route } = message as web.RouteReport;
      seen.push(route.path, req.route === route, res.req === req);
    };
    subscribe('ristretto.request.route', listen);
    await ask(app, '/a/5');
    unsubscribe('ristretto.request.route', listen);
    await ask(app, '/a/6');
    assert.deepEqual(seen, ['/a/:id', true, true, 'handler', '/a/*', true, true, 'handler']);
  });
});

describe('ristretto.render', () => {
  const views = (): web.Express => web().set('env', 'test').set('views', VIEWS).engine('tmpl', tmpl);

  const traceRender = (count: number, use: () => unknown): Promise<unknown[]> =>
    traced<web.RenderTrace>(
      'ristretto.render',
      count,
      (event, { app, view, options, result, error }) => {
        assert.equal(typeof app.render, 'function');
        return [event, view, Object.keys(options), result ?? (error as Error | undefined)?.message];
      },
      use,
    );

  test('start, end, asyncStart, asyncEnd: are emitted for app.render and res.render', async () => {
    const app = views();
    app.get('/', (_req, res) => {
      res.render('user.tmpl', { user: { name: 'tobi' } });
    });
    const html = '<p>tobi</p>';
    const direct = await traceRender(4, () => {
      app.render('user.tmpl', { user: { name: 'tobi' } }, () => undefined);
    });
    // This engine calls back synchronously
    assert.deepEqual(direct, [
      ['start', 'user.tmpl', ['user'], undefined],
      ['asyncStart', 'user.tmpl', ['user'], html],
      ['asyncEnd', 'user.tmpl', ['user'], html],
      ['end', 'user.tmpl', ['user'], html],
    ]);
    app.engine('tmpl', (...args) => void setImmediate(tmpl, ...args));
    assert.deepEqual(await traceRender(4, () => ask(app)), [
      ['start', 'user.tmpl', ['user', '_locals'], undefined],
      ['end', 'user.tmpl', ['user', '_locals'], undefined],
      ['asyncStart', 'user.tmpl', ['user', '_locals'], html],
      ['asyncEnd', 'user.tmpl', ['user', '_locals'], html],
    ]);
  });

  test('error: is emitted for a missing view and for an error of the engine', async () => {
    const missing = await traceRender(5, () => {
      views().render('none.tmpl', () => undefined);
    });
    assert.deepEqual(
      missing.map(event => (event as unknown[]).at(0)),
      ['start', 'error', 'asyncStart', 'asyncEnd', 'end'],
    );
    const thrown = await traceRender(3, () => {
      assert.throws(() => {
        views().render('no-extension', () => undefined);
      }, /No default engine/);
    });
    assert.deepEqual(
      thrown.map(event => (event as unknown[]).at(0)),
      ['start', 'error', 'end'],
    );
  });

  test('result: a subscriber does not change what the callback receives', async () => {
    const app = views();
    const render = (): Promise<unknown> =>
      new Promise(resolve => {
        app.render('user.tmpl', { user: { name: 'loki' } }, (...args: unknown[]) => {
          resolve(args);
        });
      });
    const plain = await render();
    const results: unknown[] = [];
    await traceRender(4, async () => results.push(await render()));
    assert.deepEqual(results, [plain]);
  });
});
