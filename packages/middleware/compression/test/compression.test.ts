// runs: slow
/** Tests what @ristretto/compression adds to its original, and responses that are hard to compare. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import compression from '@ristretto/compression';
import ownSession from '@ristretto/session';
import originalCompression from 'compression';
import express from 'express';
import session from 'express-session';
import ristretto from 'ristretto';
import { Connection } from '../../../engine/test/support/connection.js';
import { ask as askServer, withServer } from '../../../engine/test/support/http.js';
import type { Answer } from '../../../engine/test/support/http.js';
import { withSession } from '../../../engine/test/support/http2.js';
import { preferredEncoding } from '../src/encodings.js';
import { deflaterOf } from '../src/deflate-now.js';

type Middleware = (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
type Response = http.ServerResponse & { flush(): void };
type Handler = (req: http.IncomingMessage, res: Response) => void;

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
const NOISE = randomBytes(300_000);

function handling(handler: Handler, options: object = {}): http.RequestListener {
  const compress = compression(options) as unknown as Middleware;
  return (req, res) => {
    compress(req, res, () => {
      res.setHeader('Content-Type', 'text/plain');
      handler(req, res as Response);
    });
  };
}

const ask = (listener: http.RequestListener, encoding = 'gzip', headers = {}): Promise<Answer> =>
  askServer(listener, { headers: { 'Accept-Encoding': encoding, ...headers } });

const hasZstd = 'zstdDecompressSync' in zlib;

describe('@ristretto/compression', () => {
  test('compression: a complete body is sent with its compressed length', async () => {
    const { headers, body: bytes } = await ask(handling((_req, res) => void res.end(LONG)));
    assert.equal(headers['content-length'], String(bytes.length));
    assert.equal(headers['transfer-encoding'], undefined);
    assert.equal(zlib.gunzipSync(bytes).toString(), LONG);
  });

  test('compression: a long body is compressed outside the main thread, and sent with its length', async () => {
    const decoders = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync };
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { headers, body: bytes } = await ask(
        handling((_req, res) => void res.end(NOISE)),
        encoding,
      );
      assert.equal(headers['content-length'], String(bytes.length));
      assert.deepEqual(decode(bytes), NOISE);
    }
  });

  test('npm express-session: its cookie is set behind a body that is compressed in chunks', async () => {
    const handlers: express.RequestHandler[] = [
      (_req, res) => {
        res.write(LONG);
        res.end();
      },
      (_req, res) => void Readable.from([LONG]).pipe(res),
      (_req, res) => pipeline(Readable.from([LONG]), res),
      (_req, res) => {
        res.sendFile(__filename);
      },
    ];
    for (const make of [express, ristretto as unknown as typeof express]) {
      for (const handler of handlers) {
        const app = make().use(compression({ threshold: 0 }) as never);
        app.use(session({ secret: 'a', resave: true, saveUninitialized: true }));
        app.use((_req, res, next) => {
          res.type('text');
          next();
        }, handler);
        const { headers, body: bytes } = await ask(app as never);
        assert.match(String(headers['set-cookie']), /^connect\.sid=/);
        assert.ok(zlib.gunzipSync(bytes).length > 1000);
      }
    }
  });

  test('@ristretto/session: an error of its store does not cut off a body that is being compressed', async () => {
    class FailingStore extends ownSession.MemoryStore {
      override set(_id: string, _session: unknown, done?: (error?: unknown) => void): void {
        setTimeout(() => done?.(new Error('store failed')), 5);
      }
    }
    for (const make of [express, ristretto as unknown as typeof express]) {
      const app = make()
        .set('env', 'test')
        .use(compression() as never);
      const options = { secret: 'a', resave: true, saveUninitialized: true, store: new FailingStore() };
      app.use(ownSession(options) as never);
      app.get('/', (_req, res) => void res.type('text').send(LONG.repeat(100)));
      const { body: bytes } = await ask(app as never);
      assert.equal(zlib.gunzipSync(bytes).toString(), LONG.repeat(100));
    }
  });

  test('compression: a body that cannot be compressed is an error of the request', async t => {
    const failure = new Error('no memory');
    t.mock.method(zlib, 'gzip', (_body: unknown, _options: unknown, done: (error: Error) => void) => {
      setImmediate(done, failure);
    });
    const app = express().use(compression() as never);
    app.get('/', (_req, res) => void res.type('text').send(NOISE.toString('latin1')));
    app.use(((error: Error, _req: unknown, res: express.Response, _next: unknown) => {
      res.status(503).send(error.message);
    }) as never);
    const { headers, body: bytes } = await ask(app);
    assert.deepEqual([headers['content-encoding'], bytes.toString()], [undefined, 'no memory']);
  });

  test('compression: a stream whose compressor fails is cut off', async t => {
    const create = zlib.createGzip;
    t.mock.method(zlib, 'createGzip', (options: zlib.ZlibOptions) => {
      const stream = create(options);
      setImmediate(() => stream.destroy(new Error('no memory')));
      return stream;
    });
    const asked = ask(handling((_req, res) => void res.write(LONG)));
    await assert.rejects(asked, /cut off|no complete answer/);
  });

  test('compression: a stream in the queue whose compressor fails closes the connection when its turn comes', async t => {
    let first: http.ServerResponse | undefined;
    const create = zlib.createGzip;
    t.mock.method(zlib, 'createGzip', (options: zlib.ZlibOptions) => {
      const stream = create(options);
      stream.once('close', () => first?.end('slow'));
      setImmediate(() => stream.destroy(new Error('no memory')));
      return stream;
    });
    const listener = handling((_req, res) => void res.write(LONG));
    await withServer(
      (req, res) => {
        if (first === undefined) first = res;
        else listener(req, res);
      },
      async port => {
        const connection = await Connection.open(port);
        const request = 'GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n';
        connection.socket.write(request + request);
        await connection.closed();
        assert.match(connection.text, /^HTTP\/1.1 200 OK\r\n.*\r\n\r\n(4\r\n)?slow(\r\n0\r\n\r\n)?$/s);
      },
    );
  });

  test('compression: without the internals that make compressors reusable, bodies are compressed all the same', t => {
    t.mock.method(zlib, 'createDeflate', () => ({ reset: () => undefined }));
    const compress = deflaterOf('deflate', {});
    assert.equal(zlib.inflateSync(compress(LONG)).toString(), LONG);
    assert.equal(
      zlib.inflateSync(deflaterOf('deflate', { maxOutputLength: 100_000 })(LONG)).toString(),
      LONG,
    );
  });

  test('compression: Express’s entity tag describes the uncompressed body; a 304 is not compressed, and has the Vary of the response', async () => {
    for (const web of [express, ristretto] as unknown as (typeof express)[]) {
      const app = web().use(compression() as never);
      app.get('/', (_req, res) => void res.type('text').send(LONG));
      const plain = await ask(app, 'identity');
      const { headers } = await ask(app);
      assert.equal(headers.etag, plain.headers.etag);
      assert.equal(headers['content-encoding'], 'gzip');
      await withServer(app, async port => {
        const given = { 'accept-encoding': 'gzip', 'if-none-match': headers.etag };
        const req = http.get({ port, agent: false, headers: given });
        const [res] = (await once(req, 'response')) as [http.IncomingMessage];
        assert.equal(res.resume().statusCode, 304);
        assert.equal(res.headers['content-encoding'], undefined);
        assert.equal(res.headers.vary, 'Accept-Encoding');
      });
    }
  });

  test('compression: a range is not compressed', async () => {
    const { headers, body: bytes } = await ask(
      handling((_req, res) => {
        res.writeHead(206, { 'Content-Range': `bytes 0-${LONG.length - 1}/9999` });
        res.end(LONG);
      }),
      'gzip',
      { Range: `bytes=0-${LONG.length - 1}` },
    );
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(bytes.toString(), LONG);
  });

  test('compression: res.write and res.end after the end return false, as in the original, and emit no error', async () => {
    const original = originalCompression() as unknown as Middleware;
    const handle: Handler = (_req, res) => {
      for (const part of LONG.split('. ', 2)) res.write(part);
      res.end(LONG);
    };
    const ways: Handler[] = [(_req, res) => void res.end(LONG), handle, (_req, res) => void res.end(NOISE)];
    for (const way of ways) {
      for (const compress of [original, compression() as unknown as Middleware]) {
        const results: unknown[] = [];
        const { body: bytes } = await ask((req, res) => {
          res.on('error', error => results.push(error));
          compress(req, res, () => {
            res.setHeader('Content-Type', 'text/plain');
            way(req, res as Response);
            results.push(res.write('more'), (res.write as (chunk?: string) => boolean)());
            res.once('finish', () => results.push(res.end('more')));
          });
        });
        assert.deepEqual(results, [false, false, false]);
        assert.ok(!zlib.gunzipSync(bytes).includes('more'));
      }
    }
  });

  test('compression: res.flush sends what has been written', async () => {
    await withServer(
      handling((req, res) => {
        res.write('data: 1\n\n');
        res.flush();
        req.on('close', () => res.end());
      }),
      async port => {
        const req = http.get({ port, agent: false, headers: { 'accept-encoding': 'gzip' } });
        const [res] = (await once(req, 'response')) as [http.IncomingMessage];
        const unzip = res.pipe(zlib.createGunzip());
        const [chunk] = (await once(unzip, 'data')) as [Buffer];
        assert.equal(chunk.toString(), 'data: 1\n\n');
        unzip.on('error', () => undefined);
        req.destroy();
      },
    );
  });

  test('compression: a slow client slows the source down', async () => {
    let written = 0;
    await withServer(
      handling((_req, res) => {
        const more = (): void => {
          while (written < 400 && res.write(NOISE)) written++;
          if (written++ < 400) res.once('drain', more);
          else res.end();
        };
        more();
      }),
      async port => {
        const req = http.get({ port, agent: false, headers: { 'accept-encoding': 'gzip' } });
        const [res] = (await once(req, 'response')) as [http.IncomingMessage];
        let before = -1;
        while (before !== written) {
          before = written;
          await new Promise(resolve => setTimeout(resolve, 100));
        }
        assert.ok(written < 100, `${written} writes of 300 KB, of which nothing was read`);
        res.resume();
        await once(res, 'end');
      },
    );
  });

  test('compression: a client that disconnects frees the compressor, and nothing is thrown (CVE-2026-87776)', async () => {
    const closed: boolean[] = [];
    await withServer(
      handling((_req, res) => {
        res.write(LONG);
        res.flush();
        res.on('close', () => {
          closed.push(res.write(LONG));
          res.end();
        });
      }),
      async port => {
        const req = http.get({ port, agent: false, headers: { 'accept-encoding': 'br' } });
        await once(req, 'response');
        req.on('error', () => undefined).destroy();
        while (closed.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
        // The compressor has been destroyed, and accepts no more data.
        assert.deepEqual(closed, [false]);
      },
    );
  });

  test('compression: a response that begins after its client has disconnected keeps no compressor', async t => {
    let client: http.ClientRequest;
    const create = zlib.createBrotliCompress;
    const created: zlib.BrotliCompress[] = [];
    t.mock.method(zlib, 'createBrotliCompress', (options: zlib.BrotliOptions) => {
      created.push(create(options));
      return created.at(-1);
    });
    await withServer(
      handling((_req, res) => {
        client.destroy();
        res.on('close', () => res.write(LONG));
      }),
      async port => {
        client = http.get({ port, agent: false, headers: { 'accept-encoding': 'br' } });
        client.on('error', () => undefined);
        while (created.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
      },
    );
    assert.deepEqual(
      created.map(stream => stream.destroyed),
      [true],
    );
  });

  test('compression: with a high quality of Brotli, short bodies are compressed outside the main thread too', async () => {
    const { BROTLI_PARAM_QUALITY } = zlib.constants;
    const compress = handling((_req, res) => void res.end(LONG), {
      brotli: { params: { [BROTLI_PARAM_QUALITY]: 11 } },
    });
    const { headers, body: bytes } = await ask(compress, 'br');
    assert.equal(headers['content-length'], String(bytes.length));
    assert.equal(zlib.brotliDecompressSync(bytes).toString(), LONG);
  });

  test('compression: works over HTTP/2', async () => {
    for (const text of ['whole', 'pieces']) {
      const server = http2.createServer(
        handling((_req, res) => {
          if (text === 'pieces') res.write(LONG);
          res.end(LONG);
        }) as never,
      );
      await withSession(server, async session => {
        const stream = session.request({ ':path': '/', 'accept-encoding': 'br' });
        const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
        assert.equal(headers['content-encoding'], 'br');
        const body = zlib.brotliDecompressSync(await buffer(stream)).toString();
        assert.equal(body, text === 'whole' ? LONG : LONG + LONG);
      });
    }
  });

  test('compression: HTTP/2 and app.fetch: a client that reads slowly gets a long body to its end', async () => {
    const app = ristretto().use(compression() as never);
    const long = NOISE.toString('base64').repeat(4);
    app.get('/', (_req, res) => {
      res.type('text').write('x');
      res.end(long);
    });
    for (const [encoding, decode] of [
      ['br', zlib.brotliDecompressSync],
      ['gzip', zlib.gunzipSync],
    ] as const) {
      const headers = { 'accept-encoding': encoding };
      await withSession(http2.createServer(app as never), async session => {
        const stream = session.request({ ':path': '/', ...headers });
        await once(stream, 'response');
        await sleep(100);
        assert.equal(decode(await buffer(stream)).toString(), `x${long}`);
      });
      const response = await app.fetch(new Request('http://localhost/', { headers }));
      await sleep(100);
      assert.equal(decode(Buffer.from(await response.arrayBuffer())).toString(), `x${long}`);
    }
  });

  test(
    'compression: zstd is used for clients that prefer it, or accept nothing else',
    { skip: !hasZstd },
    async () => {
      const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync(bytes: Buffer): Buffer };
      for (const header of ['zstd', 'zstd, gzip;q=0.5', 'deflate;q=0.1, zstd;q=0.2']) {
        for (const isWhole of [true, false]) {
          const { headers, body: bytes } = await ask(
            handling((_req, res) => void (isWhole ? res.end(LONG) : (res.write(LONG), res.end()))),
            header,
          );
          assert.equal(headers['content-encoding'], 'zstd', header);
          assert.equal(zstdDecompressSync(bytes).toString(), LONG);
        }
      }
      const { headers } = await ask(
        handling((_req, res) => void res.end(LONG)),
        'gzip, deflate, br, zstd',
      );
      assert.equal(headers['content-encoding'], 'br');
    },
  );

  test('compression: options that node:zlib rejects throw when the middleware is created', () => {
    assert.throws(() => compression({ level: 10 }), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => compression({ brotli: { params: { 9999: 1 } } }), {
      code: 'ERR_BROTLI_INVALID_PARAM',
    });
  });

  test('compression: bodies compressed one after another do not affect each other', () => {
    for (const name of ['gzip', 'deflate'] as const) {
      const compress = deflaterOf(name, { level: 9 });
      for (const text of ['', 'a', LONG, NOISE, 'b', LONG]) {
        const native =
          name === 'gzip' ? zlib.gzipSync(text, { level: 9 }) : zlib.deflateSync(text, { level: 9 });
        assert.deepEqual(compress(text), native);
      }
    }
  });

  test('compression: a long Accept-Encoding header takes linear time', () => {
    const begin = process.hrtime.bigint();
    for (const part of ['gzip;', ' ', ',', 'a;q=', ';q=1', 'gzip ,']) {
      preferredEncoding(part.repeat(16_000 / part.length), ['br', 'gzip']);
    }
    assert.ok(process.hrtime.bigint() - begin < 2_000_000_000n);
  });

  test('threshold: text that is no size throws when the middleware is created', () => {
    for (const threshold of ['10 megs', '1e3', {}])
      assert.throws(() => compression({ threshold: threshold as string }), {
        message: /^compression\(\): threshold must be/,
      });
  });

  test('text/event-stream: each event written by hand arrives at once', async () => {
    let next = (): unknown => undefined;
    const seen: string[] = [];
    const listener = handling((_req, res) => {
      res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      next = () => (seen.length < 3 ? res.write(`data: ${seen.length}\n\n`) : res.end());
      next();
    });
    await withServer(listener, async port => {
      for (const encoding of ['gzip', 'br']) {
        const request = http.get({ port, agent: false, headers: { 'Accept-Encoding': encoding } });
        const [response] = (await once(request, 'response')) as [http.IncomingMessage];
        assert.equal(response.headers['content-encoding'], encoding);
        const decoder = encoding === 'gzip' ? zlib.createGunzip() : zlib.createBrotliDecompress();
        for await (const chunk of response.pipe(decoder)) {
          seen.push(String(chunk));
          // The next event is only written when this one has arrived
          next();
        }
        assert.deepEqual(seen.splice(0), ['data: 0\n\n', 'data: 1\n\n', 'data: 2\n\n']);
      }
    });
  });
});
