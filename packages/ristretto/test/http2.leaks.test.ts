/** Thousands of aborted HTTP/2 streams: do not leak descriptors, handles or heap. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import web from 'ristretto';
import { until } from './support/tree.js';

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
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
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
