/** The source of a body for `res.send`: is read as fast as the client reads, and always released. */
import assert from 'node:assert/strict';
import http from 'node:http';
import http2 from 'node:http2';
import { PassThrough, Readable } from 'node:stream';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request as Req, Response as Res } from 'ristretto';
import { Connection } from '../../support/connection.js';
import { ask, withServer } from '../../support/http.js';
import { withSession } from '../../support/http2.js';
import { servers } from '../../support/servers.js';
import { until } from '../../support/tree.js';

type Handler = (req: Req, res: Res) => unknown;

/** A source whose chunks arrive as fast as they are read, or never. */
interface Watched {
  body: unknown;
  reads: number;
  isReleased: boolean;
}

const PIECE = Buffer.alloc(64 * 1024);
const never = (): Promise<never> => new Promise(() => undefined);

/** Creates sources of each kind that record their reads and their release. */
const sources: Record<string, (isSilent: boolean) => Watched> = {
  ReadableStream: isSilent => {
    const watched: Watched = { body: undefined, reads: 0, isReleased: false };
    watched.body = new ReadableStream(
      {
        pull: controller => {
          watched.reads++;
          if (isSilent) return never();
          controller.enqueue(PIECE);
          return undefined;
        },
        cancel: () => {
          watched.isReleased = true;
          throw new Error('of no interest');
        },
      },
      { highWaterMark: 0 },
    );
    return watched;
  },
  Readable: isSilent => {
    const watched: Watched = { body: undefined, reads: 0, isReleased: false };
    watched.body = new Readable({
      read() {
        watched.reads++;
        if (!isSilent) this.push(PIECE);
      },
      destroy(_error, done) {
        watched.isReleased = true;
        done(new Error('of no interest'));
      },
    });
    return watched;
  },
  iterator: isSilent => {
    const watched: Watched = { body: undefined, reads: 0, isReleased: false };
    watched.body = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          watched.reads++;
          return isSilent ? never() : Promise.resolve({ value: PIECE });
        },
        return: () => {
          watched.isReleased = true;
          return Promise.reject(new Error('of no interest'));
        },
      }),
    };
    return watched;
  },
};

const appOf = (handler: Handler): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  app.use(handler as never);
  return app;
};

type Use = (disconnect: () => void) => Promise<void>;

/** Clients that send a request to each kind of server and do not read the response. */
const clients: Record<string, (app: ReturnType<typeof web>, use: Use) => Promise<void>> = {
  'HTTP/1.1': (app, use) =>
    withServer(app, async port => {
      const { socket } = (await Connection.open(port)).get('/');
      socket.pause();
      await use(() => socket.destroy());
    }),
  'HTTP/2': (app, use) =>
    withSession(http2.createServer(app as never), async session => {
      const stream = session.request({ ':path': '/' });
      stream.on('error', () => undefined);
      await use(() => {
        stream.close(http2.constants.NGHTTP2_CANCEL);
      });
    }),
  'app.fetch': async (app, use) => {
    const controller = new AbortController();
    const response = app.fetch(new Request('http://a.example/', { signal: controller.signal }));
    await use(() => {
      controller.abort();
    });
    await response;
  },
};

