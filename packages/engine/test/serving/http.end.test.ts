// runs: http1, each
/** The end of responses and of unread requests, and responses with unusual framing: as in Node and Express. */
import assert from 'node:assert/strict';
import http, { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { finished, PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import onFinished = require('on-finished');
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { askPort, exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { stateOf } from '../support/request-state.js';
import type { RequestState } from '../support/request-state.js';

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
  'a long string': res => res.end('x'.repeat(100_000)),
  'a long non-ASCII string': res => res.end('☕'.repeat(100_000)),
  'a long non-ASCII string and a Latin-1 header': res => res.set('X-Name', 'é').end('☕'.repeat(100_000)),
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

/** `res.end` with the whole body: sends the same bytes and events as Node's own, patched or not. */
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
});

const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Returns the bytes sent, without the date and the framework's name. */
async function bytes(
  web: Web,
  handler: RequestHandler,
  text: string,
  serve = http.createServer,
): Promise<string> {
  const raw = await withServer(serve(web().use(handler)), port => exchangeRaw(port, text));
  return raw.toString('latin1').replace(/^(Date|X-Powered-By): .*/gm, '$1');
}

async function sameBytes(
  handler: RequestHandler,
  text = `${request}\r\n${last}`,
  serve = http.createServer,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [frameworks.ristretto, frameworks.express].map(web => bytes(web, handler, text, serve)),
  );
  assert.equal(ours, theirs);
}

describe('http framing', () => {
  for (const status of [102, 150, 199, 204, 205, 304, 599, 999]) {
    test(`status ${status}: is framed as in Express when it has a body`, () =>
      sameBytes((_req, res) => void res.status(status).send('body')));
  }

  const expecting = `POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n${last}`;
  test('Expect: 100-continue may be handled by the application', () =>
    sameBytes(
      (_req, res) => void res.send('not yet'),
      expecting,
      handler => http.createServer(handler as never).on('checkContinue', handler as never),
    ));
  test('Expect: 100-continue may be handled by Node', () =>
    sameBytes((_req, res) => void res.send('x'), expecting));

  const framed: Record<string, (res: Parameters<RequestHandler>[1]) => void> = {
    'no keep-alive headers: are sent if switched off on the response': res => {
      (res as unknown as { _defaultKeepAlive: boolean })._defaultKeepAlive = false;
      res.send('x');
    },
    'Transfer-Encoding: may be set by a handler': res =>
      res.set('Transfer-Encoding', 'chunked').send('chunked'),
    'Content-Length: may be removed after it was set': res => {
      res.set('Content-Length', '1');
      res.removeHeader('Content-Length');
      res.send('x');
    },
    'corked: is sent when the handler uncorks it': res => {
      res.cork();
      res.send('x');
      process.nextTick(() => res.uncork());
    },
  };
  for (const [title, answer] of Object.entries(framed)) {
    test(title, () => sameBytes((_req, res) => answer(res)));
  }
});

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Returns the state of a finished request a few turns after its response. */
async function stateAfter(path: 'ours' | 'bare'): Promise<RequestState> {
  let seen: IncomingMessage | undefined;
  const app = web();
  app.use((req, res) => {
    seen = req;
    res.send('answer');
  });
  const bare = createServer((req, res) => {
    seen = req;
    res.end('answer');
  });
  await withServer(path === 'ours' ? createServer(app) : bare, async port => {
    await askPort(port, '/first');
    await askPort(port, {});
    await turn();
  });
  return stateOf(seen!);
}

/** The end of an unread request: has the same observable state and events as in Node, whenever they are observed. */
describe('end of unread requests', () => {
  test('state: a request reports that it is read and closed, as in Node', async () => {
    const ours = await stateAfter('ours');
    const bare = await stateAfter('bare');
    assert.deepEqual({ ...ours, readableDidRead: bare.readableDidRead }, bare);
    assert.deepEqual(
      [ours, bare].map(state => Reflect.get(state, 'closed')),
      [true, true],
    );
  });

  const later: Record<string, (begin: () => void) => void> = {
    'a promise': begin => void Promise.resolve().then(begin),
    'a tick': begin => process.nextTick(begin),
    'a turn': begin => setImmediate(begin),
    'some time': begin => setTimeout(begin, 5),
  };
  const ways: Record<string, (req: IncomingMessage, note: (what: string) => void) => void> = {
    data: (req, note) => req.on('data', () => note('data')).on('end', () => note('end')),
    readable: (req, note) => req.on('readable', () => void req.read()).on('end', () => note('end')),
    resume: (req, note) => req.on('end', () => note('end')).resume(),
    read: (req, note) => note(String(req.on('end', () => note('end')).read())),
    iterator: (req, note) =>
      void (async () => {
        for await (const chunk of req) note(String(chunk));
        note('done');
      })(),
    pipe: (req, note) =>
      req
        .pipe(new PassThrough())
        .on('finish', () => note('finish'))
        .resume(),
    'end alone': (req, note) => req.on('end', () => note('end')),
    'flow and pause': (req, note) =>
      req
        .on('end', () => note('end'))
        .resume()
        .pause(),
  };

  for (const [when, wait] of Object.entries(later)) {
    for (const [way, read] of Object.entries(ways)) {
      test(`late listeners: ${way} after ${when} observes the same as in Node`, async () => {
        const run = async (
          make: (handler: (req: never, res: never) => void) => Server,
        ): Promise<string[]> => {
          const notes: string[] = [];
          const server = make((req: IncomingMessage, res: ServerResponse) => {
            wait(() => {
              read(req, what => notes.push(what));
              setTimeout(() => {
                notes.push(`${String(req.readableEnded)} ${String(req.complete)} ${String(req.readable)}`);
                res.end('answer');
              }, 10);
            });
          });
          await withServer(server, async port => {
            await askPort(port, '/first');
            await askPort(port, '/');
          });
          return notes;
        };
        const ours = await run(handler => createServer(web().use(handler as never)));
        assert.deepEqual(ours, await run(handler => createServer(handler as never)));
      });
    }
  }

  test('late listeners: stream.finished and on-finished detect that the request is over', async () => {
    let seen: Request | undefined;
    const app = web();
    app.get('/', (req, res) => {
      seen = req;
      res.send('answer');
    });
    await withServer(createServer(app), async port => {
      await askPort(port, '/');
      await askPort(port, '/');
    });
    assert.equal(onFinished.isFinished(seen as never), true);
    await new Promise<void>((resolve, reject) => {
      finished(seen!, error => (error ? reject(error) : resolve()));
    });
    assert.equal(seen!.read(), null);
  });

  test('bodies: an unread body is discarded, and the connection serves the next request', async () => {
    const app = web();
    app.post('/', (_req, res) => res.send('first'));
    app.get('/', (_req, res) => res.send('second'));
    await withServer(createServer(app), async port => {
      const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n' + 'x'.repeat(200_000);
      const bytes = await exchangeRaw(port, post + 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.match(bytes.toString(), /^HTTP\/1\.1 200[^]*first[^]*HTTP\/1\.1 200[^]*second$/);
    });
  });
});
