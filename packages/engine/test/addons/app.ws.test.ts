// runs: each
/** `app.ws` and `router.ws`: requests for a WebSocket pass through the application, and a route opens the socket. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addResponseHook } from '@ristretto/response-hooks';
import session from 'express-session';
import web from 'ristretto';
import type { Request, Socket } from 'ristretto';
import web5 from 'ristretto5';
import { WebSocketServer } from 'ws';
import { ask, portOf } from '../support/http.js';
import { until } from '../support/until.js';
import {
  FIN,
  frame,
  handshake,
  KEY,
  open,
  requestLines,
  TEXT,
  versions,
  withSockets,
} from '../support/websocket.js';

type App = ReturnType<typeof web>;
type Middleware = (req: Request, res: web.Response, next: web.NextFunction) => void;

/** Opens a socket to an application, and returns what its client has observed at the end. */
const seenBy = (
  app: App,
  path: string,
  headers: Record<string, string> = {},
): ReturnType<typeof open>['over'] =>
  withSockets(app, async port => await open(port, path, { headers }).over);

const closing = (socket: Socket): void => {
  socket.close(1000, 'done');
};

for (const { version, make } of versions) {
  describe(`app.ws, Express ${version}`, () => {
    test('open: passes the socket and the request, with parameters, query and what middleware has set', async () => {
      const app = make();
      app.use((req, _res, next) => {
        Object.assign(req, { user: 'ada' });
        next();
      });
      app.ws('/rooms/:room', (socket, req) => {
        const { user } = req as Request & { user?: string };
        socket.send(JSON.stringify([req.params.room, req.query, user, req.method, req.url]));
        closing(socket);
      });
      const { messages, code, reason } = await seenBy(app, '/rooms/7?a=1');
      assert.deepEqual(JSON.parse(messages[0]!), ['7', { a: '1' }, 'ada', 'GET', '/rooms/7?a=1']);
      assert.deepEqual([code, reason], [1000, 'done']);
    });

    test('open: sends the headers that middleware has set, with 101', async () => {
      const app = make();
      app.use(((_req, res, next) => {
        res.setHeader('X-Layer', '1');
        next();
      }) as Middleware);
      app.ws('/', closing);
      await withSockets(app, async port => {
        const { over, ready, socket } = open(port, '/');
        const { headers } = await ready;
        assert.deepEqual(
          [headers['x-layer'], headers.upgrade, headers.connection],
          ['1', 'websocket', 'Upgrade'],
        );
        assert.equal(socket.protocol, '');
        await over;
      });
    });

    test('open: receives what the client sends right after the response', async () => {
      const app = make();
      const received: string[] = [];
      app.ws('/', socket => socket.on('message', data => received.push(String(data))));
      await withSockets(app, async port => {
        const { socket, ready } = open(port, '/');
        await ready;
        for (const text of ['a', 'b', 'c']) socket.send(text);
        await until(() => received.length === 3);
        assert.deepEqual(received, ['a', 'b', 'c']);
        socket.close();
      });
    });

    test('middleware: a response from an earlier handler rejects the socket, and is sent unchanged', async () => {
      const app = make();
      let isOpened = false;
      const refuse = ((_req, res) => {
        res.statusCode = 401;
        res.setHeader('WWW-Authenticate', 'Basic');
        res.setHeader('Content-Type', 'application/json');
        res.end('{"error":"who are you?"}');
      }) as Middleware;
      app.ws('/', refuse, () => (isOpened = true));
      const { status, headers, text, messages } = await seenBy(app, '/');
      assert.deepEqual([status, text, messages], [401, '{"error":"who are you?"}', []]);
      assert.deepEqual([headers['www-authenticate'], headers.connection], ['Basic', 'close']);
      assert.equal(isOpened, false);
    });

    test('no route: sends the 404 of the application', async () => {
      const app = make();
      app.ws('/chat', closing);
      const { status, text } = await seenBy(app, '/other');
      assert.equal(status, 404);
      assert.match(text!, /Cannot GET \/other/);
    });

    test('no route: sends the response of a route for GET', async () => {
      const app = make();
      app.ws('/chat', closing);
      app.get('/page', (_req, res) => void res.send('page'));
      const { status, text } = await seenBy(app, '/page');
      assert.deepEqual([status, text], [200, 'page']);
    });

    const refusing: Record<string, [status: number, Middleware]> = {
      'a hook throws': [
        403,
        (_req, res, next) => {
          res.onSend(() => {
            throw Object.assign(new Error('no'), { status: 403 });
          });
          next();
        },
      ],
      'a hook rejects': [
        403,
        (_req, res, next) => {
          res.onSend(() =>
            sleep(1).then(() => Promise.reject(Object.assign(new Error('no'), { status: 403 }))),
          );
          next();
        },
      ],
      'a hook of a package rejects': [
        500,
        (_req, res, next) => {
          addResponseHook(res, { whole: () => Promise.reject(new Error('no')) });
          next();
        },
      ],
      'a hook sets another status': [
        403,
        (_req, res, next) => {
          res.onSend(() => void res.status(403));
          next();
        },
      ],
      'a deadline passes while a hook waits': [
        503,
        (req, res, next) => {
          web.deadline(20)(req, res, error => {
            if (error === undefined) res.onSend(() => sleep(100));
            next(error);
          });
        },
      ],
      'a response has been sent before': [
        200,
        (_req, res, next) => {
          res.send('early');
          next();
        },
      ],
    };
    for (const [what, [expected, middleware]] of Object.entries(refusing)) {
      test(`refusal: if ${what}, no socket opens, the connection is closed, and nothing is counted`, async () => {
        const app = make();
        let count = 0;
        const handler = (): void => void count++;
        app.use('/refused', middleware);
        app.ws('/refused', { maxConnections: 1 }, handler);
        app.ws('/open', { maxConnections: 1 }, closing);
        await withSockets(app, async port => {
          for (let round = 0; round < 2; round++) {
            const frames = frame(FIN | TEXT, 'hello').toString('latin1');
            const text = await handshake(port, requestLines('/refused'), frames);
            assert.match(text, new RegExp(`^HTTP/1.1 ${expected} `));
            assert.doesNotMatch(text, /101 Switching/);
          }
          await until(async () => (await open(port, '/open').over).code === 1000);
        });
        const refusal = await app.inject.ws('/refused').catch((error: unknown) => error);
        assert.ok(refusal instanceof Error);
        if (expected !== 200) assert.equal((refusal as { status?: number }).status, expected);
        assert.equal(count, 0);
      });
    }

    test('other requests: skip the route, and OPTIONS does not list it', async () => {
      const app = make();
      app.ws('/chat', closing);
      app.get('/chat', (_req, res) => void res.send('page'));
      app.ws('/only', closing);
      assert.equal((await ask(app, '/chat')).text, 'page');
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        assert.equal((await ask(app, { method, path: '/only' })).status, 404, method);
      }
      const { headers } = await ask(app, { method: 'OPTIONS', path: '/chat' });
      assert.match(String(headers.allow), /^GET, ?HEAD$/);
    });

    test('errors: an error before the socket opens goes to the error handlers', async () => {
      const app = make();
      const fail = (() => {
        throw Object.assign(new Error('no'), { status: 418 });
      }) as Middleware;
      app.ws('/', fail, closing);
      app.use(((err: Error, _req: Request, res: web.Response, _next: web.NextFunction) => {
        res.statusCode = 418;
        res.end(err.message);
      }) as never);
      const { status, text } = await seenBy(app, '/');
      assert.deepEqual([status, text], [418, 'no']);
    });

    test('errors: a handler that throws, rejects or calls next(err) is logged, and closes the socket with 1011', async () => {
      const app = make();
      const logged: unknown[] = [];
      app.set('error logger', ({ error }: { error: unknown }) => logged.push(error));
      app.ws('/throws', () => {
        throw new Error('thrown');
      });
      app.ws('/rejects', () => Promise.reject(new Error('rejected')));
      app.ws('/passes', (_socket, _req, next) => {
        next();
        next(new Error('passed'));
      });
      app.ws('/listener', socket => {
        socket.on('message', () => {
          throw new Error('in a listener');
        });
      });
      app.ws('/async', socket => {
        socket.on('message', () => Promise.reject(new Error('in an async listener')));
      });
      await withSockets(app, async port => {
        for (const path of ['/throws', '/rejects', '/passes', '/listener', '/async']) {
          const { socket, ready, over } = open(port, path);
          await ready;
          socket.send('x');
          assert.equal((await over).code, 1011, path);
        }
      });
      assert.deepEqual(
        logged.map(error => (error as Error).message),
        ['thrown', 'rejected', 'passed', 'in a listener', 'in an async listener'],
      );
    });

    test('mounts: routes of mounted applications and routers open sockets', async () => {
      const app = make();
      const inner = make();
      inner.ws('/:id', (socket, req) => {
        socket.send([req.baseUrl, req.params.id].join());
        closing(socket);
      });
      app.use('/inner', inner);
      const { messages } = await seenBy(app, '/inner/7');
      assert.deepEqual(messages, ['/inner,7']);
    });

    test('param: callbacks run before the socket opens', async () => {
      const app = make();
      app.param('id', ((req, _res, next, id: string) => {
        Object.assign(req, { found: `user ${id}` });
        next();
      }) as web.RequestParamHandler);
      app.ws('/:id', (socket, req) => {
        socket.send((req as Request & { found?: string }).found!);
        closing(socket);
      });
      assert.deepEqual((await seenBy(app, '/7')).messages, ['user 7']);
    });

    test('sessions: are loaded before the socket opens, and saved before the response', async () => {
      const app = make();
      app.use(session({ secret: 'test', resave: false, saveUninitialized: true }) as never);
      app.ws('/', (socket, req) => {
        const { session: own } = req as Request & {
          session: { visits?: number; save(done: () => void): void };
        };
        own.visits = (own.visits ?? 0) + 1;
        own.save(() => {
          socket.send(String(own.visits));
          closing(socket);
        });
      });
      await withSockets(app, async port => {
        const first = await open(port, '/').over;
        const [cookie] = first.headers['set-cookie']![0]!.split(';');
        const second = await open(port, '/', { headers: { cookie: cookie! } }).over;
        assert.deepEqual([first.messages, second.messages], [['1'], ['2']]);
      });
    });

    test('AsyncLocalStorage: the handler and listeners run in the context of the request', async () => {
      const app = make();
      const storage = new AsyncLocalStorage<string>();
      app.use((_req, _res, next) => {
        storage.run('request', next);
      });
      const seen: unknown[] = [];
      app.ws('/', socket => {
        seen.push(storage.getStore());
        socket.on('message', () => {
          seen.push(storage.getStore());
          closing(socket);
        });
        socket.on('close', () => seen.push(storage.getStore()));
      });
      await withSockets(app, async port => {
        const { socket, ready, over } = open(port, '/');
        await ready;
        socket.send('x');
        await over;
        await until(() => seen.length === 3);
      });
      assert.deepEqual(seen, ['request', 'request', 'request']);
    });

    test('arguments: throws without a handler, and for other values in its place', () => {
      const app = make();
      const call = app.ws as (...args: unknown[]) => unknown;
      assert.throws(() => call.call(app, '/'), {
        message: 'app.ws() requires a handler: (socket, req) => { … }',
      });
      assert.throws(() => call.call(app, '/', {}), /requires a handler/);
      assert.throws(() => call.call(app, '/', 7), {
        message: 'app.ws(): expected options and then functions, got 7',
      });
      assert.equal(call.call(app, '/', closing), app);
    });
  });
}

