// runs: each
/** How all body parsers read requests: lengths, aborts, headers, chunks, content codings. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { Pieces } from '@ristretto/private-engine/lib/body/pieces';
import { read } from '@ristretto/private-engine/lib/body/read';
import type { RequestHandler } from 'express';
import { version } from 'ristretto/lib/version';
import { chunked, onError, post, postChunked, reporting } from '../support/body-parsers.js';
import { Connection } from '../support/connection.js';
import { ask, exchangeRaw, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { until } from '../support/until.js';

const TEXT = 'text/plain';
const text = reporting(web => web.text());

/** Runs the parser after a handler. */
function after(before: RequestHandler, options: object = {}): (web: Web) => ReturnType<Web> {
  return reporting(web => web.text(options), before);
}

/** How all body parsers read the request stream: lengths, aborts, other readers, inflation, async context. */
describe('body.read', () => {
  test('several chunks: are joined, with and without a known length', async () => {
    const body = 'é'.repeat(50_000);
    const known = await same(text, post(TEXT, body));
    assert.equal(JSON.parse(known.text).body, body);
    const unknown = await same(text, post(TEXT, chunked(body, 999), { 'Transfer-Encoding': 'chunked' }));
    assert.equal(JSON.parse(unknown.text).body, body);
  });

  test('error request.size.invalid: 400 if Content-Length differs from the length received', async () => {
    for (const length of ['20', '3', '0']) {
      const lie: RequestHandler = (req, _res, next) => {
        req.headers['content-length'] = length;
        next();
      };
      for (const request of [post(TEXT, 'abcdefg'), postChunked(TEXT, 'abcdefg')]) {
        const answer = await same(after(lie), request);
        const { status, type, expected, received } = JSON.parse(answer.text);
        assert.deepEqual(
          [status, type, expected, received],
          [400, 'request.size.invalid', Number(length), 7],
        );
      }
    }
  });

  test('Content-Length: is not compared with the length of a decompressed body', async () => {
    const lie: RequestHandler = (req, _res, next) => {
      req.headers['content-length'] = '3';
      next();
    };
    const request = post(TEXT, zlib.gzipSync('abc'.repeat(9)), { 'Content-Encoding': 'gzip' });
    assert.equal((await same(after(lie), request)).status, 200);
  });

  test('Content-Length: means no body if it is not a number', async () => {
    const lie: RequestHandler = (req, _res, next) => {
      req.headers['content-length'] = 'abc';
      next();
    };
    assert.equal((await same(after(lie), post(TEXT, 'abc'))).text, '{"body":{}}');
  });

  test('error stream.not.readable: 500 if the request has been read before', async () => {
    const drain: RequestHandler = (req, _res, next) => {
      req.resume().on('end', () => setImmediate(next));
    };
    for (const body of ['abc', '']) {
      const answer = await same(after(drain), post(TEXT, body));
      assert.deepEqual([answer.status, JSON.parse(answer.text).type], [500, 'stream.not.readable']);
    }
    const encoded = post(TEXT, zlib.gzipSync('abc'), { 'Content-Encoding': 'gzip' });
    assert.equal((await ask(after(drain)(frameworks.ristretto), encoded)).status, 500);
  });

  test('error stream.encoding.set: 500 if the request emits strings', async () => {
    const decode: RequestHandler = (req, _res, next) => {
      req.setEncoding('utf8');
      next();
    };
    const answer = await same(after(decode), post(TEXT, 'abc'));
    assert.deepEqual([answer.status, JSON.parse(answer.text).type], [500, 'stream.encoding.set']);
    const encoded = post(TEXT, zlib.gzipSync('abc'), { 'Content-Encoding': 'gzip' });
    assert.equal((await ask(after(decode)(frameworks.ristretto), encoded)).status, 500);
  });

  test('other listeners: do not prevent parsing', async () => {
    const listen: RequestHandler = (req, _res, next) => {
      req.on('data', () => {});
      next();
    };
    assert.equal(JSON.parse((await same(after(listen), post(TEXT, 'abc'))).text).body, 'abc');
  });

  test('listeners: are all removed, after success and after errors', async () => {
    const build = (web: Web): ReturnType<Web> => {
      const app = web();
      app.use(web.text({ limit: 5 }));
      const report: RequestHandler = (req, res) => {
        res.json({ events: req.eventNames().map(String), ended: req.readableEnded });
      };
      app.use(report);
      app.use(onError((_err, req, res) => void report(req, res, () => {})));
      return app;
    };
    const gzip = { 'Content-Encoding': 'gzip' };
    for (const request of [
      post(TEXT, 'abc'),
      post(TEXT, 'abcdef'),
      postChunked(TEXT, 'abcdef'),
      post(TEXT, zlib.gzipSync('abc'), gzip),
      post(TEXT, zlib.gzipSync('abcdef'), gzip),
      post(TEXT, 'garbage', gzip),
    ]) {
      const answer = await same(build, request);
      assert.equal(answer.text, '{"events":[],"ended":true}');
    }
  });

  test('events: an error in reading pauses the request before the rest is discarded', async () => {
    const build = (web: Web): ReturnType<Web> => {
      const app = web();
      const events: string[] = [];
      app.use((req, _res, next) => {
        for (const event of ['pause', 'resume', 'end']) req.on(event, () => events.push(event));
        next();
      });
      app.use(web.text({ limit: 5 }));
      app.use(onError((_err, _req, res) => void res.json(events)));
      return app;
    };
    for (const request of [
      post(TEXT, 'abcdef'),
      postChunked(TEXT, 'abcdef'),
      post(TEXT, zlib.gzipSync('abcdef'), { 'Content-Encoding': 'gzip' }),
      post(`${TEXT}; charset=bogus`, 'abc'),
    ]) {
      await same(build, request);
    }
    assert.deepEqual(JSON.parse((await same(build, post(TEXT, 'abcdef'))).text), ['pause', 'resume', 'end']);
  });

  test('error request.aborted: is a 400, passed on exactly once, for plain, chunked and encoded bodies', async () => {
    const gzip = zlib.gzipSync('a long enough text').subarray(0, 20);
    for (const [headers, body, received] of [
      ['Content-Length: 100', 'abcd', 4],
      ['Transfer-Encoding: chunked', '4\r\nabcd\r\n', 4],
      ['Content-Length: 100\r\nContent-Encoding: gzip', gzip, undefined],
    ] as [string, string | Buffer, number | undefined][]) {
      const errors: { type: string; code: string; status: number; received: number; expected: unknown }[] =
        [];
      const app = frameworks.ristretto();
      app.use(frameworks.ristretto.text());
      app.use(onError(error => errors.push(error)));
      await withServer(app, async (port, server) => {
        const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${headers}\r\n\r\n`;
        const reading = once(server, 'request') as Promise<[NodeJS.EventEmitter]>;
        const socket = net.connect(port, '127.0.0.1');
        socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
        const [req] = await reading;
        setTimeout(() => socket.destroy(), 5);
        await new Promise(resolve => req.on('close', resolve));
        await new Promise(resolve => setImmediate(resolve));
      });
      assert.equal(errors.length, 1, headers);
      const [error] = errors;
      assert.deepEqual([error?.type, error?.code, error?.status], ['request.aborted', 'ECONNABORTED', 400]);
      if (received !== undefined) assert.equal(error?.received, received);
    }
  });

  test('error entity.too.large: is handled before the response of a disconnected client closes', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().set('env', 'test');
      const events: unknown[] = [];
      let disconnect = (): void => undefined;
      app.use((_req, res, next) => {
        res.on('close', () => events.push(`close ${res.statusCode} ${res.headersSent}`));
        setImmediate(() => {
          disconnect();
        });
        next();
      });
      app.use(web.text({ limit: 5 }));
      app.use(
        onError((error, _req, res) => {
          events.push(`handler ${error.status} ${res.destroyed}`);
          res.status(error.status).end();
        }),
      );
      await withServer(app, async port => {
        const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n';
        const socket = net.connect(port, '127.0.0.1', () => socket.write(`${head}abcdef`));
        disconnect = () => void socket.destroy();
        await until(() => events.length >= 2);
      });
      assert.deepEqual(events, ['handler 413 false', 'close 413 true']);
    }
  });

  test('error request.aborted: has the same own properties as in Express', async () => {
    const seen: object[] = [];
    for (const web of Object.values(frameworks)) {
      const app = web();
      app.use(web.text());
      const reported = new Promise<void>(resolve => {
        app.use(
          onError((error, req) => {
            const own = Object.getOwnPropertyNames(error);
            seen.push({ ...error, own, message: error.message, body: req.body });
            resolve();
          }),
        );
      });
      await withServer(app, async port => {
        const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc';
        const socket = net.connect(port, '127.0.0.1', () => socket.end(head));
        await reported;
      });
    }
    assert.deepEqual(seen[0], seen[1]);
  });

  test('keep-alive: responds to the next request on the connection after each error', async () => {
    const request = (headers: string, body: string | Buffer): Buffer =>
      Buffer.concat([
        Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain${headers}\r\n`),
        Buffer.from(headers.includes('Transfer') ? '\r\n' : `Content-Length: ${String(body.length)}\r\n\r\n`),
        Buffer.from(body),
      ]);
    for (const [headers, body, status] of [
      ['', 'x'.repeat(500_000), 413],
      ['\r\nTransfer-Encoding: chunked', chunked('x'.repeat(50_000), 5000), 413],
      ['\r\nContent-Encoding: gzip', zlib.gzipSync('x'.repeat(500_000)), 413],
      ['\r\nContent-Encoding: gzip', Buffer.alloc(300_000, 1), 400],
      ['\r\nContent-Encoding: foo', 'x'.repeat(300_000), 415],
      ['; charset=foo', 'x'.repeat(500), 415],
    ] as [string, string | Buffer, number][]) {
      const app = reporting(web => web.text({ limit: 1000 }))(frameworks.ristretto);
      const last = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
      const bytes = Buffer.concat([request(headers, body), Buffer.from(last)]);
      const answers = await withServer(app, port => exchangeRaw(port, bytes));
      const statuses = [...answers.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1]);
      assert.deepEqual(statuses, [String(status), '200'], headers);
    }
  });

  test('error while the rest is discarded: is passed on once when the client disconnects', async () => {
    let reported = 0;
    const app = frameworks.ristretto();
    app.use(frameworks.ristretto.text({ limit: 5 }));
    const done = new Promise<{ type: string }>(resolve => {
      app.use(
        onError(error => {
          reported++;
          resolve(error);
        }),
      );
    });
    await withServer(app, async (port, server) => {
      const head =
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 900000\r\n\r\nabc';
      const reading = once(server, 'request');
      const socket = net.connect(port, '127.0.0.1', () => socket.write(head));
      await reading;
      socket.destroy();
      assert.equal((await done).type, 'entity.too.large');
    });
    assert.equal(reported, 1);
  });

  test('error with a long rest: is passed on before all has arrived, and the connection can be reused', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    app.use(frameworks.ristretto.text({ limit: 5 }));
    app.use(onError((error, _req, res) => res.status(error.status).send('refused')));
    const size = 4 * 1024 * 1024;
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\n\r\n`;
    await withServer(app, async port => {
      const kept = await Connection.open(port);
      kept.socket.write(head + 'a'.repeat(size / 2));
      await kept.until(/413 .*refused$/s);
      kept.socket.write('a'.repeat(size / 2));
      await kept.get('/next').until(/404 /);
      kept.socket.destroy();
    });
  });

  test('error with a long rest: is passed on at the end if the connection closes after the response', async () => {
    let wasComplete = false;
    const app = frameworks.ristretto().set('env', 'test');
    app.use(frameworks.ristretto.text({ limit: 5 }));
    app.use(
      onError((error, req, res) => {
        wasComplete = req.complete;
        res.status(error.status).end();
      }),
    );
    const answer = await ask(app, post(TEXT, 'a'.repeat(4 * 1024 * 1024)));
    assert.equal(answer.status, 413);
    assert.equal(wasComplete, true);
  });

  test('AsyncLocalStorage: the next handler and error handlers run in the context of the previous one', async () => {
    const storage = new AsyncLocalStorage<string>();
    const app = frameworks.ristretto();
    app.use((_req, _res, next) => storage.run('mine', next));
    app.use(frameworks.ristretto.text({ limit: 10 }));
    app.use((_req, res) => res.send(storage.getStore()));
    app.use(onError((_err, _req, res) => res.send(storage.getStore())));
    const gzip = { 'Content-Encoding': 'gzip' };
    for (const request of [
      post(TEXT, 'abc'),
      post(TEXT, ''),
      postChunked(TEXT, 'abcdefghi'),
      post(TEXT, 'x'.repeat(11)),
      postChunked(TEXT, 'x'.repeat(11)),
      post(TEXT, zlib.gzipSync('abc'), gzip),
      post(TEXT, 'garbage', gzip),
    ]) {
      assert.equal((await ask(app, request)).text, 'mine');
    }
  });

  test('other streams: their own error is a 400, and closing early is an abort', async () => {
    const settings = { inflate: true, limit: 100, type: [], verify: undefined, version };
    for (const [cause, expected] of [
      [new Error('disk'), 'disk'],
      [undefined, 'request aborted'],
    ] as [Error | undefined, string][]) {
      const req = Object.assign(new Readable({ read() {} }), { headers: {} });
      const failed = new Promise<{ status: number; message: string }>(resolve => {
        read(req as never, {} as never, error => resolve(error as never), settings, String, 'utf-8');
      });
      req.destroy(cause);
      const { status, message } = await failed;
      assert.deepEqual([status, message], [400, expected]);
    }
  });
});

const KIB = 1024;
const piece = (size: number, fill: number): Buffer => Buffer.alloc(size, fill);

function collect(length: number | null, sizes: number[]): { expected: Buffer; joined: Buffer } {
  const pieces = new Pieces(length);
  const given = sizes.map((size, i) => piece(size, i + 1));
  for (const one of given) pieces.add(one);
  return { expected: Buffer.concat(given), joined: pieces.join() };
}

/** The chunks of a body: joins them without allocating more memory than the received data justifies. */
describe('pieces of a body', () => {
  for (const [name, sizes] of Object.entries({
    'no piece': [],
    'small ones': [1, 2, 3],
    'an empty one first': [0, 5, 5],
    'large ones': [64 * KIB, 64 * KIB, 64 * KIB, 17],
    'one large one': [600 * KIB],
    'small ones, then large ones': [1, 100 * KIB, 100 * KIB, 1, 100 * KIB],
  })) {
    test(`whole: joins the pieces: ${name}`, () => {
      const length = sizes.reduce((sum, size) => sum + size, 0);
      for (const known of [length, null]) {
        const { expected, joined } = collect(known, sizes);
        assert.ok(joined.equals(expected));
      }
    });
  }

  test('copies: does not copy a single piece', () => {
    const pieces = new Pieces(5);
    const only = piece(5, 1);
    pieces.add(only);
    assert.equal(pieces.join(), only);
  });

  test('memory: allocates the announced length only after a sixteenth of it has arrived', () => {
    const before = process.memoryUsage().arrayBuffers;
    const many = Array.from({ length: 20 }, () => new Pieces(64 * KIB * KIB));
    for (const pieces of many) {
      for (let i = 0; i < 6; i++) pieces.add(Buffer.allocUnsafe(64 * KIB));
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 20 * KIB * KIB);
  });

  test('too many: counts more bytes than announced without harm', () => {
    const pieces = new Pieces(200 * KIB);
    for (let i = 0; i < 6; i++) pieces.add(piece(64 * KIB, i));
    assert.equal(pieces.received, 6 * 64 * KIB);
  });

  test('clear: releases the bytes', () => {
    const pieces = new Pieces(3);
    pieces.add(piece(3, 1));
    pieces.clear();
    assert.equal(pieces.join().length, 0);
  });
});

const gzip = { 'Content-Encoding': 'gzip' };

/** Content codings of request bodies, including hostile input. */
describe('body.inflate', () => {
  test('br: is decompressed, unlike in body-parser 1.20', async () => {
    for (const coding of ['br', 'BR']) {
      const request = post(TEXT, zlib.brotliCompressSync('hello'), { 'Content-Encoding': coding });
      const answer = await ask(text(frameworks.ristretto), request);
      assert.deepEqual(JSON.parse(answer.text), { body: 'hello', _body: true });
    }
    const garbage = post(TEXT, 'garbage!', { 'Content-Encoding': 'br' });
    assert.equal((await ask(text(frameworks.ristretto), garbage)).status, 400);
  });

  test('error encoding.unsupported: responds with 415 to other encodings', async () => {
    for (const coding of ['FOO', 'x-gzip', 'compress', 'x-zstd']) {
      const answer = await same(text, post(TEXT, 'abc', { 'Content-Encoding': coding }));
      const { status, type, encoding } = JSON.parse(answer.text);
      assert.deepEqual([status, type, encoding], [415, 'encoding.unsupported', coding.toLowerCase()]);
    }
  });

  test('CVE-2026-22036: responds with 415 to a list of encodings', async () => {
    for (const coding of ['gzip, gzip', 'gzip,gzip', 'identity, gzip', 'gzip, '.repeat(500) + 'gzip']) {
      const answer = await same(text, post(TEXT, zlib.gzipSync('abc'), { 'Content-Encoding': coding }));
      assert.equal(answer.status, 415);
    }
  });

  test('malformed: responds with 400 and the code of zlib', async () => {
    const good = zlib.gzipSync('some text to deflate');
    for (const [coding, bytes, code] of [
      ['gzip', Buffer.from('garbage!'), 'Z_DATA_ERROR'],
      ['gzip', good.subarray(0, 15), 'Z_BUF_ERROR'],
      ['gzip', Buffer.alloc(0), 'Z_BUF_ERROR'],
      ['gzip', Buffer.concat([good, Buffer.from('xxxx')]), 'Z_DATA_ERROR'],
      ['deflate', zlib.deflateRawSync('abc'), 'Z_DATA_ERROR'],
      ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6]), 'Z_DATA_ERROR'],
    ] as [string, Buffer, string][]) {
      const answer = await same(text, post(TEXT, bytes, { 'Content-Encoding': coding }));
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [400, code]);
    }
  });

  test('several gzip members: are parsed as one body', async () => {
    const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]);
    assert.equal(JSON.parse((await same(text, post(TEXT, members, gzip))).text).body, 'one two');
  });

  test('limit: applies to decompressed bytes, which may be fewer than received', async () => {
    const build = reporting(web => web.text({ limit: 3 }));
    assert.equal((await same(build, post(TEXT, zlib.gzipSync('abc'), gzip))).status, 200);
  });

  test('zip bomb: decompression stops within 64 KiB over the limit', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
    const limit = 100_000;
    const build = reporting(web => web.text({ limit }));
    const answer = await ask(build(frameworks.ristretto), post(TEXT, bomb, gzip));
    const { status, received } = JSON.parse(answer.text);
    assert.equal(status, 413);
    assert.ok(received > limit && received <= limit + 65_536, String(received));
  });

  test('zip bomb: decompression of brotli stops within 64 KiB over the limit', async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(20_000_000), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const request = post(TEXT, bomb, { 'Content-Encoding': 'br' });
    const { status, received } = JSON.parse((await ask(text(frameworks.ristretto), request)).text);
    assert.equal(status, 413);
    assert.ok(received <= 102_400 + 65_536);
  });

  test('CVE-2026-111181: an abandoned decoder emits no errors, and the process keeps running', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('uncaughtException', note);
    try {
      const broken = Buffer.concat([
        zlib.gzipSync('x'.repeat(100_000)).subarray(0, 60),
        Buffer.alloc(50_000, 0xff),
      ]);
      for (const [type, limit] of [
        [`${TEXT}; charset=foo`, 1e6],
        [TEXT, 10],
        [TEXT, 1e6],
      ] as [string, number][]) {
        const build = reporting(web => web.text({ limit }));
        const answer = await ask(build(frameworks.ristretto), post(type, broken, gzip));
        assert.ok(answer.status >= 400);
      }
      await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('uncaughtException', note);
    }
  });
});
