// runs: slow, each
/**
 * HTTP/2 clients that misuse the protocol: the server does not crash, uses bounded memory, ends the session, and serves
 * other clients.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import { ATTACKS } from '../support/http2-attacks.js';
import {
  DATA,
  END_HEADERS,
  frame,
  GOAWAY,
  HEADERS,
  number,
  OPENING,
  PREFACE,
  RawSession,
  request,
  requestBlock,
  RST_STREAM,
  setting,
  SETTINGS,
  WINDOW_UPDATE,
} from '../support/http2-frames.js';
import { until } from '../support/tree.js';

const certificates = path.join(__dirname, '../../../../examples/https');
const identity = {
  key: fs.readFileSync(path.join(certificates, 'localhost-key.pem')),
  cert: fs.readFileSync(path.join(certificates, 'localhost-cert.pem')),
};

const CANCEL = 8;
const MAX_CONCURRENT_STREAMS = 3;
const INITIAL_WINDOW_SIZE = 4;
const MOST_STREAMS = 128;

/** Replaces the two minutes after which an idle session ends, in milliseconds. */
const IDLE = 100;
/** The same for a client that has nothing more to send. */
const SHORT_IDLE = 20;
const IDLE_FOR_LONG = 60_000;
/** Milliseconds after which a server has twice searched a session for abandoned streams. */
const LONG = 5000;
/** More bytes than the buffers of a connection take. */
const MORE = 20_000_000;
const LARGE_WINDOWS = Buffer.concat([
  frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 0x7fffffff)),
  frame(WINDOW_UPDATE, 0, 0, number(0x7fff0000)),
]);
const MOST_MEMORY = 100 * 1024 * 1024;

type App = ReturnType<typeof web>;

const servers: Record<string, (app: App) => Server> = {
  'http2.createServer(app)': app => http2.createServer(app as never),
  'http2.createSecureServer({ allowHTTP1 }, app)': app =>
    http2.createSecureServer({ allowHTTP1: true, ...identity }, app as never),
  'app.listen({ http2: true })': app =>
    app.listen({ http2: true, port: 0, host: '127.0.0.1' } as never) as unknown as Server,
};

/** A running server and the functions to test it. */
interface Running {
  server: Server;
  connect: () => RawSession;
  /** Ends open sessions, and those that are about to open, once they are idle. */
  endIdle: () => void;
  close: () => Promise<void>;
}

async function run(server: Server, idle?: number): Promise<Running> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const isSecure = 'setSecureContext' in server;
  const { port } = server.address() as AddressInfo;
  const open = new Set<RawSession>();
  const sessions = new Set<ServerHttp2Session>();
  let current = idle;
  const connect = (): RawSession => {
    const session = new RawSession({ port, isSecure });
    open.add(session);
    current = idle;
    return session;
  };
  // A server of `http2` is not protected before its first request.
  await assertServed(connect);
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    if (current !== undefined) session.setTimeout(current);
  });
  const close = async (): Promise<void> => {
    for (const one of [...open, ...sessions]) one.destroy();
    await new Promise(resolve => server.close(resolve));
  };
  const endIdle = (): void => {
    current = SHORT_IDLE;
    for (const session of sessions) session.setTimeout(current);
  };
  return { server, connect, endIdle, close };
}

async function assertServed(connect: () => RawSession): Promise<void> {
  const session = connect();
  await session.send(OPENING, request(1));
  const content = await session.waitFor(({ type }) => type === DATA);
  assert.equal(String(content?.payload), 'served');
  session.destroy();
}

const serving = (): App =>
  web()
    .set('env', 'test')
    .get('/', (_req, res) => void res.send('served'))
    .get('/large', (_req, res) => void res.send(Buffer.alloc(1 << 20)))
    .post('/', web.text(), (_req, res) => void res.send('taken'));

