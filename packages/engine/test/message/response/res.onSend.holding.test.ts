// runs: each
/** `res.onSend`: responses held back while an asynchronous hook runs, and their outcome. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addResponseHook } from '@ristretto/response-hooks';
import session from 'express-session';
import web from 'ristretto';
import { gateOf } from '@ristretto/private-engine/lib/serving/hook-gate';
import type { ErrorRequestHandler, RequestHandler, Response } from 'ristretto';
import { Connection } from '../../support/connection.js';
import { answering, hooked, later } from '../../support/hooks.js';
import type { Hook } from '../../support/hooks.js';
import { ask, connectUnread, exchangeRaw, withServer } from '../../support/http.js';
import { askHttp2 } from '../../support/http2.js';
import { until } from '../../support/until.js';

const nothing: Hook = () => undefined;
const never: Hook = () => new Promise(() => undefined);

/** Returns a hook that waits until `open` is called. */
function gate(): { hook: Hook; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  return { hook: () => opened, open: () => open() };
}

describe('res.onSend: holding', () => {
  test('write: chunks are held in order until the hooks have run', async () => {
    const called: string[] = [];
    const app = answering((_req, res) => {
      res.write('a', () => called.push('a'));
      res.write('62', 'hex');
      res.write(Buffer.from('c'));
      res.end('d', () => called.push('d'));
      called.push('given');
    }, later(nothing));
    assert.equal((await ask(app)).text, 'abcd');
    assert.deepEqual(called, ['given', 'a', 'd']);
  });

  test('status and headers: a hook may change them after an await, the handler may not', async () => {
    const { hook: wait, open } = gate();
    const app = answering(
      (_req, res) => {
        res.set('X-First', '1').send('text');
        res.statusCode = 500;
        assert.throws(() => res.set('X-Late', '1'), { code: 'ERR_HTTP_HEADERS_SENT' });
        open();
      },
      async function (body, res) {
        await wait.call(this, body, res);
        assert.equal(res.headersSent, false);
        res.status(202).removeHeader('X-First');
        res.set('X-Hook', '1');
      },
    );
    const { status, headers } = await ask(app);
    assert.deepEqual(
      [status, headers['x-hook'], headers['x-first'], headers['x-late']],
      [202, '1', undefined, undefined],
    );
  });

  test('backpressure: write returns false once a buffer is full, and drain is emitted after the hooks have run', async () => {
    const { hook, open } = gate();
    let response: Response;
    const answers: boolean[] = [];
    const app = answering((_req, res) => {
      response = res;
      answers.push(res.write('x'.repeat(100)));
      answers.push(res.write(Buffer.alloc(res.writableHighWaterMark)));
      void once(res, 'drain').then(() => res.end());
      open();
    }, hook);
    const { body } = await ask(app);
    assert.deepEqual(answers, [true, false]);
    assert.equal(body.length, 100 + response!.writableHighWaterMark);
  });

  test('backpressure: a piped source waits, and is read to its end', async () => {
    for (const size of [10, 100_000]) {
      const chunks = Array.from({ length: 30 }, () => Buffer.alloc(size, 'x'));
      const piped = answering((_req, res) => void Readable.from(chunks).pipe(res), later(nothing));
      assert.equal((await ask(piped)).body.length, 30 * size);
      const pipelined = answering((_req, res) => pipeline(Readable.from(chunks), res), later(nothing));
      assert.equal((await ask(pipelined)).body.length, 30 * size);
    }
  });

  test('backpressure: a source piped to a HEAD response is read to its end', async () => {
    const source = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(100_000)));
    const app = answering((_req, res) => void source.pipe(res), later(nothing));
    assert.equal((await ask(app, { method: 'HEAD' })).status, 200);
    assert.ok(source.readableEnded);
  });

  test('backpressure: drain is not emitted after the response has been ended', async () => {
    let drained = false;
    const app = answering((_req, res) => {
      res.on('drain', () => (drained = true));
      res.write('x'.repeat(res.writableHighWaterMark));
      res.end();
    }, later(nothing));
    await ask(app);
    assert.ok(!drained);
  });

  test('flushHeaders: is held as well', async () => {
    const app = answering(
      (_req, res) => {
        res.flushHeaders();
        res.flushHeaders();
        res.end('a');
      },
      later((_body, res) => void res.set('X-A', '1')),
    );
    const { headers, text } = await ask(app);
    assert.deepEqual([headers['x-a'], text], ['1', 'a']);
  });

  test('second response: throws as if the first had been sent', async () => {
    const codes: unknown[] = [];
    const attempts: ((res: Response) => unknown)[] = [
      res => res.send('b'),
      res => res.json({}),
      res => res.redirect('/b'),
      res => res.writeHead(500),
    ];
    for (const attempt of attempts) {
      const app = answering((_req, res) => {
        res.send('a');
        try {
          attempt(res);
        } catch (error) {
          codes.push((error as NodeJS.ErrnoException).code);
        }
      }, later(nothing));
      assert.equal((await ask(app)).text, 'a');
    }
    assert.deepEqual(codes, Array(4).fill('ERR_HTTP_HEADERS_SENT'));
  });

  test('second response: calling writeHead twice throws', async () => {
    const app = answering((_req, res) => void res.writeHead(200).writeHead(201), nothing);
    app.use(((error: NodeJS.ErrnoException, _req, res, _next) => {
      res.end(error.code);
    }) as web.ErrorRequestHandler);
    assert.equal((await ask(app)).text, 'ERR_HTTP_HEADERS_SENT');
  });

  test('second end: has no effect', async () => {
    for (const hook of [nothing, later(nothing)]) {
      const app = answering((_req, res) => {
        res.end('a');
        res.end();
      }, hook);
      assert.equal((await ask(app)).text, 'a');
    }
  });

  test('error after it: sends the response and logs the error', async () => {
    const { hook, open } = gate();
    const app = answering((_req, res, next) => {
      res.send('a');
      next(new Error('late'));
      setTimeout(open, 10);
    }, hook);
    const { status, text } = await ask(app);
    assert.deepEqual([status, text], [200, 'a']);
  });

  test('404 after it: sends the response', async () => {
    const app = answering((_req, res, next) => {
      res.send('a');
      next();
    }, later(nothing));
    assert.equal((await ask(app)).text, 'a');
  });

  test('informational: 100, 102 and 103 are sent before and do not run the hooks', async () => {
    let runs = 0;
    const app = answering(
      (_req, res) => {
        res.writeContinue();
        res.writeProcessing();
        res.earlyHints('</a>; rel=preload');
        assert.equal(runs, 0);
        res.send('a');
      },
      () => void runs++,
      later(nothing),
    );
    await withServer(app, async port => {
      const bytes = await exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.deepEqual(
        String(bytes).match(/^HTTP\/1\.1 \d+/gm),
        ['100', '102', '103', '200'].map(s => `HTTP/1.1 ${s}`),
      );
      assert.equal(runs, 1);
    });
  });

  test('Expect: sends 100 Continue before the hooks run', async () => {
    const app = hooked(later(body => `${String(body)}!`)).use(web.text());
    app.post('/', (req, res) => res.send(req.body));
    await withServer(app, async port => {
      const connection = await Connection.open(port);
      connection.socket.write(
        'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
      );
      await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
      connection.socket.write('hi');
      await connection.until(/\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhi!$/);
    });
  });

  test('trailers: are sent when there are hooks', async () => {
    for (const hook of [nothing, later(nothing)]) {
      const app = hooked(hook);
      app.get('/write', (_req, res) => {
        res.set('Trailer', 'X-Sum').write('a');
        res.addTrailers({ 'X-Sum': '97' });
        res.end();
      });
      app.get('/end', (_req, res) => {
        res.set('Trailer', 'X-Sum').addTrailers({ 'X-Sum': '97' });
        res.end('a');
      });
      for (const path of ['/write', '/end']) {
        await withServer(app, async port => {
          const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
          assert.match(String(await exchangeRaw(port, request)), /\r\n1\r\na\r\n0\r\nX-Sum: 97\r\n\r\n$/);
        });
      }
      const { trailers } = await askHttp2(app, '/write');
      assert.equal(trailers['x-sum'], '97');
    }
  });

  test('npm express-session: its cookie is set when the held chunks are passed on', async () => {
    const app = hooked(later(nothing)).use(session({ secret: 'a', resave: true, saveUninitialized: true }));
    app.use((_req, res) => {
      res.write('a');
      res.end('b');
    });
    const { headers, text } = await ask(app);
    assert.match(String(headers['set-cookie']), /^connect\.sid=/);
    assert.equal(text, 'ab');
  });

  test('npm express-session: a second response does not reach it while the first one waits', async () => {
    const app = hooked(later(nothing)).use(session({ secret: 'a', resave: true, saveUninitialized: true }));
    app.use((_req, res) => {
      res.json({ a: 1 });
      res.end();
    });
    const { headers, text } = await ask(app);
    assert.match(String(headers['set-cookie']), /^connect\.sid=/);
    assert.equal(text, '{"a":1}');
  });

  test('pipelined: responses are sent in the order of their requests', async () => {
    const slow = later(nothing);
    const app = hooked((body, res) => (res.req.url === '/1' ? slow.call(res, body, res) : undefined));
    app.use((req, res) => res.send(`<${req.url}>`));
    await withServer(app, async port => {
      const bytes = await exchangeRaw(
        port,
        'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      );
      assert.deepEqual(String(bytes).match(/<.*>/g), ['</1>', '</2>']);
    });
  });
});

