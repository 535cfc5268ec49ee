/** `res.send` with streams and other sources. */
import assert from 'node:assert/strict';
import { File } from 'node:buffer';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import { PassThrough, Readable, Stream, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { ErrorRequestHandler, Request as Req, RequestHandler, Response as Res } from 'ristretto';
import { answering } from '../../support/compare.js';
import { Connection } from '../../support/connection.js';
import { ask, withServer } from '../../support/http.js';
import { withSession } from '../../support/http2.js';
import { same } from '../../support/oracle.js';
import { servers } from '../../support/servers.js';
import { until } from '../../support/until.js';

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

/** The source of a body for `res.send`: is read as fast as the client reads, and always released. */
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

  test('pipelined after another: a source that fails closes the connection, after the other response', async () => {
    const app = appOf((req, res) => {
      if (req.url === '/a') {
        setTimeout(() => res.send('first'), 60);
        return;
      }
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
      assert.match(connection.text, /\r\n\r\nfirst$/);
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

type App = ReturnType<typeof web>;
const compression = require('compression') as () => RequestHandler;
const HTML = 'text/html; charset=utf-8';
const BYTES = 'application/octet-stream';

/** Returns an application that sends one body, created anew for each request. */
function sending(make: (req: Req, res: Res) => unknown): App {
  const app = web().set('env', 'test');
  app.use((req, res) => res.send(make(req, res)));
  return app;
}

/** Like `sending`, with an error handler that sends the error's message. */
function handled(make: (req: Req, res: Res) => unknown): App {
  const app = sending(make);
  app.use(((error: Error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).send(`handled ${error.message}`);
  }) as ErrorRequestHandler);
  return app;
}

function* pieces(): Generator<string> {
  yield 'a';
  yield '';
  yield 'b';
}

async function* asyncPieces(): AsyncGenerator {
  yield await Promise.resolve('a');
  yield new Uint8Array([98]);
}

/** A stream as in old versions of Node: no async iterator and no backpressure. */
function oldStream(): Stream {
  const stream = Object.assign(new Stream(), { readable: true });
  setImmediate(() => {
    for (const piece of ['a', 'b']) stream.emit('data', piece);
    stream.emit('end');
  });
  return stream;
}

/** An object whose `Symbol.toStringTag` is the name of a web class. */
function tagged(tag: string, members: object): object {
  return Object.assign(Object.create({ [Symbol.toStringTag]: tag }) as object, members);
}

/** Name, body, and the expected type and length. */
const bodies: [string, () => unknown, type: string | undefined, length?: number][] = [
  ['ReadableStream', () => new Response('ab').body, BYTES],
  ['ReadableStream of text', () => ReadableStream.from(pieces()), HTML],
  ['Readable', () => Readable.from([Buffer.from('ab')]), BYTES],
  [
    'Readable with an encoding',
    () => Readable.from([Buffer.from('ab')], { objectMode: false, encoding: 'utf8' }),
    HTML,
  ],
  ['Duplex', () => new PassThrough().end('ab'), BYTES],
  ['stream of old style', oldStream, HTML],
  ['Blob', () => new Blob(['ab']), BYTES, 2],
  ['Blob with a type', () => new Blob(['ab'], { type: 'text/css' }), 'text/css', 2],
  ['File', () => new File(['ab'], 'a.txt'), BYTES, 2],
  ['ArrayBuffer', () => new Uint8Array([97, 98]).buffer, BYTES, 2],
  [
    'SharedArrayBuffer',
    () => Object.assign(new Uint8Array(new SharedArrayBuffer(2)), [97, 98]).buffer,
    BYTES,
    2,
  ],
  ['Uint8Array', () => new Uint8Array([120, 97, 98, 120]).subarray(1, 3), BYTES, 2],
  ['DataView', () => new DataView(new Uint8Array([120, 97, 98]).buffer, 1), BYTES, 2],
  ['Response', () => new Response('ab'), 'text/plain;charset=UTF-8'],
  ['Response without a type', () => new Response(new Uint8Array([97, 98])), undefined],
  ['generator', pieces, HTML],
  ['iterator', () => ['a', 'b'].values(), HTML],
  ['generator of promises', () => [Promise.resolve('a'), Promise.resolve('b')].values(), HTML],
  ['async generator', asyncPieces, HTML],
  ['async iterable', () => ({ [Symbol.asyncIterator]: asyncPieces }), HTML],
];

/** Calls that send the header block, and the text that they send before the body. */
const heads: [string, (res: Res) => unknown, before: string][] = [
  ['flushHeaders', res => res.flushHeaders(), ''],
  ['writeHead', res => res.writeHead(200), ''],
  ['write', res => res.write('x'), 'x'],
];

/** `res.send` with streamed bodies and with binary types other than Buffer, on each kind of server. */
for (const [server, askBy] of Object.entries(servers)) {
  describe(`res.send of streams over ${server}`, () => {
    for (const [name, make, type, length] of bodies) {
      test(`body ${name}: is sent with its type and length`, async () => {
        const { status, headers, text, isWhole } = await askBy(sending(make));
        assert.deepEqual([status, text, isWhole], [200, 'ab', true]);
        assert.equal(headers['content-type'], type);
        assert.equal(headers['content-length'], length === undefined ? undefined : String(length));
      });

      test(`body ${name}: only its headers are sent in response to HEAD`, async () => {
        const { status, headers, text, isWhole } = await askBy(sending(make), { method: 'HEAD' });
        assert.deepEqual([status, text, isWhole], [200, '', true]);
        assert.equal(headers['content-length'], length === undefined ? undefined : String(length));
        assert.ok(headers['content-type'] === type || headers['content-type'] === undefined);
      });
    }

    test('Content-Type: an existing value is kept', async () => {
      for (const make of [pieces, () => new Blob(['a'], { type: 'text/css' }), () => new Uint8Array(1)]) {
        const { headers } = await askBy(sending((_req, res) => (res.type('csv'), make())));
        assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      }
    });

    for (const [name, sendHead, before] of heads) {
      test(`${name} in the same tick: the body follows`, async () => {
        for (const make of [pieces, asyncPieces, () => new Blob(['ab']), () => new Response('ab')]) {
          const app = appOf((_req, res) => {
            res.send(make());
            sendHead(res);
          });
          const { status, text, isWhole } = await askBy(app);
          assert.deepEqual([status, text, isWhole], [200, `${before}ab`, true]);
        }
      });
    }

    test('a second stream in the same tick: is not mixed with the first', async () => {
      const app = appOf((_req, res) => {
        res.send(asyncPieces());
        res.send(Readable.from(['second']));
        res.flushHeaders();
      });
      assert.equal((await askBy(app)).text, 'ab');
    });

    test('end between two chunks: ends the response, and nothing is written after it', async () => {
      let isReleased = false;
      const app = appOf((_req, res) => {
        async function* ending(): AsyncGenerator<string> {
          try {
            yield 'a';
            await until(() => res.headersSent);
            res.end();
            yield 'b';
          } finally {
            isReleased = true;
          }
        }
        res.send(ending());
      });
      const { status, text, isWhole } = await askBy(app);
      assert.deepEqual([status, text, isWhole], [200, 'a', true]);
      await until(() => isReleased);
    });

    test('empty body: has length 0 and no type', async () => {
      const { headers, text } = await askBy(sending(() => [].values()));
      assert.deepEqual([headers['content-length'], headers['content-type'], text], ['0', undefined, '']);
    });

    test('large body: arrives whole', async () => {
      const { text } = await askBy(sending(() => Readable.from(Array(200).fill('x'.repeat(10_000)))));
      assert.equal(text, 'x'.repeat(2_000_000));
    });

    test('304: is sent if the ETag that is set matches that of the client', async () => {
      const app = sending((_req, res) => (res.set('ETag', '"1"').type('txt'), pieces()));
      const { status, headers, text } = await askBy(app, { headers: { 'if-none-match': '"1"' } });
      assert.deepEqual([status, headers['content-type'], text], [304, undefined, '']);
      assert.equal((await askBy(app, { headers: { 'if-none-match': '"2"' } })).text, 'ab');
    });

    test('304: is sent if the ETag of a Response matches that of the client', async () => {
      const app = sending(() => new Response('ab', { headers: { etag: '"1"' } }));
      const { status, headers } = await askBy(app, { headers: { 'if-none-match': '"1"' } });
      assert.deepEqual([status, headers.etag, headers['content-type']], [304, '"1"', undefined]);
    });

    test('204: has no body', async () => {
      const { status, headers, text } = await askBy(sending((_req, res) => (res.status(204), pieces())));
      assert.deepEqual([status, headers['content-length'], text], [204, undefined, '']);
    });

    test('Response: sets the status and headers, and adds its cookies', async () => {
      const app = sending((_req, res) => {
        res.set({ 'X-A': 'old', 'X-B': 'kept' }).cookie('a', '1');
        const headers = new Headers({ 'x-a': 'new', connection: 'close', 'transfer-encoding': 'chunked' });
        for (const cookie of ['b=2', 'c=3']) headers.append('set-cookie', cookie);
        return new Response('ab', { status: 201, headers });
      });
      const { status, headers, text } = await askBy(app);
      assert.deepEqual([status, headers['x-a'], headers['x-b'], text], [201, 'new', 'kept', 'ab']);
      assert.deepEqual(headers['set-cookie'], ['a=1; Path=/', 'b=2', 'c=3']);
    });

    test('Response.redirect(): redirects', async () => {
      const { status, headers } = await askBy(sending(() => Response.redirect('http://a.example/b', 302)));
      assert.deepEqual([status, headers.location], [302, 'http://a.example/b']);
    });

    test('error before the first chunk: goes to the error handlers, and nothing of the body is sent', async () => {
      const failing = (reason: unknown): ReadableStream =>
        new ReadableStream({ pull: controller => controller.error(reason) });
      const sources: (() => unknown)[] = [
        () => failing(new Error('x')),
        () =>
          new Response(failing(new Error('x')), {
            status: 201,
            headers: { 'content-encoding': 'br', 'x-a': 'b' },
          }),
        () => new Readable({ read: () => undefined }).destroy(new Error('x')),
        () => Object.assign(asyncPieces(), { next: () => Promise.reject(new Error('x')) }),
        () => Object.assign(pieces(), { next: () => assert.fail('x') }),
        () => [Promise.reject(new Error('x'))].values(),
      ];
      for (const make of sources) {
        const app = handled((_req, res) => (res.set('X-A', 'a'), make()));
        const { status, headers, text } = await askBy(app);
        assert.deepEqual([status, text, headers['x-a']], [500, 'handled x', 'a']);
        assert.equal(headers['content-encoding'], undefined);
      }
    });

    test('error after the first chunk: aborts the response', async () => {
      const sources: (() => unknown)[] = [
        async function* () {
          yield 'a';
          await new Promise(resolve => setTimeout(resolve, 20));
          throw new Error('late');
        },
        () => {
          const stream = new PassThrough();
          stream.write('a');
          setTimeout(() => stream.destroy(), 20);
          return stream;
        },
      ];
      for (const make of sources) {
        const { status, text, isWhole } = await askBy(handled(make));
        assert.deepEqual([status, text, isWhole], [200, 'a', false]);
      }
    });

    test('body whose length differs from Content-Length: is truncated, or aborts the response', async () => {
      async function* slowly(): AsyncGenerator<string> {
        yield 'a';
        await new Promise(resolve => setTimeout(resolve, 20));
        yield 'b';
      }
      const app = handled((req, res) => (res.set('Content-Length', req.get('x-length')), slowly()));
      assert.equal((await askBy(app, { headers: { 'x-length': '1' } })).text, 'a');
      assert.equal((await askBy(app, { headers: { 'x-length': '3' } })).isWhole, false);
    });
  });
}

const first = (make: () => unknown): Promise<string> => ask(handled(make)).then(({ text }) => text);

describe('res.send', () => {
  test('body that is iterable or has toJSON: becomes JSON, like any body that is not a stream', async () => {
    const values: (() => unknown)[] = [
      () => new Map([[1, 2]]),
      () => new Set(['a']),
      () => new URLSearchParams('a=b'),
      () => new String('text'),
      () => ({ next: 1, [Symbol.iterator]: pieces }),
      () => Object.assign(asyncPieces(), { toJSON: () => ({ a: 1 }) }),
      () => Object.assign(new PassThrough(), { toJSON: () => ({ a: 1 }) }),
      () => tagged('Blob', { stream: 1, size: 2 }),
      () => tagged('Response', { status: 'paid' }),
      () => Object.create(null) as object,
      () => new Date(0),
    ];
    for (const make of values) {
      const answer = await same(answering((_req, res) => res.send(make())));
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    }
  });

  test('body that is only writable: becomes JSON', async () => {
    await same(answering((_req, res) => res.send(new Writable({ write: () => undefined }))));
  });

  test('chunks: are text or bytes of any type', async () => {
    const make = (): unknown =>
      [
        Buffer.from('a'),
        new Uint8Array([98]),
        new DataView(new Uint8Array([99]).buffer),
        new Uint8Array([100]).buffer,
        'é',
      ].values();
    assert.equal(await first(make), 'abcdé');
  });

  test('chunk of another type: throws a TypeError', async () => {
    for (const [piece, name] of [
      [5, '5'],
      [null, 'null'],
      [{ a: { b: 1 } }, '{ a: [Object] }'],
    ]) {
      assert.equal(
        await first(() => [piece].values()),
        `handled Expected strings or bytes from the body passed to res.send, got ${String(name)}`,
      );
    }
  });

  test('reason that is not an error: is wrapped in one, so it cannot select a route', async () => {
    for (const reason of ['route', undefined, 5]) {
      const make = (): unknown => new ReadableStream({ pull: controller => controller.error(reason) });
      assert.equal(await first(make), `handled The body passed to res.send failed with ${String(reason)}`);
    }
  });

  test('ReadableStream that is locked: throws, and its reader can still read it', async () => {
    const { body } = new Response('ab');
    const reader = body!.getReader();
    assert.match(await first(() => body), /^handled .*locked/);
    assert.equal(Buffer.from((await reader.read()).value!).toString(), 'ab');
  });

  test('Response that cannot be sent: throws', async () => {
    const used = new Response('a');
    await used.text();
    assert.match(await first(() => used), /^handled The body of the Response .* has already been read$/);
    assert.equal(
      await first(() => Response.error()),
      'handled Expected a Response with a status, got Response.error()',
    );
  });

  test('Response of fetch: is sent without the encoding that fetch removed', async () => {
    const upstream = web().set('env', 'test');
    upstream.get('/gzip', (_req, res) => {
      res.set({ 'Content-Encoding': 'gzip', 'Content-Type': 'image/x-a' }).send(zlib.gzipSync('decoded'));
    });
    upstream.get('/own', (_req, res) => void res.set('Content-Encoding', 'own').send('encoded'));
    await withServer(upstream, async port => {
      const app = web().set('env', 'test');
      app.use(async (req, res) => void res.send(await fetch(`http://127.0.0.1:${String(port)}${req.url}`)));
      const { headers, text } = await ask(app, '/gzip');
      assert.deepEqual(
        [text, headers['content-encoding'], headers['content-type']],
        ['decoded', undefined, 'image/x-a'],
      );
      const other = await ask(app, '/own');
      assert.deepEqual(
        [other.text, other.headers['content-encoding'], other.headers['content-length']],
        ['encoded', 'own', '7'],
      );
      assert.equal((await ask(app, '/none')).status, 404);
    });
    const own = new Response('encoded', { headers: { 'content-encoding': 'gzip' } });
    assert.equal((await ask(sending(() => own))).headers['content-encoding'], 'gzip');
  });

  test('compression: compresses a stream', async () => {
    const app = web().set('env', 'test').use(compression());
    app.use((_req, res) => res.type('txt').send(Readable.from(Array(100).fill('x'.repeat(10_000)))));
    const { headers, body } = await ask(app, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(zlib.gunzipSync(body).length, 1_000_000);
  });

  test('status and body: the deprecated form accepts a stream too', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res) => (res.send as (...args: unknown[]) => unknown)(201, pieces()));
    const { status, text } = await ask(app);
    assert.deepEqual([status, text], [201, 'ab']);
  });

  test('a stream of a missing file: passes on the error with its code', async () => {
    assert.match(await first(() => fs.createReadStream('/nowhere')), /^handled ENOENT/);
  });
});