for (const [version, express] of Object.entries({ 4: web, 5: web5 as unknown as typeof web })) {
  describe(`router.ws, Express ${version}`, () => {
    const make = (): App => express().set('env', 'test');

    test('open: runs the middleware of the router, with merged parameters', async () => {
      const app = make();
      const router = express.Router({ mergeParams: true });
      const calls: string[] = [];
      router.use((_req, _res, next) => {
        calls.push('router');
        next();
      });
      const returned = router.ws('/:b', (socket, req) => {
        socket.send(JSON.stringify([req.params, req.baseUrl, req.matchedPath]));
        closing(socket);
      });
      assert.equal(returned, router);
      app.use('/:a', router);
      const { messages } = await seenBy(app, '/1/2');
      assert.deepEqual(JSON.parse(messages[0]!), [{ a: '1', b: '2' }, '/1', '/:a/:b']);
      assert.deepEqual(calls, ['router']);
    });

    test('others: other listeners for upgrade get only requests without a route in mounted routers', async () => {
      const app = make();
      const router = express.Router();
      router.ws('/:b', closing);
      app.use('/:a', express().use('/in', router));
      app.get('/page', (_req, res) => void res.send('page'));
      const server = http.createServer(app);
      server.on(
        'upgrade',
        (_req, socket) => void socket.end('HTTP/1.1 410 Gone\r\nConnection: close\r\n\r\n'),
      );
      await withSockets(server, async port => {
        assert.equal((await open(port, '/1/in/2').over).reason, 'done');
        for (const path of ['/page', '/1/in', '/1/out/2', '/1/in/2/3', '/1/in/%']) {
          assert.equal((await open(port, path).over).status, 410, path);
        }
      });
    });

    test('order: a route registered earlier responds first', async () => {
      const app = make();
      app.get('/chat', (_req, res) => void res.send('page'));
      app.ws('/chat', closing);
      assert.equal((await seenBy(app, '/chat')).text, 'page');
    });

    test('routes: lists it as a WebSocket', () => {
      const app = make();
      app.ws(
        '/rooms/:room',
        function authenticate() {},
        function join() {},
      );
      const [info] = app.routes().filter(({ kind }) => kind === 'websocket');
      assert.deepEqual(
        [info!.path, info!.params, info!.handlers],
        ['/rooms/:room', ['room'], ['authenticate', 'join']],
      );
      assert.equal(info!.method, undefined);
    });

    test('remove: removes it by its path', async () => {
      const app = make();
      app.ws('/chat', closing);
      assert.equal(app.remove('/chat'), 1);
      assert.equal((await seenBy(app, '/chat')).status, 404);
    });

    test('web.validate: refuses a request with invalid parameters, and passes the output', async () => {
      const app = make();
      const number = {
        '~standard': {
          version: 1 as const,
          vendor: 'test',
          validate: (value: unknown) => {
            const id = Number((value as { id: string }).id);
            return Number.isNaN(id) ? { issues: [{ message: 'no number' }] } : { value: { id } };
          },
          types: undefined as { input: { id: string }; output: { id: number } } | undefined,
        },
      };
      app.ws('/:id', express.validate({ params: number }), (socket, req) => {
        socket.send(req.params.id.toFixed(1));
        closing(socket);
      });
      assert.equal((await seenBy(app, '/x')).status, 400);
      assert.deepEqual((await seenBy(app, '/7')).messages, ['7.0']);
    });

    test('deadline: applies until the socket opens, and not after', async () => {
      const app = make();
      app.use(express.deadline(20));
      app.ws('/slow', () => undefined, closing);
      app.ws('/open', socket => void sleep(60).then(() => socket.close(1000, 'late')));
      assert.equal((await seenBy(app, '/slow')).status, 503);
      assert.equal((await seenBy(app, '/open')).reason, 'late');
    });

    test('signal: is aborted when the socket closes, whenever it was read', async () => {
      const app = make();
      const signals: AbortSignal[] = [];
      let isAbortedWhileOpen: boolean | undefined;
      app.use((req, _res, next) => {
        signals.push(req.signal);
        next();
      });
      app.ws('/', (socket, req) => {
        signals.push(req.signal);
        isAbortedWhileOpen = req.signal.aborted;
        socket.on('message', () => socket.close());
      });
      await withSockets(app, async port => {
        const { socket, ready, over } = open(port, '/');
        await ready;
        socket.send('x');
        await over;
        await until(() => signals[0]!.aborted);
      });
      assert.equal(signals[0], signals[1]);
      assert.equal(isAbortedWhileOpen, false);
      assert.equal((signals[0]!.reason as Error).name, 'AbortError');
    });
  });
}