for (const [name, make] of Object.entries(servers)) {
  describe(`HTTP/2: ${name}`, () => {
    let running: Running;
    before(async () => {
      running = await run(make(serving()));
    });
    after(() => running.close());

    for (const [title, attack] of Object.entries(ATTACKS)) {
      test(`${title}: ends the session, and the next one is served`, async () => {
        const { rss } = process.memoryUsage();
        const session = running.connect();
        await attack(session);
        running.endIdle();
        assert.ok(await session.closes(5000), 'the session is still open');
        const more = process.memoryUsage().rss - rss;
        assert.ok(more < MOST_MEMORY, `${more} bytes more`);
        await assertServed(running.connect);
      });
    }

    test('a connection that ends at any byte: its request is aborted, and the next session is served', async () => {
      const conversation = Buffer.concat([
        OPENING,
        frame(HEADERS, END_HEADERS, 1, requestBlock('/', { ':method': 'POST' })),
        frame(DATA, 0, 1, Buffer.from('some')),
      ]);
      for (let end = 0; end <= conversation.length; end++) {
        const session = running.connect();
        await session.send(conversation.subarray(0, end));
        if (end % 2 === 0) session.socket.end();
        else session.destroy();
      }
      await assertServed(running.connect);
    });
  });
}

/** The number of connections of a server. */
function countOf(server: Server): number {
  return (server as unknown as { _connections: number })._connections;
}

/** Runs `use` with a server, and closes it afterwards. */
async function withRunning<T>(
  server: Server,
  use: (running: Running) => Promise<T>,
  idle = IDLE,
): Promise<T> {
  const running = await run(server, idle);
  try {
    return await use(running);
  } finally {
    await running.close();
  }
}

describe('HTTP/2: sessions without traffic', () => {
  test('CVE-2019-9517: responses waiting for a window are aborted, and the session ends', async () => {
    const app = serving();
    const ends: boolean[] = [];
    app.get('/stalled', (_req, res) => {
      res.on('close', () => ends.push(res.writableFinished));
      res.write(Buffer.alloc(70_000));
    });
    await withRunning(http2.createServer(app as never), async ({ connect }) => {
      const session = connect();
      await session.send(PREFACE, frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 0)));
      for (let stream = 1; stream < 100; stream += 2) await session.send(request(stream, '/stalled'));
      assert.ok(await session.closes(3000));
      await new Promise(setImmediate);
      assert.deepEqual(
        ends,
        Array.from({ length: 50 }, () => false),
      );
    });
  });

  test('an upload that stops: the body parser reports request.aborted, and the session ends', async () => {
    const app = serving();
    const failed = new Promise<string>(resolve => {
      app.use(((error: { type: string }, _req, _res, _next) => {
        resolve(error.type);
      }) as web.ErrorRequestHandler);
    });
    await withRunning(http2.createServer(app as never), async ({ connect }) => {
      const session = connect();
      const head = requestBlock('/', { ':method': 'POST', 'content-type': 'text/plain' });
      await session.send(OPENING, frame(HEADERS, END_HEADERS, 1, head), frame(DATA, 0, 1, Buffer.from('a')));
      assert.equal(await failed, 'request.aborted');
      assert.ok(await session.closes(3000));
    });
  });

  test('a client that stops reading from its connection: the connection is closed', async () => {
    const app = serving();
    const closed: boolean[] = [];
    app.get('/more', (_req, res) => {
      res.on('close', () => closed.push(res.writableFinished));
      res.send(Buffer.alloc(MORE));
    });
    await withRunning(http2.createServer(app as never), async ({ server, connect }) => {
      const session = connect();
      session.socket.pause();
      await session.send(OPENING, LARGE_WINDOWS, request(1, '/more'));
      await until(() => closed.length === 1);
      await until(() => countOf(server) === 0);
      assert.deepEqual(closed, [false]);
    });
  });

  test('a response that takes long to arrive: is not aborted', async () => {
    const app = serving();
    const ended = new Promise<boolean>(resolve => {
      app.get('/more', (_req, res) => {
        res.on('close', () => {
          resolve(res.writableFinished);
        });
        res.send(Buffer.alloc(MORE));
      });
    });
    await withRunning(
      http2.createServer(app as never),
      async ({ connect }) => {
        const session = connect();
        session.socket.pause();
        await session.send(OPENING, LARGE_WINDOWS, request(1, '/more'));
        await new Promise(resolve => setTimeout(resolve, LONG));
        session.socket.resume();
        assert.equal(await ended, true);
      },
      IDLE_FOR_LONG,
    );
  });

  test('an event stream: continues after GOAWAY until the application ends it', async () => {
    const app = serving();
    const events = new Promise<Response>(resolve => {
      app.get('/events', (_req, res) => {
        res.type('text/event-stream').write('first');
        resolve(res);
      });
    });
    await withRunning(http2.createServer(app as never), async ({ connect }) => {
      const session = connect();
      await session.send(OPENING, request(1, '/events'), request(3));
      const response = await events;
      assert.ok(await session.waitFor(({ type }) => type === GOAWAY));
      response.end('last');
      const last = await session.waitFor(({ payload }) => String(payload) === 'last');
      assert.equal(last?.stream, 1);
      assert.ok(await session.closes(3000));
      assert.equal(session.goAway, 0);
    });
  });

  test('an upload and an event stream: only the upload is aborted', async () => {
    const app = serving();
    const events = new Promise<Response>(resolve => {
      app.get('/events', (_req, res) => {
        res.write('first');
        resolve(res);
      });
    });
    await withRunning(http2.createServer(app as never), async ({ connect }) => {
      const session = connect();
      const head = requestBlock('/', { ':method': 'POST', 'content-type': 'text/plain' });
      await session.send(OPENING, request(1, '/events'), frame(HEADERS, END_HEADERS, 3, head));
      const reset = await session.waitFor(({ type }) => type === RST_STREAM);
      assert.deepEqual([reset?.stream, reset?.payload.readUInt32BE()], [3, CANCEL]);
      (await events).end('last');
      assert.ok(await session.waitFor(({ payload }) => String(payload) === 'last'));
    });
  });

  test('a timeout that the application has set on its server: takes precedence', async () => {
    const server = http2.createServer(serving() as never);
    server.setTimeout(100);
    const started = Date.now();
    await withRunning(
      server,
      async ({ connect }) => {
        const session = connect();
        await session.send(OPENING);
        assert.ok(await session.closes(3000));
        assert.ok(Date.now() - started < 3000);
      },
      100,
    );
  });
});

