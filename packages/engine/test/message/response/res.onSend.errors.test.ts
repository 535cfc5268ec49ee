// runs: each
/** `res.onSend`: which handlers receive the errors of hooks, and what is sent then. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import compression from '@ristretto/compression';
import { addResponseHook } from '@ristretto/response-hooks';
import web from 'ristretto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'ristretto';
import { answering, fail, hooked, later, show, shown } from '../../support/hooks.js';
import type { Hook } from '../../support/hooks.js';
import { Connection } from '../../support/connection.js';
import { ask, withServer } from '../../support/http.js';
import { askHttp2 } from '../../support/http2.js';
import { runApp } from '../../support/watched-app.js';

const FAILS = '/?fail';

const ways: Record<string, RequestHandler> = {
  send: (_req, res) => res.status(201).send('a'),
  json: (_req, res) => res.json({ a: 1 }),
  redirect: (_req, res) => res.redirect('/x'),
  end: (_req, res) => void res.end('a'),
  writeHead: (_req, res) => void res.writeHead(201, 'Made', { 'Content-Type': 'x/y', ETag: '"a"' }).end('a'),
  sendFile: (_req, res) => res.sendFile(__filename),
  pipe: (_req, res) => void fs.createReadStream(__filename).pipe(res),
  'write and end': (_req, res) => void (res.write('a'), res.write('b'), res.end('c')),
  'write and later end': async (_req, res) => {
    res.write('a');
    await sleep(1);
    res.write('b');
    await sleep(20);
    res.write('c');
    res.end();
  },
};

describe('res.onSend: errors', () => {
  for (const [way, handler] of Object.entries(ways)) {
    test(`${way}: an error in a hook goes to the error handlers, and nothing else is sent`, async () => {
      for (const hook of [fail, later(fail)]) {
        const custom = await ask(answering(handler, hook).use(shown), FAILS);
        assert.deepEqual([custom.status, custom.reason], [500, 'Internal Server Error']);
        assert.equal(custom.text, 'shown: hook failed');
        assert.equal(custom.headers['content-type'], 'text/html; charset=utf-8');
        for (const name of ['cache-control', 'last-modified']) assert.equal(custom.headers[name], undefined);

        const byDefault = await ask(answering(handler, hook), FAILS);
        assert.equal(byDefault.status, 500);
        assert.match(byDefault.text, /Error: hook failed/);
      }
    });
  }

  test('thrown, rejected: both are passed on, even without a reason', async () => {
    const hooks: Hook[] = [
      () => {
        throw undefined;
      },
      () => Promise.reject(),
      async () => {
        await sleep(1);
        throw null;
      },
    ];
    for (const hook of hooks) {
      const { text } = await ask(answering(ways.send!, hook).use(shown));
      assert.match(text, /^shown: A hook of res\.onSend failed without a reason \((undefined|null)\)$/);
    }
  });

  test('other hooks: run for the error response; hooks before the failed one run again', async () => {
    const seen: string[] = [];
    const note =
      (name: string): Hook =>
      body =>
        void seen.push(`${name} ${String(body)}`);
    const app = answering(ways.send!, note('first'), later(fail), note('third')).use(shown);
    await ask(app, FAILS);
    assert.deepEqual(seen, ['first a', 'first shown: hook failed', 'third shown: hook failed']);
  });

  test('several: each error is passed on in turn', async () => {
    const failing =
      (name: string): Hook =>
      () => {
        throw new Error(name);
      };
    const errors: string[] = [];
    const handle: ErrorRequestHandler = (error: Error, _req, res, _next) => {
      errors.push(error.message);
      res.send('of the first handler');
    };
    const app = answering(ways.send!, failing('one'), later(failing('two'))).use(handle, shown);
    const { text } = await ask(app);
    assert.deepEqual([errors, text], [['one'], 'shown: two']);
  });

  test('sub-application: its error handlers run first', async () => {
    const sub = hooked(later(fail)).get('/', ways.send!);
    sub.use(((error: Error, _req, _res, next) =>
      next(new Error(`sub: ${error.message}`))) as ErrorRequestHandler);
    assert.equal((await ask(web().use('/sub', sub).use(shown), '/sub?fail')).text, 'shown: sub: hook failed');
  });

  test('router: a hook added in a router still works after the request has left it', async () => {
    const router = web.Router().use((_req, res, next) => {
      res.onSend(later(fail));
      next();
    });
    assert.equal((await ask(web().use(router, ways.send!, shown), FAILS)).text, 'shown: hook failed');
  });

  test('404, default error page: are replaced by the default page of the error', async () => {
    const app = hooked(fail, later(show));
    app.get('/error', (_req, _res, next) => next(Object.assign(new Error('own'), { status: 418 })));
    for (const path of ['/none?fail', '/error?fail']) {
      const { status, text, headers } = await ask(app, path);
      assert.equal(status, 500);
      assert.match(text, /Error: hook failed/);
      assert.match(headers['x-body']!, /^<!DOCTYPE html>/);
    }
  });

  test('no next() to call: sends a plain 500', async () => {
    const app = web().set('env', 'test');
    const server = http.createServer((req, res) => {
      Object.setPrototypeOf(req, app.request as object);
      Object.setPrototypeOf(res, app.response as object);
      (res as Response).onSend(() => Promise.reject(new Error('nobody')));
      app(req, res);
    });
    const { status, text } = await ask(server);
    assert.deepEqual([status, text], [500, 'Internal Server Error']);
  });

  test('res.req deleted meanwhile: an error in a hook goes to the error handlers', async () => {
    const failing: Hook = () => {
      throw new Error('hook failed');
    };
    const app = hooked(later(failing))
      .get('/', (_req, res) => {
        res.send('a');
        Reflect.deleteProperty(res, 'req');
      })
      // Node 26.12 itself requires the property at the end of its own exchanges
      .use(((error, req, res, next) => next(Object.assign(res, { req }) && error)) as ErrorRequestHandler)
      .use(shown);
    assert.equal((await ask(app, '/')).text, 'shown: hook failed');
  });

  test('another body: an invalid body, or one in place of a stream, is an error', async () => {
    const object = await ask(answering(ways.send!, (() => ({ a: 1 })) as unknown as Hook).use(shown));
    assert.equal(
      object.text,
      'shown: onSend: expected a string, a Buffer or undefined from a hook, got { a: 1 }',
    );
    const stream = await ask(answering(ways['write and end']!, () => 'b').use(shown));
    assert.equal(stream.text, 'shown: onSend: a hook cannot replace a body that is sent in chunks');
  });

  test('another body: the error names the hook, if it has a name', async () => {
    const wrap = (() => ({ a: 1 })) as unknown as Hook;
    const replace: Hook = () => 'b';
    const wrapLater = async (): Promise<unknown> => Promise.resolve({ a: 1 });
    const textOf = async (way: string, hook: unknown): Promise<string> =>
      (await ask(answering(ways[way]!, hook as Hook).use(shown))).text;
    const expected = 'onSend: expected a string, a Buffer or undefined from the hook';
    assert.equal(await textOf('send', wrap), `shown: ${expected} 'wrap', got { a: 1 }`);
    assert.equal(await textOf('json', wrapLater), `shown: ${expected} 'wrapLater', got { a: 1 }`);
    assert.equal(
      await textOf('pipe', replace),
      "shown: onSend: the hook 'replace' cannot replace a body that is sent in chunks",
    );
  });

  test('another body: in development, the error says where res.onSend or app.onSend was called', () => {
    const { seen } = runApp(
      `
      const wrap = () => ({ a: 1 });
      app.get('/', (req, res) => {
        res.onSend(wrap);
        res.send('a');
      });
      app.get('/later', (req, res) => res.onSend(async () => ({ a: 1 })).json(1));
      app.get('/chunks', (req, res) => {
        res.onSend(body => 'b');
        res.write('a');
        res.end();
      });
      app.use('/sub', web().disable('development warnings').get('/', (req, res) => res.onSend(wrap).send('a')));
      app.use('/app', web().onSend(async () => ({ a: 1 })).get('/', (req, res) => res.send('a')));
      app.use((error, req, res, next) => res.json([error.message, error.stack.split('\\n    at ', 3)[1]]));`,
      ['/', '/later', '/chunks', '/sub', '/app'],
    );
    const expected = 'onSend: expected a string, a Buffer or undefined from';
    const [ofNamed, ofArrow, ofStream, quiet, ofApp] = seen.map(
      text => JSON.parse(text as string) as [string, string],
    );
    assert.deepEqual(ofNamed, [
      `${expected} the hook 'wrap', got { a: 1 }\n  The hook was registered at [eval]:5:13.`,
      'hook registered ([eval]:5:13)',
    ]);
    assert.deepEqual(ofArrow, [
      `${expected} a hook, got { a: 1 }\n  The hook was registered at [eval]:8:43.`,
      'hook registered ([eval]:8:43)',
    ]);
    assert.deepEqual(ofStream, [
      'onSend: a hook cannot replace a body that is sent in chunks\n  The hook was registered at [eval]:10:13.',
      'hook registered ([eval]:10:13)',
    ]);
    assert.equal(quiet![0], `${expected} the hook 'wrap', got { a: 1 }`);
    assert.deepEqual(ofApp, [
      `${expected} a hook, got { a: 1 }\n  The hook was registered at [eval]:15:29.`,
      'hook registered ([eval]:15:29)',
    ]);
  });

  test('another body: in production, no place is recorded', () => {
    const { seen } = runApp(
      `
      app.onSend(function ofApp() {});
      app.get('/', (req, res) => {
        captured = 0;
        res.onSend(function wrap() { return { a: 1 }; }).send('a');
      });
      app.use((error, req, res, next) => {
        const files = Object.keys(require.cache).filter(file => /engine.(?:lib|src).dev\\b/.test(file));
        res.json([error.message, captured, files]);
      });
      const { captureStackTrace } = Error;
      let captured = 0;
      Error.captureStackTrace = (...args) => (captured++, captureStackTrace(...args));`,
      ['/'],
      { env: { NODE_ENV: 'production' } },
    );
    const message = "onSend: expected a string, a Buffer or undefined from the hook 'wrap', got { a: 1 }";
    assert.deepEqual(JSON.parse(seen[0] as string), [message, 0, []]);
  });

  test('values that Node rejects: throw to the caller or go to the error handlers, where hooks run again', async () => {
    for (const hook of [show, later(show)]) {
      const app = answering((_req, res) => res.status(99).send('a'), hook).use(shown);
      const { status, text, headers } = await ask(app);
      assert.deepEqual([status, text], [500, 'shown: Invalid status code: 99']);
      assert.equal(headers['x-body'], 'shown: Invalid status code: 99');
      const inPieces = answering((_req, res) => void res.write(5 as never), hook).use(shown);
      assert.match((await ask(inPieces)).text, /^shown: The "chunk" argument must be of type string/);
    }
  });

  test('values that Node rejects: close the connection once the headers have been sent', async () => {
    const app = answering((_req, res) => {
      res.write('a');
      res.write(5 as never);
    }, later(show));
    await assert.rejects(ask(app.use(shown)));
  });

  test('sending from a hook: throws', async () => {
    const app = answering(ways.send!, (_body, res) => res.send('of the hook')).use(shown);
    assert.match((await ask(app)).text, /^shown: Cannot set headers: the response has been sent/);
  });

  test('error handlers: may be asynchronous, and may send in any way', async () => {
    const handlers: ((res: Response) => unknown)[] = [
      res => res.status(500).end('own'),
      res => res.writeHead(500).end('own'),
      res => res.status(500).type('txt').write('own') && res.end(),
      res => Readable.from(['own']).pipe(res.status(500)),
      res => res.send('own'),
    ];
    for (const handler of handlers) {
      const handle: ErrorRequestHandler = async (_error, _req, res, _next) => {
        await sleep(10);
        handler(res);
      };
      for (const way of ['send', 'write and end', 'write and later end', 'pipe']) {
        const { text } = await ask(answering(ways[way]!, later(fail)).use(handle), FAILS);
        assert.equal(text, 'own', way);
      }
    }
  });

  test('source: a piped source is unpiped, and destroyed at the end', async () => {
    const source = new Readable({ read: () => undefined });
    source.push('a');
    const closed = new Promise(resolve => source.on('close', resolve));
    const app = answering((_req, res) => void source.pipe(res), later(fail)).use(shown);
    assert.equal((await ask(app, FAILS)).text, 'shown: hook failed');
    await closed;
  });

  test('source: a request that is piped back is only unpiped', async () => {
    const app = answering((req, res) => void req.pipe(res), later(fail)).use(shown);
    const { text } = await ask(app, { path: FAILS, method: 'POST', body: 'a' });
    assert.equal(text, 'shown: hook failed');
  });

  test('too late: an error after a disconnect or a bypass is only logged', async () => {
    const passed: unknown[] = [];
    let settled: Promise<unknown> | undefined;
    const app = answering(
      (_req, res) => void res.send('a'),
      (_body, res) => {
        settled = sleep(20).then(() => Promise.reject(new Error('late')));
        setImmediate(() => res.destroy());
        return settled as Promise<void>;
      },
    );
    app.use(((error, _req, _res, next) => {
      passed.push(error);
      next(error);
    }) as ErrorRequestHandler);
    await assert.rejects(ask(app));
    await assert.rejects(settled!);
    assert.deepEqual(passed, []);
  });

  test('HTTP/2, app.fetch: errors are handled in the same way', async () => {
    for (const hook of [fail, later(fail)]) {
      for (const way of ['send', 'pipe', 'write and end']) {
        const app = answering(ways[way]!, hook).use(shown);
        assert.equal((await askHttp2(app, FAILS)).text, 'shown: hook failed');
        assert.equal((await app.inject(FAILS)).text(), 'shown: hook failed');
      }
    }
  });

  test('a piped body whose end waits for hooks of a package: is replaced by that of an asynchronous error handler', async () => {
    for (const wait of [1, 40]) {
      const app = web().set('env', 'test');
      app.get('/', (_req, res, next) => {
        res.onSend(
          later(() => {
            throw new Error('hook failed');
          }),
        );
        addResponseHook(res, { whole: () => sleep(20) as Promise<undefined> });
        next();
      });
      app.get('/', (_req, res) => void Readable.from(['a', 'b']).pipe(res));
      app.use((async (_error, _req, res, _next) => {
        await sleep(wait);
        res.status(500).send('shown');
      }) as ErrorRequestHandler);
      const { status, text } = await ask(app);
      assert.deepEqual([status, text], [500, 'shown']);
    }
  });

  test('behind compression, whose end has been passed on: the default page is sent', async () => {
    const app = web().set('env', 'test');
    app.get('/', (_req, res, next) => {
      res.onSend(() => {
        throw new Error('hook failed');
      });
      next();
    });
    app.use(compression());
    app.get('/', (_req, res) => {
      res.type('text').write('a');
      res.end('x'.repeat(5000));
    });
    app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 20));
    const headers = { 'accept-encoding': 'gzip' };
    assert.equal((await askHttp2(app, { path: '/', headers })).status, 500);
    await withServer(app, async port => {
      const connection = await Connection.open(port);
      const request = (path: string): string =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`;
      connection.socket.write(request('/slow') + request('/') + request('/slow'));
      await connection.until(/slow[^]*slow/);
      assert.deepEqual(connection.statuses(), [200, 500, 200]);
      connection.socket.destroy();
    });
  });

  test('asynchronous error handlers: may only end the response, whatever the handler has written', async () => {
    const hooks: ((res: Response) => void)[] = [
      res =>
        addResponseHook(res, {
          head: () => {
            throw new Error('hook failed');
          },
        }),
      res => void res.onSend(fail),
      res => void res.onSend(later(fail)),
    ];
    const handlers: RequestHandler[] = [
      (_req, res) => void (res.write('one'), res.end('two')),
      (_req, res) => void Readable.from(['one', 'two']).pipe(res),
      (_req, res) => void res.writeHead(200).end('one'),
      (_req, res) => void res.write('one'),
      (_req, res) => {
        res.write('one');
        setTimeout(() => res.end('two'), 20);
      },
    ];
    for (const hook of hooks) {
      for (const handler of handlers) {
        const app = web().set('env', 'test');
        app.use((_req, res, next) => (hook(res), next()), handler);
        const late: ErrorRequestHandler = (_error, _req, res, _next) =>
          void setTimeout(() => res.end('sorry'), 10);
        assert.equal((await ask(app.use(late), FAILS)).text, 'sorry');
      }
    }
  });

  test('behind a hook that has waited: an output of a package that fails is an error of the response', async () => {
    const outputs: (() => void)[] = [
      () => {
        throw new Error('output failed');
      },
      () => undefined,
    ];
    for (const write of outputs) {
      const app = web().set('env', 'test');
      app.use((_req, res, next) => {
        res.onSend(() => sleep(5));
        const end = (): never => {
          throw new Error('output failed');
        };
        addResponseHook(res, { pieces: () => ({ write: () => (write(), true), end }) });
        next();
      });
      app.use((_req, res) => {
        res.write('one');
        res.end('two');
      });
      app.use(shown);
      const { status, text } = await ask(app);
      assert.deepEqual([status, text], [500, 'shown: output failed']);
      assert.equal((await askHttp2(app, '/')).text, 'shown: output failed');
    }
  });

  test('several hooks that fail, of packages and of res.onSend: the client gets the error of the last one', async () => {
    const failing = (name: string): never => {
      throw Object.assign(new Error(`${name} failed`), { status: 418 });
    };
    const hooks: Record<string, (res: Response) => void> = {
      h: res => {
        addResponseHook(res, { head: () => failing('head') });
      },
      w: res => {
        addResponseHook(res, { whole: () => sleep(2).then(() => failing('whole')) });
      },
      s: res => {
        res.onSend(() => undefined);
      },
      a: res => {
        res.onSend(() => sleep(2));
      },
    };
    const handlers: RequestHandler[] = [
      (_req, res) => res.send('whole'),
      (_req, res) => {
        res.write('first');
        setTimeout(() => {
          res.write('second');
          res.end('third');
        }, 10);
      },
    ];
    for (const names of ['hh', 'hsh', 'wsw', 'haw', 'ha', 'ah', 'wsas']) {
      // A body in chunks has no hook `whole`
      for (const [at, handler] of (names.includes('h') ? handlers : handlers.slice(0, 1)).entries()) {
        // Before the handler goes on to write, and after it
        for (const delay of [undefined, 1, 15]) {
          const app = web().set('env', 'test');
          for (const name of names)
            app.use((_req, res, next) => {
              hooks[name]!(res);
              next();
            });
          app.use(handler);
          const late: web.ErrorRequestHandler = async (error, _req, res, next) => {
            await sleep(delay!);
            if (res.headersSent) next(error);
            else res.status(418).send('the error handler');
          };
          if (delay !== undefined) app.use(late);
          const { status, text } = await ask(app, { method: 'POST', body: 'unread' });
          assert.ok(status === 418 || status === 500, `${names} ${at} ${delay}: ${status}`);
          assert.doesNotMatch(text, /first|second|third/, `${names} ${at} ${delay}`);
        }
      }
    }
  });
});