describe('app.ws, servers', () => {
  const make = (): App => web().set('env', 'test');

  test('listen: works on servers of app.listen, also if the route is registered later', async () => {
    const app = make();
    const server = app.listen(0);
    const port = await portOf(server);
    app.ws('/', closing);
    assert.equal((await open(port, '/').over).reason, 'done');
    server.close();
  });

  test('upgrade: a handshake behind an unfinished request opens the socket after its response', async () => {
    const app = make();
    app.ws('/', closing);
    app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 20));
    await withSockets(app, async port => {
      // Without its close frame, the server waits for half a minute.
      const closeFrame = '\x88\x80\0\0\0\0';
      const lines = ['GET /slow HTTP/1.1', 'Host: a', '', ...requestLines('/')];
      const text = await handshake(port, lines, closeFrame);
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\nslowHTTP\/1\.1 101 /);
    });
  });

  test('upgrade: a response that refuses a handshake may be longer than the buffers of its connection', async () => {
    const app = make();
    app.ws('/', closing);
    app.get('/long', (_req, res) => void Readable.from(Array(20).fill('x'.repeat(50_000))).pipe(res));
    await withSockets(app, async port => {
      const text = await handshake(port, requestLines('/long'));
      assert.equal(text.match(/x/g)?.length, 1_000_000);
    });
  });

  test('upgrade: a request for another protocol is served as if it had not asked for it, with its body', async () => {
    const app = make();
    app.ws('/', closing);
    app.post('/', web.text(), (req, res) => void res.send(`body: ${String(req.body)}`));
    await withSockets(app, async port => {
      const text = await handshake(
        port,
        [
          'POST / HTTP/1.1',
          'Host: a',
          'Connection: Upgrade, HTTP2-Settings, close',
          'Upgrade: h2c',
          'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
          'Content-Type: text/plain',
          'Content-Length: 5',
        ],
        'hello',
      );
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(text, /\r\n\r\nbody: hello$/);
    });
  });

  for (const isLater of [false, true]) {
    const when = isLater ? 'registered after the first connection' : 'registered before';
    test(`others: a WebSocketServer of ws keeps its paths, ${when}`, async () => {
      const app = make();
      app.ws('/ours', closing);
      const server = http.createServer(app);
      const attach = (): WebSocketServer => {
        const others = new WebSocketServer({ server, path: '/theirs' });
        others.on('connection', (socket, req) => {
          socket.close(
            1000,
            `theirs ${String(Object.getPrototypeOf(req) === http.IncomingMessage.prototype)}`,
          );
        });
        return others;
      };
      if (!isLater) attach();
      await withSockets(server, async port => {
        if (isLater) {
          await open(port, '/ours').over;
          attach();
        }
        assert.equal((await open(port, '/theirs').over).reason, 'theirs true');
        assert.equal((await open(port, '/ours').over).reason, 'done');
        assert.equal((await open(port, '/none').over).status, 400);
        assert.equal((await open(port, '/theirs').over).reason, 'theirs true');
      });
    });
  }

  test('others: a listener can be removed', async () => {
    const app = make();
    app.ws('/ours', closing);
    const server = http.createServer(app);
    let calls = 0;
    const listener = (_req: unknown, socket: { end(text: string): void }): void => {
      calls++;
      socket.end('HTTP/1.1 410 Gone\r\nConnection: close\r\n\r\n');
    };
    server.on('upgrade', listener);
    await withSockets(server, async port => {
      assert.equal((await open(port, '/').over).status, 410);
      server.off('upgrade', listener);
      assert.equal((await open(port, '/').over).status, 404);
      assert.equal(calls, 1);
    });
  });

  test('others: a wrapper around the application is found by its first request', async () => {
    const app = make();
    app.ws('/ours', closing);
    const server = http.createServer((req, res) => {
      app(req, res);
    });
    await withSockets(server, async port => {
      await fetch(`http://127.0.0.1:${String(port)}/`);
      assert.equal((await open(port, '/ours').over).reason, 'done');
    });
  });

  for (const { version, make: makeVersion } of versions) {
    test(`others: an application behind another listener is found before its first request, Express ${version}`, async () => {
      const app = makeVersion();
      let requests = 0;
      app.use((_req: unknown, _res: unknown, next: () => void) => {
        requests++;
        next();
      });
      const server = http.createServer(app as http.RequestListener);
      // What Socket.IO does: it puts its own listener in front, and ends upgrades that nothing has responded to.
      const listeners = server.listeners('request') as http.RequestListener[];
      server.removeAllListeners('request');
      server.on('request', (req: http.IncomingMessage, res: http.ServerResponse) => {
        if (req.url!.startsWith('/theirs')) res.end();
        else for (const listener of listeners) listener.call(server, req, res);
      });
      new WebSocketServer({ server, path: '/theirs' }).on('connection', socket => {
        socket.close(1000, 'theirs');
      });
      app.ws('/ours', closing);
      await withSockets(server, async port => {
        assert.equal((await open(port, '/ours').over).reason, 'done');
        assert.equal(requests, 1);
        assert.equal((await open(port, '/theirs').over).reason, 'theirs');
        assert.equal((await open(port, '/none').over).status, 400);
        assert.equal(requests, 1);
      });
    });
  }

  test('others: a server without an application gets OPTIONS * once, and keeps its sockets', async () => {
    make().ws('/', closing);
    const seen: unknown[] = [];
    const server = http.createServer((req, res) => {
      seen.push([req.method, req.url]);
      res.on('close', () => seen.push('close')).end();
      throw new Error('cannot handle this');
    });
    new WebSocketServer({ server }).on('connection', socket => {
      socket.close(1000, 'theirs');
    });
    await withSockets(server, async port => {
      for (let i = 0; i < 2; i++) assert.equal((await open(port, '/').over).reason, 'theirs');
      assert.deepEqual(seen, [['OPTIONS', '*'], 'close']);
    });
  });

  test('abort: a client that disconnects during middleware gets no socket, causes no error, and takes no place', async () => {
    const app = make();
    const proceed: (() => void)[] = [];
    const errors: unknown[] = [];
    let [closed, opened] = [0, 0];
    app.use((_req, res, next) => {
      res.on('close', () => closed++);
      proceed.push(next);
    });
    app.ws('/', { maxConnections: 1 }, socket => {
      opened++;
      closing(socket);
    });
    app.use((error: unknown, _req: unknown, _res: unknown, next: (error: unknown) => void) => {
      errors.push(error);
      next(error);
    });
    await withSockets(app, async port => {
      for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const client = net.connect(port, '127.0.0.1');
        client.on('error', () => undefined).write([...requestLines('/'), '', ''].join('\r\n'));
        const count = proceed.length;
        await until(() => proceed.length > count);
        client[end]();
        await sleep(20);
        proceed.at(-1)!();
        await until(() => closed > count);
      }
      const after = open(port, '/');
      await until(() => proceed.length === 4);
      proceed.at(-1)!();
      assert.equal((await after.over).reason, 'done');
    });
    assert.deepEqual([opened, errors], [1, []]);
  });

  test('pipelined: bytes after the request are not read before the socket opens', async () => {
    const app = make();
    const received: string[] = [];
    app.use((_req, _res, next) => void setTimeout(next, 10));
    app.ws('/', socket => {
      socket.on('message', data => {
        received.push(String(data));
        socket.close();
      });
    });
    await withSockets(app, async port => {
      // A masked frame with the text "hi", its mask all zeros, and a close frame.
      const frames = '\x81\x82\0\0\0\0hi\x88\x80\0\0\0\0';
      const text = await handshake(port, requestLines('/'), frames);
      assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
      assert.match(text, /\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/);
      assert.deepEqual(received, ['hi']);
    });
  });

  test('handshake: refuses malformed requests with 400 or 426', async () => {
    const app = make();
    app.ws('/', closing);
    const lines = requestLines('/');
    const without = (name: string, ...more: string[]): string[] => [
      ...lines.filter(line => !line.startsWith(name)),
      ...more,
    ];
    await withSockets(app, async port => {
      const statusOf = async (given: string[], body = ''): Promise<string> =>
        (await handshake(port, given, body)).slice(9, 12);
      assert.equal(await statusOf(without('Sec-WebSocket-Version')), '426');
      assert.equal(await statusOf(without('Sec-WebSocket-Version', 'Sec-WebSocket-Version: 7')), '426');
      assert.equal(await statusOf(without('Sec-WebSocket-Key')), '400');
      assert.equal(await statusOf(without('Sec-WebSocket-Key', 'Sec-WebSocket-Key: short')), '400');
      assert.equal(await statusOf([...lines, `Sec-WebSocket-Key: ${KEY}`]), '400');
      assert.equal(await statusOf([...lines, 'Content-Length: 3'], 'abc'), '400');
      assert.equal(await statusOf([...lines, 'Transfer-Encoding: chunked'], '0\r\n\r\n'), '400');
      assert.equal(await statusOf([...lines, 'Sec-WebSocket-Protocol: a,,b']), '400');
    });
  });
});
