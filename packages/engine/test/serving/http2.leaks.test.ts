// runs: slow, each
/** HTTP/2 clients that abort thousands of streams or vanish: no trace of them remains. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import { describe, test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import web from 'ristretto';
import { until } from '../support/until.js';
import { portOf } from '../support/http.js';

const CANCEL = 8;
const WARM_UP = 300;
const ABORTS = 700;
/** Node ends a session after 1,000 cancelled requests, Node 20 after about 300 downloads. */
const ABORTS_OF_SESSION = 100;
/** Concurrent requests on one session. */
const AT_ONCE = 20;
const MOST_ROUNDS = 4;
/** The limit in bytes of heap per abort above which there is a leak: a request with its response takes about 10 KiB. */
const MOST_KEPT = 500;

v8.setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Starts a request, aborts it, and calls `done` when its stream is closed. */
type Abort = (session: ClientHttp2Session, done: () => void) => ClientHttp2Stream;

interface Figures {
  descriptors: number;
  resources: string;
  heap: number;
}

async function figures(): Promise<Figures> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setTimeout(resolve, 20));
    collect();
  }
  const descriptors = process.platform === 'linux' ? fs.readdirSync('/proc/self/fd').length : 0;
  const resources = process.getActiveResourcesInfo().filter(name => !/Timeout|Immediate/.test(name));
  return { descriptors, resources: resources.sort().join(), heap: process.memoryUsage().heapUsed };
}

/** Runs `count` aborted requests on several sessions. */
async function abortMany(port: number, count: number, abort: Abort): Promise<void> {
  for (let done = 0; done < count; done += ABORTS_OF_SESSION) {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    await abortOnSession(session, Math.min(count - done, ABORTS_OF_SESSION), abort);
    session.destroy();
    await once(session, 'close');
  }
}

async function abortOnSession(session: ClientHttp2Session, count: number, abort: Abort): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next++ < count) {
      await new Promise<void>(resolve => {
        abort(session, resolve).on('error', () => undefined);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const atFirstData = (path: string) => (session: ClientHttp2Session, done: () => void) => {
  const stream = session.request({ ':path': path });
  stream.once('data', () => stream.close(CANCEL));
  return stream.on('close', done);
};

const inAnUpload = (session: ClientHttp2Session, done: () => void): ClientHttp2Stream => {
  const stream = session.request({ ':path': '/upload', ':method': 'POST', 'content-type': 'text/plain' });
  stream.write('some', () => stream.close(CANCEL));
  return stream.on('close', done);
};

describe('HTTP/2: thousands of aborts', () => {
  for (const [title, abort] of [
    ['downloads of a file', atFirstData('/file')],
    ['uploads to a body parser', inAnUpload],
    ['event streams', atFirstData('/events')],
  ] as const) {
    test(`${title}: leak nothing`, async () => {
      const app = web().set('env', 'test');
      let open = 0;
      let closed = 0;
      app.use((_req, res, next) => {
        open++;
        res.on('close', () => {
          open--;
          closed++;
        });
        next();
      });
      app.get('/file', (_req, res) => {
        res.sendFile(process.execPath, () => undefined);
      });
      app.get('/events', (_req, res) => {
        const timer = setInterval(() => res.write('data: x\n\n'), 5);
        res.on('close', () => {
          clearInterval(timer);
        });
        res.type('text/event-stream').write('data: first\n\n');
      });
      app.post('/upload', web.text(), (_req, res) => void res.send('taken'));
      app.use(((_error, _req, _res, _next) => undefined) as web.ErrorRequestHandler);

      const server = http2.createServer(app as never).listen(0, '127.0.0.1');
      const port = await portOf(server);
      try {
        await abortMany(port, WARM_UP, abort);
        await until(() => open === 0);
        // Caches and compiled code grow only at first; a leak grows each time.
        let kept = Infinity;
        for (let round = 0; round < MOST_ROUNDS && kept >= MOST_KEPT; round++) {
          const before = await figures();
          closed = 0;
          await abortMany(port, ABORTS, abort);
          await until(() => open === 0);
          const after = await figures();
          // A request that is cancelled early may never reach the handler.
          assert.ok(closed > ABORTS / 2, `${closed} requests`);
          assert.ok(Math.abs(after.descriptors - before.descriptors) <= 2, 'descriptors');
          assert.equal(after.resources, before.resources);
          kept = (after.heap - before.heap) / ABORTS;
        }
        assert.ok(kept < MOST_KEPT, `${kept} bytes of heap for each`);
      } finally {
        await new Promise(resolve => server.close(resolve));
      }
    });
  }
});

/** Enough that each response needs more than one window of the client. */
const SIZE = 200_000;
const SESSIONS = 60;
const OF_SESSION = 20;
/** Resets streams in the middle of their responses without an error code, as `stream.destroy()` of Node does. */
const resetWithoutError: Abort = (session, done) => {
  const stream = session.request({ ':path': '/' });
  stream.once('data', () => stream.destroy());
  return stream.on('close', done);
};

describe('HTTP/2: clients that reset responses with NO_ERROR', () => {
  for (const [title, disconnect] of [
    ['and disconnect', (session: ClientHttp2Session) => void session.destroy()],
    ['on a session that stays open', () => undefined],
  ] as const) {
    test(`${title}: every response closes, req.signal aborts, and no connection stays`, async () => {
      const app = web().set('env', 'test');
      let [open, unfinished, aborted] = [0, 0, 0];
      app.get('/', (req, res) => {
        open++;
        req.signal.addEventListener('abort', () => aborted++);
        res.on('close', () => {
          open--;
          if (!res.writableFinished) unfinished++;
        });
        res.send(Buffer.alloc(SIZE));
      });
      const server = http2.createServer(app as never).listen(0, '127.0.0.1');
      const port = await portOf(server);
      const before = await figures();
      const connected: ClientHttp2Session[] = [];
      try {
        for (let i = 0; i < SESSIONS; i++) {
          const session = http2.connect(`http://127.0.0.1:${port}`);
          connected.push(session);
          await abortOnSession(session, OF_SESSION, resetWithoutError);
          disconnect(session);
        }
        await until(() => open === 0);
        assert.ok(unfinished > 0);
        assert.equal(aborted, unfinished);
        for (const session of connected) session.destroy();
        await until(() => countOf(server) === 0);
        const after = await figures();
        assert.deepEqual([after.descriptors, after.resources], [before.descriptors, before.resources]);
      } finally {
        for (const session of connected) session.destroy();
        server.close();
      }
    });
  }
});

test('closed sessions: are released at once, not when they would have been idle for long', async () => {
  const server = http2
    .createServer(web().get('/', (_req, res) => res.send('a')) as never)
    .listen(0, '127.0.0.1');
  const port = await portOf(server);
  const sessions: WeakRef<object>[] = [];
  server.on('session', session => sessions.push(new WeakRef(session)));
  try {
    for (let i = 0; i < AT_ONCE; i++) {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const stream = session.request({ ':path': '/' }).resume();
      await once(stream, 'close');
      session.close();
      await once(session, 'close');
    }
    await until(() => countOf(server) === 0);
    await until(() => {
      collect();
      return sessions.filter(session => session.deref() !== undefined).length < AT_ONCE / 2;
    });
  } finally {
    server.close();
  }
});

/** The number of connections of a server. */
function countOf(server: Server): number {
  return (server as unknown as { _connections: number })._connections;
}