/** Resolves once a number has stopped growing. */
async function settled(read: () => number): Promise<void> {
  for (let last = -1; read() === 0 || read() !== last;) {
    last = read();
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

for (const [name, make] of Object.entries(sources)) {
  describe(`res.send from a ${name}`, () => {
    for (const [server, askBy] of Object.entries(servers)) {
      test(`${server}: is released unread for HEAD, 204 and 304`, async () => {
        const watched: Watched[] = [];
        const app = appOf((req, res) => {
          watched.push(make(false));
          if (req.get('x-status') !== undefined) res.status(Number(req.get('x-status')));
          res.set('ETag', '"1"').send(watched.at(-1)!.body);
        });
        await askBy(app, { method: 'HEAD' });
        await askBy(app, { headers: { 'x-status': '204' } });
        await askBy(app, { headers: { 'if-none-match': '"1"' } });
        assert.deepEqual(
          watched.map(({ reads, isReleased }) => [reads, isReleased]),
          Array(3).fill([0, true]),
        );
      });
    }

    for (const [server, beginBy] of Object.entries(clients)) {
      test(`${server}: is read no faster than the client reads, and released on a disconnect`, async () => {
        const watched = make(false);
        await beginBy(
          appOf((_req, res) => res.send(watched.body)),
          async disconnect => {
            await settled(() => watched.reads);
            assert.ok(watched.reads > 0 && watched.reads < 400, `${String(watched.reads)} reads`);
            assert.equal(watched.isReleased, false);
            disconnect();
            await until(() => watched.isReleased);
          },
        );
      });

      test(`${server}: is released when the client disconnects before the first chunk`, async () => {
        const watched = make(true);
        await beginBy(
          appOf((_req, res) => res.send(watched.body)),
          async disconnect => {
            await until(() => watched.reads === 1);
            disconnect();
            await until(() => watched.isReleased);
          },
        );
      });
    }

    test('response already sent: the source is released, and an error is thrown', async () => {
      const watched = make(false);
      const app = appOf((_req, res) => {
        res.send('sent');
        assert.throws(() => res.send(watched.body), { code: 'ERR_HTTP_HEADERS_SENT' });
      });
      assert.equal((await ask(app)).text, 'sent');
      assert.deepEqual([watched.reads, watched.isReleased], [0, true]);
    });

    test('another response sent meanwhile: is sent whole, and the source is released', async () => {
      const watched = make(true);
      const app = appOf((_req, res) => {
        res.send(watched.body);
        res.status(503).send('too late');
      });
      const { status, text } = await ask(app);
      assert.deepEqual([status, text], [503, 'too late']);
      await until(() => watched.isReleased);
    });

    test('client that has disconnected: the source is released, and nothing is thrown', async () => {
      const watched = make(false);
      const app = appOf((_req, res) => {
        res.on('close', () => res.send(watched.body));
      });
      await withServer(app, async port => {
        const connection = (await Connection.open(port)).get('/');
        setTimeout(() => connection.socket.destroy(), 20);
        await until(() => watched.isReleased);
        assert.equal(watched.reads, 0);
      });
    });

    test('chunk of a wrong type: the source is released', async () => {
      const watched = make(false);
      const app = appOf((_req, res) => res.set('Content-Length', '5').send(watched.body));
      const { status } = await ask(app);
      assert.equal(status, 500);
      assert.equal(watched.isReleased, true);
    });
  });
}

describe('res.send', () => {
  test('generator: its finally block runs when the client disconnects', async () => {
    let isDone = false;
    function* pieces(): Generator<Buffer> {
      try {
        for (;;) yield PIECE;
      } finally {
        isDone = true;
      }
    }
    await clients['HTTP/1.1']!(
      appOf((_req, res) => res.send(pieces())),
      async disconnect => {
        await new Promise(resolve => setTimeout(resolve, 50));
        disconnect();
        await until(() => isDone);
      },
    );
  });

  test('listeners: none is left on the response, the request or the connection', async () => {
    const counts = new Set<string>();
    const app = appOf((req, res) => {
      const before = [res.listenerCount('close'), res.listenerCount('drain'), req.listenerCount('close')];
      res.on('finish', () => {
        const after = [res.listenerCount('close'), res.listenerCount('drain'), req.listenerCount('close')];
        counts.add(
          JSON.stringify(after) === JSON.stringify(before) ? 'same' : `${String(before)} ${String(after)}`,
        );
      });
      res.send(Readable.from(['a', 'b']));
    });
    await ask(app);
    assert.deepEqual([...counts], ['same']);
  });

  test('pipelined requests: each gets its body, in order', async () => {
    const app = appOf((req, res) => {
      const stream = new PassThrough();
      setTimeout(() => stream.end(`body of ${req.url}.`), req.url === '/a' ? 40 : 0);
      res.send(stream);
    });
    await withServer(app, async port => {
      const connection = (await Connection.open(port)).get('/a', '/b');
      const { text } = await connection.until(/body of \/b\./);
      assert.match(text, /body of \/a\..*body of \/b\./s);
    });
  });

  test('pipelined after another: a source that fails closes the connection', async () => {
    const app = appOf((req, res) => {
      if (req.url === '/a') return;
      res.send(
        (async function* () {
          yield 'second';
          await new Promise(resolve => setTimeout(resolve, 20));
          throw new Error('late');
        })(),
      );
    });
    await withServer(app, async port => {
      const connection = await (await Connection.open(port)).get('/a', '/b').closed();
      assert.equal(connection.text, '');
    });
  });

  for (const isOld of [true, false]) {
    test(`HTTP/1.0: a body ${isOld ? 'ends with its connection' : 'that is aborted ends in a reset'}`, async () => {
      const app = appOf((_req, res) =>
        res.send(
          (async function* () {
            yield 'a';
            await new Promise(resolve => setTimeout(resolve, 20));
            if (!isOld) throw new Error('late');
            yield 'b';
          })(),
        ),
      );
      await withServer(app, async port => {
        const connection = await Connection.open(port);
        connection.socket.write('GET / HTTP/1.0\r\n\r\n');
        await until(() => connection.isClosed);
        assert.equal(connection.error?.code, isOld ? undefined : 'ECONNRESET');
        assert.match(connection.text, isOld ? /\r\n\r\nab$/ : /\r\n\r\na$/);
      });
    });
  }

  test('without a router: an error closes the connection', async () => {
    const app = appOf(() => undefined);
    const server = http.createServer((req, res) => {
      Object.setPrototypeOf(Object.assign(req, { res }), app.request);
      Object.setPrototypeOf(Object.assign(res, { req }), app.response);
      (res as Res).send(Readable.from([5]));
    });
    await assert.rejects(ask(server), { code: 'ECONNRESET' });
  });
});
