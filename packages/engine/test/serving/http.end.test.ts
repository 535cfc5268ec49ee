// runs: http1, each
/** `res.end` with the whole body: sends the same bytes and events as Node's own, patched or not. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import { exchangeRaw, withServer } from '../support/http.js';

/** Returns the bytes of a response, after asserting that our `end` and Node's send the same. */
async function bothWays(answer: (res: Response) => void, method = 'GET', version = '1.1'): Promise<string> {
  const app = web();
  app.use((req, res) => {
    if (req.path === '/runtime') res.end = http.ServerResponse.prototype.end as never;
    answer(res);
  });
  const texts = await withServer(http.createServer(app), async port => {
    const bytes: string[] = [];
    for (const path of ['/', '/runtime']) {
      const first = `${method} ${path} HTTP/${version}\r\nHost: a\r\n\r\n`;
      const raw = await exchangeRaw(
        port,
        first + 'GET /runtime HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      );
      bytes.push(raw.toString('latin1').replace(/\r\nDate: [^\r]*/g, ''));
    }
    return bytes;
  });
  assert.equal(texts[0], texts[1]);
  return texts[0]!;
}

const cases: Record<string, (res: Response) => void> = {
  'a string': res => res.end('text'),
  'a string beyond Latin-1': res => res.end('tëxt — ☕'),
  'a string and a Latin-1 header': res => res.set('X-Name', 'é').end('text'),
  'a non-ASCII string and a Latin-1 header': res => res.set('X-Name', 'é').end('☕'),
  'an empty string': res => res.end(''),
  nothing: res => res.end(),
  bytes: res => res.end(Buffer.from([0, 128, 255])),
  'bytes and a Latin-1 header': res => res.set('X-Name', 'é').end(Buffer.from('☕')),
  'many bytes': res => res.end(Buffer.alloc(100_000, 0xfe)),
  'no bytes': res => res.end(Buffer.alloc(0)),
  'an array of bytes': res => res.end(new Uint8Array([65, 66])),
  'an encoding': res => res.end('e9e8', 'hex'),
  'utf-8': res => res.end('é', 'utf-8'),
  'a header block written before': res => res.writeHead(201, { 'Content-Length': 4 }).end('text'),
  'a header block written before, without a length': res => res.writeHead(201).end('text'),
  'a header block that has been sent': res => {
    res.set('Content-Length', '4').flushHeaders();
    res.end('text');
  },
  'a chunk that was written before': res => {
    res.write('te');
    res.end('xt');
  },
  'a wrong length': res => res.set('Content-Length', '2').end('text'),
  'explicit chunked encoding': res => res.set('Transfer-Encoding', 'chunked').end('text'),
  trailers: res => {
    res.set({ 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum' });
    res.addTrailers({ 'X-Sum': '1' });
    res.end('text');
  },
  'a status without content': res => res.status(204).end('text'),
  'not modified': res => res.status(304).end('text'),
  'a custom reason phrase': res => {
    res.statusMessage = 'Fine';
    res.end('text');
  },
  'a closed connection': res => res.set('Connection', 'close').end('text'),
  corked: res => {
    res.cork();
    res.end('text');
  },
  'a patched writeHead': res => {
    const { writeHead } = res;
    res.writeHead = function (this: Response, ...args: unknown[]) {
      this.setHeader('X-Late', 'added');
      return Reflect.apply(writeHead, this, args);
    } as never;
    res.end('text');
  },
  'a patched writeHead that sends the headers': res => {
    const { writeHead } = res;
    res.writeHead = function (this: Response, ...args: unknown[]) {
      Reflect.apply(writeHead, this, args);
      this.flushHeaders();
      return this;
    } as never;
    res.set('Content-Length', '4').end('text');
  },
  'a second end': res => {
    res.on('error', (error: NodeJS.ErrnoException) => assert.equal(error.code, 'ERR_STREAM_WRITE_AFTER_END'));
    res.end('text');
    res.end('more');
  },
};

describe('http/end', () => {
  for (const [name, answer] of Object.entries(cases)) {
    for (const method of ['GET', 'HEAD']) {
      test(`${name}: sends the same bytes as Node in response to ${method}`, async () => {
        assert.match(await bothWays(answer, method), /^HTTP\/1\.1 [^]*HTTP\/1\.1 |Connection: close/);
      });
    }
  }

  test('HTTP/1.0: sends the same bytes as Node', async () => {
    assert.match(await bothWays(res => res.end('text'), 'GET', '1.0'), /text$/);
  });

  test('strictContentLength: a wrong length throws as in Node', async () => {
    await bothWays(res => {
      res.strictContentLength = true;
      res.set('Content-Length', '2');
      assert.throws(() => res.end('text'), { code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' });
      res.destroy();
    });
  });

  test('events: prefinish, finish and close are emitted once, in the order of Node', async () => {
    for (const path of ['/', '/runtime']) {
      const events: string[] = [];
      const app = web();
      app.use((req, res) => {
        if (req.path === '/runtime') res.end = http.ServerResponse.prototype.end as never;
        for (const name of ['prefinish', 'finish', 'close'])
          res.on(name, () => events.push(`${name} ${res.writableEnded} ${res.writableFinished}`));
        assert.equal(res.end('text'), res);
        events.push(`returned ${res.headersSent}`);
      });
      await withServer(http.createServer(app), port =>
        exchangeRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      );
      assert.deepEqual(events.map(event => event.split(' ')[0]).sort(), [
        'close',
        'finish',
        'prefinish',
        'returned',
      ]);
      assert.equal(events.indexOf('finish true true') > events.indexOf('returned true'), true);
    }
  });
});
