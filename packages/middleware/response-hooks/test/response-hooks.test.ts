/** `addResponseHook` on responses of Node, Express and Ristretto: when hooks run, and what the client receives. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Readable, Transform } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import compression from 'compression';
import express from 'express';
import express5 from 'express5';
import onHeaders from 'on-headers';
import ristretto from 'ristretto';
import ristretto5 from 'ristretto5';
import { ask, withServer } from '../../../engine/test/support/http.js';
import { askHttp2 } from '../../../engine/test/support/http2.js';
import type { Http2Answer } from '../../../engine/test/support/http2.js';
import { addResponseHook } from '../src/index.js';
import type { ResponseHook } from '../src/index.js';

type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void;

type Answer = Pick<Http2Answer, 'status' | 'headers' | 'text'>;

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>(done => (resolve = done));
  return { promise, resolve };
}

/** Each kind of response, as a function that sends a request to a handler. */
const kinds: Record<string, (handler: Handler) => Promise<Answer>> = {
  http: ask,
  http2: askHttp2,
  'Express 4': handler => ask(express().use(handler as never)),
  'Express 5': handler => ask(express5().use(handler as never)),
  ristretto: handler => ask(ristretto().use(handler as never)),
  ristretto5: handler => ask(ristretto5().use(handler as never) as never),
  'ristretto over http2': handler => askHttp2(ristretto().use(handler as never)),
};

const upper: ResponseHook = {
  whole: (_res, body) => String(body).toUpperCase(),
  pieces: (_res, next) => ({
    write: (chunk, _encoding, callback) => next.write(String(chunk).toUpperCase(), 'utf8', callback),
    end(chunk) {
      next.end(chunk === undefined ? undefined : String(chunk).toUpperCase());
    },
  }),
};

/** Ways of sending the text `text`. */
const ways: Record<string, Handler> = {
  end: (_req, res) => void res.end('text'),
  'end with bytes': (_req, res) => void res.end(Buffer.from('text')),
  'end in another encoding': (_req, res) => void res.end('74657874', 'hex'),
  'write and end': (_req, res) => void (res.write('te'), res.end('xt')),
  'writeHead and end': (_req, res) => void res.writeHead(201, { 'X-Given': 'a' }).end('text'),
  'writeHead and write': (_req, res) => {
    res.writeHead(201, { 'X-Given': 'a' });
    res.write('text');
    res.end();
  },
  pipe: (_req, res) => void Readable.from(['te', 'xt']).pipe(res),
};