describe('res.onSend: a client that disconnects', () => {
  test('never settles: the source is destroyed, and close is emitted', async () => {
    const source = new Readable({ read: () => undefined });
    source.push(Buffer.alloc(100_000));
    let piped: Promise<unknown> | undefined;
    let closed: Promise<unknown> | undefined;
    const app = answering((_req, res) => {
      closed = once(res, 'close');
      piped = pipeline(source, res);
      piped.catch(() => undefined);
    }, never);
    await withServer(app, async port => {
      const socket = connectUnread(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      while (closed === undefined) await new Promise(resolve => setImmediate(resolve));
      socket.destroy();
      await closed;
      await assert.rejects(piped!, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
      assert.ok(source.destroyed);
    });
  });

  test('hooks: the remaining ones do not run, and the callbacks of held chunks are called', async () => {
    const { hook, open } = gate();
    const seen: string[] = [];
    let begun = false;
    const app = answering(
      (_req, res) => {
        res.on('close', () => seen.push('close'));
        res.write('a', () => seen.push('callback'));
        begun = true;
      },
      hook,
      () => void seen.push('second hook'),
    );
    await withServer(app, async port => {
      const socket = connectUnread(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      while (!begun) await new Promise(resolve => setImmediate(resolve));
      socket.destroy();
      while (!seen.includes('close')) await new Promise(resolve => setImmediate(resolve));
      open();
      await new Promise(resolve => setTimeout(resolve, 10));
      assert.deepEqual(seen.sort(), ['callback', 'close']);
    });
  });

  test('outputs of packages: one that fails in what was held back goes to the error handlers', async () => {
    let caught: unknown;
    let begun = false;
    const fail = (): never => {
      throw new Error('output failed');
    };
    const app = answering((_req, res) => {
      addResponseHook(res, { pieces: () => ({ write: fail, end: fail }) });
      begun = res.write('a');
    }, never);
    const errorHandler: ErrorRequestHandler = (error, _req, _res, _next) => void (caught = error);
    app.use(errorHandler);
    await withServer(app, async port => {
      const socket = connectUnread(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await until(() => begun);
      socket.destroy();
      await until(() => caught !== undefined);
      assert.match(String(caught), /output failed/);
    });
  });

  test('app.fetch: an abort settles the response', async () => {
    const controller = new AbortController();
    const app = answering((_req, res) => {
      res.send('a');
      setImmediate(() => controller.abort());
    }, never);
    const response = await app.fetch(new Request('http://localhost/', { signal: controller.signal }));
    assert.equal(response.status, 499);
  });
});

describe('res.onSend: bypass', () => {
  test('bypass: drops the held response, and sends the next one without hooks', async () => {
    let runs = 0;
    for (const given of [
      (res: Response) => res.status(201).json({ a: 1 }),
      (res: Response) => res.write('a'),
    ]) {
      const { hook, open } = gate();
      const app = answering(
        (_req, res) => {
          given(res);
          setTimeout(() => {
            gateOf(res)!.bypass();
            res.set('Retry-After', '1').status(503).send('busy');
            open();
          }, 5);
        },
        (body, res) => {
          runs++;
          return hook.call(res, body, res);
        },
      );
      const { status, text, headers } = await ask(app);
      assert.deepEqual([status, text, headers['content-type']], [503, 'busy', 'text/html; charset=utf-8']);
    }
    assert.equal(runs, 2);
  });

  test('bypass: called before a response is sent, keeps the hooks from running', async () => {
    const app = answering(
      (_req, res) => {
        gateOf(res)!.bypass();
        res.send('a');
      },
      () => 'b',
    );
    assert.equal((await ask(app)).text, 'a');
  });

  test('failure: what the handler writes while the error waits for other hooks is left out', async () => {
    const failing: Hook = async () => {
      await new Promise(resolve => setTimeout(resolve, 1));
      throw new Error('hook failed');
    };
    const slow: Hook = () => new Promise(resolve => setTimeout(resolve, 30));
    const handlers: Record<string, Parameters<typeof answering>[0]> = {
      iterable: (_req, res) =>
        res.send(
          (async function* () {
            for (let i = 0; i < 10; i++) {
              yield `chunk ${i}`;
              await new Promise(resolve => setTimeout(resolve, 5));
            }
          })(),
        ),
      write: (_req, res) => {
        const timer = setInterval(() => res.write('chunk'), 5);
        res.on('close', () => {
          clearInterval(timer);
        });
      },
    };
    for (const [name, handler] of Object.entries(handlers)) {
      const { status, text } = await ask(answering(handler, failing, slow));
      assert.deepEqual(
        [status, text.includes('hook failed'), text.includes('chunk')],
        [500, true, false],
        name,
      );
    }
  });

  const seconds: Record<string, [handler: RequestHandler, status: number, body: RegExp]> = {
    'res.end behind res.json': [
      (_req, res) => {
        res.json({ a: 1 });
        res.end('second');
      },
      200,
      /^\{"a":1\}$/,
    ],
    'chunks behind res.send': [
      (_req, res) => {
        res.send('first');
        res.write('second');
        res.end();
      },
      200,
      /^first$/,
    ],
    'res.send while the error page waits': [
      async (_req, res, next) => {
        next(new Error('failed'));
        await sleep(10);
        assert.throws(() => res.send('second'), { code: 'ERR_HTTP_HEADERS_SENT' });
      },
      500,
      /failed/,
    ],
    'res.send while the response of a deadline waits': [
      async (_req, res) => {
        await until(() => res.headersSent);
        res.send('second');
      },
      503,
      /TimeoutError/,
    ],
  };
  for (const [title, [handler, status, body]] of Object.entries(seconds))
    test(`hooks here and of packages: a second response, ${title}, has no effect`, async () => {
      for (const [own, others] of [
        [5, 40],
        [40, 20],
      ] as const) {
        const app = web().set('env', 'test');
        if (status === 503) app.use(web.deadline(5));
        app.use((_req, res, next) => {
          res.onSend(async () => {
            await sleep(own);
            res.set('X-Signature', 'a');
          });
          addResponseHook(res, { whole: () => sleep(others) as Promise<undefined> });
          next();
        });
        app.get('/', handler);
        const answer = await ask(app);
        assert.equal(answer.status, status);
        assert.equal(answer.headers['x-signature'], 'a');
        assert.match(answer.text, body);
      }
    });
});
