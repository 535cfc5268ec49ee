// runs: slow, each
/**
 * HTTP/2 clients that misuse the protocol: the server does not crash, uses bounded memory, ends the session, and serves
 * other clients.
 */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  literals,
  number,
  OPENING,
  PING,
  PREFACE,
  PRIORITY,
  RawSession,
  request,
  requestBlock,
  RST_STREAM,
  setting,
  SETTINGS,
  WINDOW_UPDATE,
} from '../support/http2-frames.js';
import { certificate } from '../support/http2.js';
import { until } from '../support/until.js';
import { portOf } from '../support/http.js';

/** Known attacks on HTTP/2 servers: each sends as much as it takes for the server to end the session. */
type Attack = (session: RawSession) => Promise<void>;
const CANCEL = 8;
const INITIAL_WINDOW_SIZE = 4;
const post = { ':method': 'POST' };

/** Sends `count` pieces while the session is open, without waiting for a session that does not read. */
async function flood(
  session: RawSession,
  count: number,
  piece: (index: number) => Uint8Array,
): Promise<void> {
  const most = 100;
  for (let at = 0; at < count && !session.isClosed; at += most) {
    const sent = session.send(...Array.from({ length: most }, (_, index) => piece(at + index)));
    await Promise.race([sent, new Promise(resolve => setTimeout(resolve, 200))]);
  }
}

const same = (count: number, bytes: Buffer): Attack => {
  return async session => {
    await session.send(OPENING);
    await flood(session, count, () => bytes);
  };
};

/** Runs an attack without reading what the server sends. */
const unread = (attack: Attack): Attack => {
  return async session => {
    session.socket.pause();
    await attack(session);
    session.socket.resume();
  };
};

const sentOnce = (...parts: Buffer[]): Attack => {
  return async session => {
    await session.send(OPENING, ...parts);
  };
};

const streamOf = (index: number): number => 1 + 2 * index;
const settings = frame(SETTINGS, 0, 0);
const ping = frame(PING, 0, 0, Buffer.alloc(8));

const header = (stream: number, payload: Uint8Array): Buffer =>
  frame(HEADERS, END_STREAM | END_HEADERS, stream, payload);

/** A header of 4,000 bytes in the dynamic table, and the index that refers to it. */
const LARGE_FIELD = Buffer.concat([
  Buffer.from([0x40, 1, 0x61, 0x7f, ((3900 - 127) % 128) | 128, (3900 - 127) >> 7]),
  Buffer.alloc(3900, 'b'),
]);
const LARGE_INDEX = 0x80 | 62;

const ATTACKS: Record<string, Attack> = {
  'CVE-2023-44487: requests that are cancelled immediately': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index => {
      const stream = streamOf(index);
      return Buffer.concat([request(stream), frame(RST_STREAM, 0, stream, number(CANCEL))]);
    });
  },
  'CVE-2025-8671: requests that make the server cancel them': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index => {
      const stream = streamOf(index);
      return Buffer.concat([request(stream), frame(WINDOW_UPDATE, 0, stream, number(0))]);
    });
  },
  'CVE-2019-9515: endless SETTINGS': same(20_000, settings),
  'endless SETTINGS, responses unread': unread(same(20_000, settings)),
  'a thousand settings in one frame': sentOnce(
    frame(SETTINGS, 0, 0, Buffer.concat(Array.from({ length: 1000 }, () => setting(0x4242, 1)))),
  ),
  'CVE-2019-9512: endless PING': same(20_000, ping),
  'endless PING, responses unread': unread(same(20_000, ping)),
  'unsolicited PING acknowledgements': same(20_000, frame(PING, ACK, 0, Buffer.alloc(8))),
  'CVE-2024-27983: endless CONTINUATION': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    const fields = literals({ x: 'y'.repeat(100) });
    await flood(session, 20_000, () => frame(CONTINUATION, 0, 1, fields));
  },
  'endless empty CONTINUATION': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    await flood(session, 20_000, () => frame(CONTINUATION, 0, 1));
  },
  'CONTINUATION, and then the connection ends': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    session.socket.end(frame(CONTINUATION, 0, 1, literals({ x: 'y' })));
  },
  'CVE-2019-9518: endless empty DATA': async session => {
    await session.send(OPENING, frame(HEADERS, END_HEADERS, 1, requestBlock('/', post)));
    await flood(session, 50_000, () => frame(DATA, 0, 1));
  },
  'endless WINDOW_UPDATE of one': same(20_000, frame(WINDOW_UPDATE, 0, 0, number(1))),
  'CVE-2026-21714: WINDOW_UPDATE after GOAWAY': async session => {
    await session.send(OPENING, frame(WINDOW_UPDATE, 0, 0, number(0x7fffffff)));
    await flood(session, 20_000, () => frame(WINDOW_UPDATE, 0, 0, number(0x7fffffff)));
  },
  'endless PRIORITY': async session => {
    await session.send(OPENING);
    await flood(session, 20_000, index => frame(PRIORITY, 0, streamOf(index), Buffer.from([0, 0, 0, 0, 16])));
  },
  'endless GOAWAY': same(10_000, frame(GOAWAY, 0, 0, Buffer.alloc(8))),
  'CVE-2025-59465: malformed HPACK': sentOnce(header(1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]))),
  'truncated HPACK': sentOnce(header(1, Buffer.from([0, 0x50, 0x41]))),
  'CVE-2026-48937: malformed HPACK, and then endless PING': async session => {
    await session.send(OPENING, header(1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])));
    await flood(session, 20_000, () => ping);
  },
  'a header block of 100 KB': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    const fields = Buffer.concat(Array.from({ length: 40 }, () => literals({ x: 'y'.repeat(120) })));
    for (let at = 0; at < 20; at++)
      await session.send(frame(CONTINUATION, at < 19 ? 0 : END_HEADERS, 1, fields));
  },
  'CVE-2026-56846: a header of 4 KB that is repeated by its index': async session => {
    const indexes = Buffer.alloc(12_000, LARGE_INDEX);
    await session.send(OPENING, header(1, Buffer.concat([requestBlock(), LARGE_FIELD, indexes])));
    await flood(session, 100, at => header(streamOf(at + 1), Buffer.concat([requestBlock(), indexes])));
  },
  'invalid header names': async session => {
    await session.send(OPENING);
    await flood(session, 3000, index => header(streamOf(index), literals({ 'Bad Name': 'x' })));
  },
  'responses without a window to send them in': async session => {
    await session.send(PREFACE, frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 0)));
    await flood(session, 300, index => request(streamOf(index), '/large'));
  },
  'requests that never end, without a limit': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index =>
      frame(HEADERS, END_HEADERS, streamOf(index), requestBlock('/', post)),
    );
  },
  'a frame that is too long': sentOnce(frame(DATA, 0, 1, Buffer.alloc(10), 1 << 23), Buffer.alloc(100_000)),
  'a cancelled stream that never existed': sentOnce(frame(RST_STREAM, 0, 99, number(CANCEL))),
  'HTTP/1.1': async session => {
    await session.send(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  },
  'nothing at all': () => Promise.resolve(),
};

const identity = certificate();
const MAX_CONCURRENT_STREAMS = 3;
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
  const port = await portOf(server.listening ? server : server.listen(0, '127.0.0.1'));
  const isSecure = 'setSecureContext' in server;
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
    const port = await portOf(server);
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