describe('addResponseHook', () => {
  for (const [kind, send] of Object.entries(kinds)) {
    for (const [way, handler] of Object.entries(ways)) {
      test(`response-hooks: hooks change the headers and the body of ${way} on ${kind}`, async () => {
        const heads: unknown[] = [];
        const answer = await send((req, res) => {
          addResponseHook(res, {
            head(res) {
              heads.push(res.getHeader('x-given'));
              res.setHeader('X-Hook', 'b');
              if (res.statusCode === 201) res.statusCode = 202;
            },
          });
          addResponseHook(res, upper);
          handler(req, res);
        });
        const isGiven = way.startsWith('writeHead');
        assert.equal(answer.text, 'TEXT');
        assert.equal(answer.status, isGiven ? 202 : 200);
        assert.equal(answer.headers['x-hook'], 'b');
        assert.equal(answer.headers['x-given'], isGiven ? 'a' : undefined);
        assert.deepEqual(heads, [isGiven ? 'a' : undefined]);
      });
    }

    test(`response-hooks: a header hook sees and may change the arguments of writeHead on ${kind}`, async () => {
      const of = async (
        status: number,
        ...given: [string?, http.OutgoingHttpHeaders?]
      ): Promise<unknown[]> => {
        const answer = await send((_req, res) => {
          addResponseHook(res, { head: res => void (res.statusCode === 201 && (res.statusCode = 202)) });
          // Wraps writeHead, so that the next hook needs functions of its own
          onHeaders(res, () => undefined);
          addResponseHook(res, { head: res => void res.setHeader('X-Hook', 'b') });
          res.writeHead(status, ...(given as [string, http.OutgoingHttpHeaders]));
          res.end('text');
        });
        return [answer.status, answer.headers['x-given'], answer.headers['x-hook'], answer.text];
      };
      const headers = { 'X-Given': 'a' };
      assert.deepEqual(await of(201, 'Made', headers), [202, 'a', 'b', 'text']);
      assert.deepEqual(await of(203, 'Made', headers), [203, 'a', 'b', 'text']);
      assert.deepEqual(await of(203, undefined, headers), [203, 'a', 'b', 'text']);
      assert.deepEqual(await of(203, 'Made'), [203, undefined, 'b', 'text']);
      assert.deepEqual(await of(204), [204, undefined, 'b', '']);
    });

    test(`response-hooks: a tool may wrap setters while a response waits on ${kind}`, async () => {
      const { promise, resolve } = withResolvers();
      const finished = withResolvers();
      const calls: unknown[] = [];
      const { status, headers, text } = await send((_req, res) => {
        res.setHeader('X-First', '1');
        addResponseHook(res, { whole: () => promise.then(() => undefined) });
        res.end('text');
        const { setHeader } = res;
        res.setHeader = (name, value) => {
          calls.push(name);
          return setHeader.call(res, name, value);
        };
        res.statusCode = 500;
        calls.push(res.statusCode, res.headersSent, res.writableEnded);
        assert.throws(() => res.setHeader('X-Late', '1'), { code: 'ERR_HTTP_HEADERS_SENT' });
        res.flushHeaders();
        res.on('finish', () => {
          assert.throws(() => res.setHeader('X-Later', '1'));
          finished.resolve();
        });
        resolve();
      });
      await finished.promise;
      assert.deepEqual([status, headers['x-first'], headers['x-late'], text], [200, '1', undefined, 'text']);
      assert.deepEqual(calls.slice(0, 4), [200, true, true, 'X-Late']);
    });

    test(`response-hooks: the end of a body in chunks calls back on ${kind}`, async () => {
      const { promise, resolve } = withResolvers();
      const { text } = await send((_req, res) => {
        addResponseHook(res, upper);
        res.write('te');
        res.end('xt', resolve);
        res.end('again');
      });
      await promise;
      assert.equal(text, 'TEXT');
    });

    test(`response-hooks: hooks that were added last run first on ${kind}`, async () => {
      const calls: string[] = [];
      const hook = (name: string): ResponseHook => ({
        head: () => void calls.push(`head ${name}`),
        whole: (_res, body) => {
          calls.push(`whole ${name}`);
          return String(body) + name;
        },
      });
      const { text } = await send((_req, res) => {
        addResponseHook(res, hook('a'));
        addResponseHook(res, hook('b'));
        res.end('text');
      });
      assert.deepEqual(calls, ['head b', 'head a', 'whole b', 'whole a']);
      assert.equal(text, 'textba');
    });

    test(`response-hooks: a response waits for the promise of a hook on ${kind}`, async () => {
      const seen: unknown[] = [];
      const { text, headers } = await send((_req, res) => {
        addResponseHook(res, {
          whole: async (res, body) => {
            res.setHeader('X-Late', '1');
            await sleep(5);
            // Code outside hooks could call this, too
            assert.throws(() => res.setHeader('X-Late', '2'), { code: 'ERR_HTTP_HEADERS_SENT' });
            return `${String(body)} and more`;
          },
        });
        res.setHeader('Content-Length', 4);
        res.on('finish', () => seen.push('finish'));
        res.end('text', () => seen.push('callback'));
        seen.push(res.headersSent, res.writableEnded);
        res.end('again');
        assert.throws(() => res.writeHead(500), { code: 'ERR_HTTP_HEADERS_SENT' });
      });
      assert.equal(text, 'text and more');
      assert.equal(headers['x-late'], '1');
      assert.equal(headers['content-length'], '13');
      await sleep(5);
      assert.deepEqual(seen.slice(0, 2), [true, true]);
      assert.deepEqual(seen.slice(2).sort(), ['callback', 'finish']);
    });

    test(`response-hooks: a body that is not changed is sent with its length on ${kind}`, async () => {
      let seen: unknown;
      const { text, headers } = await send((_req, res) => {
        addResponseHook(res, { whole: (_res, body) => void (seen = body) });
        res.setHeader('Content-Length', 4);
        res.end('text');
      });
      assert.deepEqual([seen, text, headers['content-length']], ['text', 'text', '4']);
    });
  }

  test('response-hooks: end without a body sends an empty body', async () => {
    const bodies: unknown[] = [];
    const { headers } = await ask((_req, res) => {
      addResponseHook(res, {
        head: (_res, body) => void bodies.push(body),
        whole: (_res, body) => void bodies.push(body),
      });
      res.end();
    });
    assert.deepEqual(bodies, ['', '']);
    assert.equal(headers['content-length'], '0');
  });

  for (const how of ['changed', 'left unchanged', 'left unchanged, later']) {
    test(`response-hooks: a second end after a whole body that a hook has ${how} is ignored, and emits no error`, async () => {
      const results: unknown[] = [];
      const { text } = await ask((_req, res) => {
        res.on('error', error => results.push(error));
        const changed = how === 'changed' ? 'other' : undefined;
        addResponseHook(res, { whole: () => (how.endsWith('later') ? Promise.resolve(changed) : changed) });
        res.end('body');
        results.push(res.end('more'), res.write('more'));
        res.once('finish', () => results.push(res.end('more')));
      });
      assert.deepEqual([text, results], [how === 'changed' ? 'other' : 'body', [false, false, false]]);
    });
  }

  test('response-hooks: chunks wait until the output that receives them drains', async () => {
    let drains = 0;
    let written = 0;
    const { text } = await ask((_req, res) => {
      const stream = new Transform({
        highWaterMark: 100,
        transform: (chunk, _encoding, done) => void setTimeout(done, 1, null, chunk),
      });
      addResponseHook(res, {
        pieces: (_res, next, drain) => {
          stream.on('data', chunk => {
            if (!next.write(chunk as Buffer)) stream.pause();
          });
          stream.on('end', () => next.end());
          stream.on('drain', drain);
          return {
            write: (chunk, encoding = 'utf8', callback) => stream.write(chunk, encoding, callback),
            end: (chunk, encoding = 'utf8') => void stream.end(chunk, encoding),
            drain: () => void stream.resume(),
          };
        },
      });
      res.on('drain', () => drains++);
      const source = Readable.from(Array.from({ length: 20 }, () => 'x'.repeat(60)));
      source.on('data', () => written++);
      source.pipe(res);
    });
    assert.equal(text.length, 1200);
    assert.equal(written, 20);
    assert.ok(drains >= 5 && drains <= 20, String(drains));
  });

  test('response-hooks: a list of headers passed to writeHead is read as Node reads it, and not changed (CVE-2025-7339)', async () => {
    const lists = [
      ['X-Given', 'a', 'Set-Cookie', 'b=1', 'Set-Cookie', 'c=2'],
      [
        ['X-Given', 'a'],
        ['Set-Cookie', ['b=1', 'c=2']],
      ],
    ];
    for (const list of lists) {
      const copy = structuredClone(list);
      const { headers, rawHeaders } = await ask((_req, res) => {
        res.setHeader('X-Given', 'old');
        addResponseHook(res, { head: res => void res.setHeader('X-Seen', String(res.getHeader('x-given'))) });
        res.writeHead(200, list as string[]).end();
      });
      assert.deepEqual(list, copy);
      assert.deepEqual([headers['x-given'], headers['x-seen']], ['a', 'a']);
      const cookies = rawHeaders.filter(([name]) => name === 'Set-Cookie');
      assert.deepEqual(cookies, [
        ['Set-Cookie', 'b=1'],
        ['Set-Cookie', 'c=2'],
      ]);
    }
  });

  test('response-hooks: the callback of write is called', async () => {
    const calls: unknown[] = [];
    await ask((_req, res) => {
      addResponseHook(res, upper);
      res.write('a', () => calls.push('one'));
      res.write('b', 'utf8', () => calls.push('two'));
      res.end();
    });
    assert.deepEqual(calls, ['one', 'two']);
  });

  test('response-hooks: a response continues if the client disconnects while a hook runs', async () => {
    const events: string[] = [];
    let client: net.Socket;
    const { promise, resolve } = withResolvers();
    await withServer(
      (_req, res) => {
        addResponseHook(res, {
          whole: async () => {
            await once(res, 'close');
            events.push('close');
            return 'other';
          },
        });
        res.on('error', () => events.push('error'));
        res.end('text');
        res.on('close', () => setTimeout(resolve, 5));
        client.destroy();
      },
      async port => {
        client = net.connect(port).on('error', () => undefined);
        client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        await promise;
      },
    );
    assert.deepEqual(events, ['close']);
  });

  for (const [kind, create] of Object.entries({
    'Express 4': express,
    'Express 5': express5,
    ristretto,
    ristretto5,
  })) {
    for (const [how, fail] of Object.entries({
      throws: () => {
        throw new Error('of a hook');
      },
      rejects: () => Promise.reject(new Error('of a hook')),
    })) {
      test(`response-hooks: the error of a hook that ${how} goes to the error handlers of ${kind}`, async () => {
        const calls: string[] = [];
        const app = (create as typeof express)();
        app.use((_req, res, next) => {
          addResponseHook(res, {
            whole: () => void calls.push('whole a'),
            head: () => void calls.push('head a'),
          });
          addResponseHook(res, { whole: fail, head: () => void calls.push('head b') });
          next();
        });
        app.get('/', (_req, res) => void res.status(201).json({ a: 'json' }));
        app.use(((error: Error, _req: unknown, res: express.Response, _next: unknown) => {
          res.status(503).send(`Error ${error.message}`);
        }) as never);
        const { status, text, headers } = await ask(app);
        assert.deepEqual([status, text], [503, 'Error of a hook']);
        assert.equal(headers['content-length'], '15');
        assert.match(String(headers['content-type']), /html/);
        assert.deepEqual(calls, ['head b', 'head a', 'whole a']);
      });
    }

    for (const [reason, message] of [
      [new Error('of a hook'), 'of a hook'] as const,
      [undefined, /without a reason/] as const,
    ]) {
      for (const member of ['head', 'whole', 'pieces'] as const) {
        test(`response-hooks: ${member} that throws ${String(reason)} in a timer goes to the error handlers of ${kind}`, async () => {
          const app = (create as typeof express)();
          let seen: unknown;
          app.get('/', (_req, res) => {
            addResponseHook(res, {
              [member]: () => {
                throw reason;
              },
            });
            setImmediate(() => {
              if (member === 'pieces') res.write('piece');
              res.end('whole');
            });
          });
          app.use(((error: Error, _req: unknown, res: express.Response, _next: unknown) => {
            seen = error.message;
            res.status(503).send('failed');
          }) as never);
          const { status, text } = await ask(app);
          assert.deepEqual([status, text], [503, 'failed']);
          if (typeof message === 'string') assert.equal(seen, message);
          else assert.match(String(seen), message);
        });
      }
    }

    test(`response-hooks: a second response on ${kind} while a hook delays the first one changes nothing`, async () => {
      const app = (create as typeof express)();
      const errors: unknown[] = [];
      app.get('/:way', (req, res) => {
        addResponseHook(res, { whole: () => sleep(1, undefined) });
        if (req.params.way === 'below') {
          // Wraps writeHead, so that the next hook needs functions of its own.
          onHeaders(res, () => undefined);
          addResponseHook(res, upper);
        }
        res.set('X-First', '1').json({ a: 1 });
        const second = (send: () => unknown): void => {
          try {
            errors.push(send());
          } catch (error) {
            errors.push((error as { code?: unknown }).code);
          }
        };
        second(() => {
          res.removeHeader('X-First');
          res.status(500).type('text').send('another');
        });
        second(() => res.status(404).set('X-Second', '2').write('another'));
        second(() => res.status(404).set('X-Second', '2').end());
        second(() => res.end('another'));
      });
      for (const [way, expected] of Object.entries({ alone: '{"a":1}', below: '{"A":1}' })) {
        const { status, text, headers } = await ask(app, { path: `/${way}` });
        assert.deepEqual(
          [status, text, headers['x-first'], headers['x-second']],
          [200, expected, '1', undefined],
        );
        assert.match(String(headers['content-type']), /json/);
        assert.deepEqual(errors.splice(0), [...Array<string>(3).fill('ERR_HTTP_HEADERS_SENT'), false]);
      }
    });

    test(`response-hooks: a HEAD response on ${kind} that a hook delays has the length of the body`, async () => {
      const app = (create as typeof express)();
      app.get('/', (_req, res) => {
        addResponseHook(res, { whole: () => sleep(1, undefined) });
        res.send('text');
      });
      const { headers } = await ask(app, { method: 'HEAD' });
      assert.equal(headers['content-length'], '4');
    });

    test(`response-hooks: ETag and length on ${kind} describe the given body, and a 304 has no length`, async () => {
      const app = (create as typeof express)();
      const bodies: unknown[] = [];
      app.get('/', (_req, res) => {
        addResponseHook(res, { whole: (_res, body) => void bodies.push(String(body)) });
        res.send('text');
      });
      const { headers } = await ask(app);
      const second = await ask(app, { headers: { 'if-none-match': String(headers.etag) } });
      await ask(app, { method: 'HEAD' });
      assert.equal(second.status, 304);
      assert.deepEqual(bodies, ['text', '', '']);
    });
  }

  test('response-hooks: a hook that rejects on a response without a request sends 500', async t => {
    const log = t.mock.method(console, 'error', () => undefined);
    const { status, text } = await ask((req, res) => {
      Object.assign(res, { req: undefined });
      // Without it, Node 26.12 ends the process when the response has been sent
      res.prependListener('finish', () => Object.assign(res, { req }));
      addResponseHook(res, { whole: () => Promise.reject(new Error('of a hook')) });
      res.end('text');
    });
    assert.deepEqual([status, text], [500, 'Internal Server Error']);
    assert.equal(log.mock.callCount(), 1);
  });

  for (const delay of [undefined, 1]) {
    test(`response-hooks: a HEAD response with strict http has the length of the body, ${delay ? 'delayed' : 'at once'}`, async () => {
      const app = ristretto().set('strict http', true);
      app.get('/', (_req, res) => {
        addResponseHook(res, { whole: () => (delay ? sleep(delay, undefined) : undefined) });
        res.send('text');
      });
      const { headers } = await ask(app, { method: 'HEAD' });
      assert.equal(headers['content-length'], '4');
    });
  }

  for (const method of ['GET', 'HEAD']) {
    test(`response-hooks: a late ${method} response with trailers that Node refuses becomes a 500`, async t => {
      const log = t.mock.method(console, 'error', () => undefined);
      const late: Handler = (_req, res) => {
        addResponseHook(res, { whole: () => Promise.resolve(undefined) });
        res.setHeader('Trailer', 'X-Checksum');
        res.setHeader('Content-Length', 4);
        res.end('text');
      };
      const { status, headers } = await ask(late, { method });
      assert.deepEqual([status, headers.trailer], [500, undefined]);
      const [error] = log.mock.calls[0]!.arguments as [{ code: string }];
      assert.equal(error.code, 'ERR_HTTP_TRAILER_INVALID');
    });
  }

  for (const member of ['head', 'whole', 'pieces', 'writeHead'] as const) {
    test(`response-hooks: without next, ${member} that throws in a timer is reported, and the response an empty 500`, async t => {
      const log = t.mock.method(console, 'error', () => undefined);
      const thrown = new Error('of a hook');
      const { status, text } = await ask((_req, res) => {
        addResponseHook(res, {
          [member === 'writeHead' ? 'head' : member]: () => {
            throw thrown;
          },
        });
        setImmediate(() => {
          if (member === 'writeHead') res.writeHead(200);
          if (member === 'pieces') res.write('piece');
          res.end('whole');
        });
      });
      assert.deepEqual([status, text], [500, 'Internal Server Error']);
      assert.deepEqual(log.mock.calls[0]!.arguments, [thrown]);
    });
  }

  test('response-hooks: an error handler that throws for a late response is reported, and the connection closed', async t => {
    const log = t.mock.method(console, 'error', () => undefined);
    const thrown = new Error('of the error handler');
    const failing: Handler = (req, res) => {
      Object.assign(req, {
        next: () => {
          throw thrown;
        },
      });
      addResponseHook(res, { whole: () => Promise.reject(new Error('of a hook')) });
      res.end('text');
    };
    await assert.rejects(ask(failing), /ECONNRESET|no complete answer/);
    assert.deepEqual(log.mock.calls[0]!.arguments, [thrown]);
  });

  test('response-hooks: hooks run in order among functions that other code has wrapped', async () => {
    const calls: string[] = [];
    await ask((_req, res) => {
      addResponseHook(res, {
        head: () => void calls.push('hook 1'),
        whole: () => void calls.push('whole 1'),
      });
      onHeaders(res, () => calls.push('on-headers 1'));
      addResponseHook(res, {
        head: () => void calls.push('hook 2'),
        whole: () => void calls.push('whole 2'),
      });
      onHeaders(res, () => calls.push('on-headers 2'));
      addResponseHook(res, { head: () => void calls.push('hook 3') });
      res.end('text');
    });
    assert.deepEqual(
      calls.filter(call => !call.startsWith('whole')),
      ['hook 3', 'on-headers 2', 'hook 2', 'on-headers 1', 'hook 1'],
    );
    assert.deepEqual(
      calls.filter(call => call.startsWith('whole')),
      ['whole 2', 'whole 1'],
    );
  });

  for (const isFirst of [true, false]) {
    test(`response-hooks: the compression package runs ${isFirst ? 'before' : 'after'} a hook`, async () => {
      const compress = compression({ threshold: 0 });
      const hook: ResponseHook = {
        head: res => void res.setHeader('X-Hook', '1'),
        whole: async () => {
          await sleep(1);
          return undefined;
        },
      };
      const { headers, text } = await ask(
        (req, res) => {
          if (!isFirst) addResponseHook(res, hook);
          compress(req as never, res as never, () => {
            if (isFirst) addResponseHook(res, hook);
            res.setHeader('Content-Type', 'text/plain');
            res.end('text'.repeat(1000));
          });
        },
        { headers: { 'accept-encoding': 'gzip' } },
      );
      assert.equal(headers['content-encoding'], 'gzip');
      assert.equal(headers['x-hook'], '1');
      assert.ok(text.length > 10);
    });
  }

  test('response-hooks: an invalid chunk throws the error of Node, and the response can still be sent', async () => {
    const { text } = await ask((_req, res) => {
      addResponseHook(res, upper);
      assert.throws(() => res.end(1 as never), { code: 'ERR_INVALID_ARG_TYPE' });
      res.end('text');
    });
    assert.equal(text, 'TEXT');
  });

  test('response-hooks: values that are not a response, and responses that have been sent, are rejected', async () => {
    assert.throws(() => addResponseHook(undefined as never, {}), /expected a response, got undefined/);
    assert.throws(() => addResponseHook(null as never, {}), /expected a response, got null/);
    assert.throws(() => addResponseHook({} as never, {}), /expected a response, got object/);
    const res = new http.ServerResponse(new http.IncomingMessage(new net.Socket()));
    for (const hook of [undefined, null, {}, () => undefined, { haed: () => undefined }])
      assert.throws(
        () => addResponseHook(res, hook as never),
        /^TypeError: addResponseHook: expected an object with a function head, whole or pieces, got /,
      );
    await ask((_req, res) => {
      res.end();
      assert.throws(() => addResponseHook(res, {}), { code: 'ERR_HTTP_HEADERS_SENT' });
    });
  });
});