describe('HTTP/2: a session that fails while it sends', () => {
  test('several responses: are aborted without an uncaught error', async () => {
    const app = serving();
    const ends: boolean[] = [];
    app.use((_req, res, next) => {
      res.on('close', () => ends.push(res.writableFinished));
      next();
    });
    app.get('/pieces', (_req, res) => {
      res.writeEarlyHints({ link: '</a>; rel=preload' });
      res.addTrailers({ 'x-trailer': 'end' });
      res.write('piece');
      res.end();
    });
    app.get('/whole', (_req, res) => void res.send('x'.repeat(100_000)));
    await withRunning(http2.createServer(app as never), async ({ connect }) => {
      const session = connect();
      const failure = frame(RST_STREAM, 0, 0, number(CANCEL));
      await session.send(OPENING, request(1, '/none'), request(3, '/pieces'), request(5, '/whole'), failure);
      await session.closed;
      await until(() => ends.length === 3);
      assert.equal(ends.at(-1), false);
    });
  });
});

describe('HTTP/2: concurrent streams', () => {
  /** Returns the stream limits that SETTINGS frames announce to a client. */
  const limitsOf = async (session: RawSession): Promise<number[]> => {
    await session.waitFor(({ type }) => type === DATA);
    return session.frames.flatMap(({ type, payload }) => {
      const limits: number[] = [];
      for (let at = 0; type === SETTINGS && at < payload.length; at += 6) {
        if (payload.readUInt16BE(at) === MAX_CONCURRENT_STREAMS) limits.push(payload.readUInt32BE(at + 2));
      }
      return limits;
    });
  };

  const open = async ({ connect }: Pick<Running, 'connect'>): Promise<number[]> => {
    const session = connect();
    await session.send(OPENING, request(1));
    return limitsOf(session);
  };

  test('requests that never end: a server without a limit gets one with its first request', async () => {
    const server = http2.createServer(serving() as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const first = new RawSession({ port });
    await first.send(OPENING, request(1));
    assert.deepEqual(await limitsOf(first), [MOST_STREAMS]);
    first.destroy();
    await withRunning(server, async running => {
      assert.deepEqual(await open(running), [MOST_STREAMS]);
    });
  });

  test('a server whose listener calls the application: gets the limit as well', async () => {
    const app = serving();
    const server = http2.createServer((req, res) => {
      app(req as never, res as never);
    });
    await withRunning(server, async running => {
      assert.deepEqual(await open(running), [MOST_STREAMS]);
    });
  });

  test('a server that was created with a limit: keeps it', async () => {
    const server = http2.createServer({ settings: { maxConcurrentStreams: 1000 } }, serving() as never);
    await withRunning(server, async running => {
      assert.deepEqual(await open(running), [1000]);
    });
  });
});
