/** The default handlers for requests that nothing handled, and for errors that no error handler handled. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import finalhandler from 'finalhandler';
import web from 'ristretto';
import type { Response as OurResponse } from 'ristretto';
import web3 from 'ristretto3';
import web5 from 'ristretto5';
import { logged } from '../support/environment.js';
import { ask, askPort, exchangeRaw, withServer } from '../support/http.js';
import { sameEach } from '../support/compare.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';

type App = ReturnType<Web>;

/** Returns an application in which every request fails with this error. */
const failing =
  (error: unknown, env = 'test') =>
  (web: Web): App =>
    web()
      .set('env', env)
      .use((_req, _res, next) => next(error));

const errorWith = (properties: object, message = 'My <b>message</b>'): Error =>
  Object.assign(new Error(message), { stack: `Error: ${message}\n    at somewhere`, ...properties });

const boom = (): never => {
  throw new Error('A getter throws');
};

const bare = (properties: object): object => Object.assign(Object.create(null) as object, properties);

const errorWithStatus = (error: object): object => Object.assign(error, { status: 404 });

/** Adds an enumerable getter that throws after `reads` reads, which return a text. */
function throwing(
  name: string,
  to: object,
  reads = 0,
  thrown: unknown = new Error('A getter throws'),
): object {
  let left = reads;
  const get = (): string => {
    if (left-- > 0) return 'a text';
    throw thrown as Error;
  };
  return Object.defineProperty(to, name, { configurable: true, enumerable: true, get });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('final handler', () => {
  test('404, CVE-2015-8856: the page contains the method and path, escaped', () =>
    sameEach(
      web => web().set('env', 'test') as never,
      [
        ...words(`
          / /x?y=z /<script>alert(1)</script> /a'b"c&d /'"&<> /+ADw-script+AD4-alert(1)+ADw-/script+AD4-
          /%E2%82%AC/%zz /\u00e9 http://example.com/x
        `),
        { method: 'POST', path: '/x', body: 'ignored' },
        { method: 'HEAD' },
        { method: 'OPTIONS' },
        { method: 'DELETE', path: '*' },
      ],
    ));
  test('trailers: a Trailer header does not stop the page, which is sent without it', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    app.use((_req, res, next) => {
      res.setHeader('Trailer', 'X-Checksum');
      next();
    });
    app.get('/error', () => {
      throw errorWith({ status: 418 });
    });
    app.get('/send', (_req, res) => void res.send('text'));
    for (const [path, status] of [
      ['/error', 418],
      ['/send', 500],
      ['/none', 404],
    ] as const) {
      const answer = await ask(app, path);
      assert.deepEqual([answer.status, answer.headers.trailer], [status, undefined]);
    }
  });

  test('404: names the whole path, also from inside a mounted router', () =>
    sameEach(
      web =>
        web()
          .use(
            '/a',
            web.Router().get('/x', () => undefined),
          )
          .use('/b', web().use('/c', web())) as never,
      ['/a/y?z', '/b/c/d'],
    ));
  test('404: sets security headers', async () => {
    const answer = await same(web => web().set('env', 'test') as never);
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer.text, /<pre>Cannot GET \/<\/pre>/);
  });
  test('404: sends headers set by middleware, but replaces headers that describe a body', () =>
    same(web =>
      web()
        .set('env', 'test')
        .use((_req, res, next) => {
          res.set({
            'X-Mine': 'a',
            'Content-Language': 'de',
            'Content-Type': 'text/plain',
            'Content-Encoding': 'gzip',
          });
          res.statusCode = 201;
          next();
        }),
    ));
  test('404: reads the body of the request to its end', async () => {
    const body = Buffer.alloc(300_000, 'x');
    const answer = await same(web => web().set('env', 'test') as never, { method: 'POST', body });
    assert.equal(answer.status, 404);
  });

  const statuses: Record<string, unknown> = {
    'no status': {},
    'status 400': { status: 400 },
    'statusCode 503': { statusCode: 503 },
    'status before statusCode': { status: 403, statusCode: 503 },
    'status out of range': { status: 200 },
    'statusCode out of range': { statusCode: 99 },
    'status too high': { status: 600 },
    'status as a string': { status: '404' },
    'status 599, which has no reason phrase': { status: 599 },
    'status NaN': { status: NaN },
    'headers with status': { status: 429, headers: { 'Retry-After': '5', 'X-Other': 'a' } },
    'headers without status': { headers: { 'Retry-After': '5' } },
    'expose, which has no effect': { status: 404, expose: false },
  };
  for (const [what, properties] of Object.entries(statuses)) {
    for (const env of ['test', 'production']) {
      test(`error: ${what}, responds as Express does (${env})`, async () => {
        const show = (): Promise<unknown> => same(failing(errorWith(properties as object), env));
        const lines = await logged(show);
        assert.equal(lines.length, env === 'test' ? 0 : 2);
      });
    }
  }
  test('error: uses the status of the response if the error has none', () =>
    same(web =>
      web()
        .set('env', 'test')
        .use((_req, res, next) => {
          res.status(418);
          next(errorWith({}));
        }),
    ));
  const values: Record<string, unknown> = {
    'a string': 'any <text>',
    'a number': 42,
    'an object': { a: 1 },
    'an object with status': { status: 404 },
    'an object without a prototype': Object.assign(Object.create(null) as object, {
      toString: () => 'own text',
    }),
    'an error without stack': Object.assign(new Error('No stack'), { stack: undefined }),
    'an empty error': Object.assign(new Error(), { stack: '' }),
    'a function': Object.assign(() => undefined, { toString: () => 'function' }),
    'a frozen error': Object.freeze(errorWith({ status: 404 })),
    'a proxy': new Proxy(errorWith({ status: 404 }), {}),
    'an object whose stack is an object': { status: 404, stack: { a: 1 } },
    'an object with a statusCode that throws after a valid status': {
      status: 404,
      get statusCode() {
        return boom();
      },
    },
  };
  for (const [what, value] of Object.entries(values)) {
    test(`error that is ${what}: is shown as a string`, () => same(failing(value)));
    test(`error that is ${what}: is not shown in production`, async () => {
      await logged(() => same(failing(value, 'production')));
    });
  }
  /** Errors for which Express sends a page, although reading them in another way can fail; its log ends the process. */
  const shown: Record<string, () => unknown> = {
    'an object with a status, without a prototype': () => bare({ status: 404 }),
    'an object with a statusCode, without a prototype': () => bare({ statusCode: 404 }),
    'an object without a prototype and without members': () => bare({}),
    'a function without a prototype': () =>
      Object.setPrototypeOf(
        errorWithStatus(() => 1),
        null,
      ),
    'an object without a prototype, with headers': () => bare({ status: 429, headers: bare({ 'X-A': 'b' }) }),
    'an object whose toString is not a function': () => ({ status: 404, toString: 5 }),
    'an object whose toString returns an object': () => ({ status: 404, toString: () => ({}) }),
    'headers that throw, without a status': () => throwing('headers', {}),
    'malformed headers, without a status': () => ({ headers: { 'not a name': 'x' } }),
    'a stack that can only be read once': () => throwing('stack', { status: 404 }, 1),
    'headers that can only be read once': () => {
      const headers = throwing('X-A', {}, 1);
      return { status: 404, headers };
    },
  };
  for (const [what, make] of Object.entries(shown)) {
    test(`error that is ${what}: responds as Express does`, async () => {
      const web = (env: string) => (framework: Web) =>
        framework()
          .set('env', env)
          .use((_req, _res, next) => next(make()));
      const answer = await same(web('test'));
      await logged(async () => {
        assert.equal((await ask(web('production')(frameworks.ristretto))).status, answer.status);
      });
    });
  }

  /** Errors that crash the process with Express, because it does not catch what reading them throws. */
  const fatal: Record<string, [make: () => unknown, status: number]> = {
    'a stack that throws': [() => throwing('stack', errorWith({ status: 404 })), 404],
    'a toString that throws': [() => ({ status: 404, toString: () => boom() }), 404],
    'a toString that returns a symbol': [() => ({ status: 404, toString: () => Symbol('text') }), 404],
    'a stack that cannot be converted to a string': [() => ({ status: 404, stack: bare({}) }), 404],
    'a status that throws': [() => throwing('status', { statusCode: 404 }), 500],
    'a status that throws an error with a status': [
      () => throwing('status', {}, 0, errorWith({ status: 404 })),
      404,
    ],
    'a status that throws the error itself': [
      () => {
        const error = {};
        return throwing('status', error, 0, error);
      },
      500,
    ],
    'a status that throws undefined': [() => throwing('status', {}, 0, undefined), 500],
    'a status that can only be read once': [() => throwing('status', {}, 1), 500],
    'headers that throw': [() => throwing('headers', { status: 404 }), 404],
    'a header that throws': [() => ({ status: 404, headers: throwing('X-A', {}) }), 404],
    'a header whose name is malformed': [() => ({ status: 404, headers: { 'not a name': 'x' } }), 404],
    'a header that is undefined': [() => ({ status: 404, headers: { 'X-A': undefined } }), 404],
    'a header that announces trailers': [() => ({ status: 404, headers: { Trailer: 'X-A' } }), 404],
    'a header that is a symbol': [() => ({ status: 404, headers: { 'X-A': Symbol('value') } }), 404],
    'a proxy whose traps throw': [() => new Proxy(errorWith({ status: 404 }), { get: boom }), 500],
    'a proxy whose stack throws': [
      () => {
        const get = (target: object, name: string): unknown =>
          name === 'stack' || name === 'toString' ? boom() : (target as Record<string, unknown>)[name];
        return new Proxy({ status: 404 }, { get: get as never });
      },
      404,
    ],
    'a revoked proxy': [revoked, 500],
    'headers that are a revoked proxy': [() => ({ status: 404, headers: revoked() }), 404],
  };
  for (const [what, [make, status]] of Object.entries(fatal)) {
    for (const env of ['test', 'production']) {
      test(`error with ${what}: responds with ${status}, logs it, and the process keeps running (${env})`, async () => {
        const app = frameworks.ristretto().set('env', env);
        app.use((_req, _res, next) => next(make()));
        const lines = await logged(() =>
          withServer(app, async port => {
            for (const _ of [1, 2]) assert.equal((await askPort(port)).status, status);
          }),
        );
        assert.equal(lines.length, env === 'test' ? 0 : 2);
        assert.ok(lines.every(line => typeof line === 'string'));
      });
    }
  }
  test('error with headers that are objects: sends them as strings and reads each once', async () => {
    let reads = 0;
    const value = { toString: () => `read ${String(++reads)}` };
    const answer = await ask(
      failing({ status: 404, headers: { 'X-A': value, 'X-B': [1, 'b'] } })(frameworks.ristretto),
    );
    assert.equal(answer.status, 404);
    assert.equal(answer.headers['x-a'], `read ${String(reads)}`);
    assert.deepEqual(
      answer.rawHeaders.filter(([name]) => name === 'X-B'),
      [
        ['X-B', '1'],
        ['X-B', 'b'],
      ],
    );
  });
  test('error whose headers are malformed: the page says that they are omitted', async () => {
    const error = errorWith({ status: 404, headers: { 'not a name': 'x' } });
    const { text } = await ask(failing(error)(frameworks.ristretto));
    assert.match(text, /at somewhere<br>\(sent without its headers, which are malformed\)/);
  });
  test('error of a class with a getter for the status: responds as Express does', async () => {
    class Missing extends Error {
      get status(): number {
        return this.message === 'gone' ? 404 : 500;
      }
    }
    await same(failing(Object.assign(new Missing('gone'), { stack: 'gone' })));
    await logged(() => same(failing(new Missing('gone'), 'production')));
  });
  test('error: a response status that is not a number becomes 500, and the process keeps running', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    app.use((_req, res) => res.status(NaN).send('x'));
    const answer = await ask(app);
    assert.equal(answer.status, 500);
    assert.match(answer.text, /Invalid status code: NaN/);
  });

  test('production: does not send the stack', async () => {
    await logged(async () => {
      const answer = await same(failing(errorWith({}), 'production'));
      assert.equal(answer.status, 500);
      assert.match(answer.text, /<pre>Internal Server Error<\/pre>/);
    });
  });
  test('logging: logs the stack or the text, except in tests', async () => {
    for (const web of Object.values(frameworks)) {
      const log = (error: unknown, env: string): Promise<unknown[]> =>
        logged(() =>
          withServer(failing(error, env)(web), port =>
            exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
          ),
        );
      assert.deepEqual(await log(errorWith({}, 'Told'), 'development'), ['Error: Told\n    at somewhere']);
      assert.deepEqual(await log('text', 'production'), ['text']);
      assert.deepEqual(await log(errorWith({}), 'test'), []);
    }
  });
  test('logging: does not log a 404', async () => {
    assert.deepEqual(await logged(() => same(web => web().set('env', 'production') as never)), []);
  });
  test('methods: HEAD receives no body, others the same page', () =>
    sameEach(
      failing(errorWith({ status: 403 })),
      ['GET', 'HEAD', 'POST', 'DELETE'].map(method => ({ method })),
    ));
  test('nothing thrown: null, undefined, 0, false and an empty string are not errors', async () => {
    for (const value of [null, undefined, 0, '', false]) await same(failing(value));
  });
  for (const [framework, web] of Object.entries(frameworks)) {
    test(`headers sent: destroys the socket (${framework})`, async () => {
      const app = web().set('env', 'test');
      app.use((_req, res) => {
        res.writeHead(200, { 'Content-Length': 100 });
        res.write('half');
        throw new Error('too late');
      });
      const bytes = await withServer(app, port =>
        exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').catch(() => Buffer.alloc(0)),
      );
      assert.ok(!bytes.toString().includes('too late'));
      assert.ok(!bytes.toString().includes('404'));
    });
    test(`headers sent: next() without an error leaves the response to the handler that began it (${framework})`, async () => {
      const app = web();
      app.use((_req, res, next) => {
        res.write('first half, ');
        next();
        setImmediate(() => setImmediate(() => res.end('second half')));
      });
      assert.equal((await ask(app)).text, 'first half, second half');
    });
    test(`sub-app: passes errors and 404 on to the outer application (${framework})`, async () => {
      const lines = await logged(async () => {
        const sub = web()
          .set('env', 'production')
          .use((_req, _res, next) => next(errorWith({})));
        const app = web().set('env', 'test').use(sub);
        const bytes = await withServer(app, port =>
          exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
        );
        assert.match(bytes.toString(), /at somewhere/);
      });
      assert.deepEqual(lines, []);
    });
  }
  test('upload in progress: a second error, a response meanwhile, and a page that cannot be sent end no process', async () => {
    const later: Record<string, (res: Response, next: NextFunction) => unknown> = {
      '/twice': (_res, next) => next(new Error('second')),
      '/response': res => res.send('meanwhile'),
      '/header': res =>
        Object.assign(res, {
          setHeader() {
            throw new Error('a wrapper');
          },
        }),
    };
    later['/end'] = res => {
      const { end } = res;
      res.end = (...args: unknown[]): Response => {
        res.end = end;
        throw new Error(`a wrapper got ${String(args.length)}`);
      };
    };
    const statuses = { '/twice': 500, '/response': 200, '/header': 500, '/end': 500 };
    for (const framework of [web, web5, web3] as unknown as (() => App)[]) {
      for (const [path, status] of Object.entries(statuses)) {
        let upload: http.ClientRequest;
        const app = framework().set('env', 'test');
        app.use((req: Request, res: Response, next: NextFunction) => {
          next(new Error('first'));
          setImmediate(() => {
            later[req.path]!(res, next);
            upload.end('half');
          });
        });
        await withServer(app, async port => {
          upload = http.request({ port, path, method: 'POST', headers: { 'Content-Length': '8' } });
          upload.write('half');
          const [response] = (await once(upload, 'response')) as [IncomingMessage];
          response.resume();
          assert.equal(response.statusCode, status, path);
          await once(response, 'end');
        });
      }
    }
  });

  test('a page that Node refuses in the middle: closes the connection', async () => {
    const app = web().set('env', 'test');
    app.all('/', (_req, res) => {
      const { end } = res;
      res.end = ((...args: [never]) =>
        Reflect.apply(end, res, ['other', ...args.slice(1)])) as typeof res.end;
      res.strictContentLength = true;
      throw new Error('x');
    });
    await withServer(app, async port => {
      const closed = exchangeRaw(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
      assert.equal(String(await closed), '');
    });
  });

  test('finalhandler: is a separate module, which tools can wrap', async () => {
    const resolved = require.resolve('finalhandler', { paths: [require.resolve('ristretto')] });
    assert.equal(typeof require(resolved), 'function');
    assert.equal(typeof finalhandler, 'function');
    await same(web => web().use((req, res) => void finalhandler(req, res, { env: 'test' })(undefined)), '/x');
  });

  test('an adapter’s socket without events: a path without a route gets 404 behind asynchronous middleware', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    app.use((_req, _res, next) => void Promise.resolve().then(() => next()));
    // As the adapters of serverless platforms make them.
    const req = new IncomingMessage({ readable: true, remoteAddress: '127.0.0.1' } as never);
    Object.assign(req, {
      method: 'GET',
      url: '/missing',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      complete: true,
    });
    const res = new ServerResponse(req);
    const text = await new Promise<string>(resolve => {
      let written = '';
      const nothing = (): void => undefined;
      const write = (chunk: string | Buffer, _encoding?: unknown, done?: () => void): boolean => {
        written += String(chunk);
        if (done) process.nextTick(done);
        return true;
      };
      const parts = {
        on: nothing,
        removeListener: nothing,
        cork: nothing,
        uncork: nothing,
        destroy: nothing,
      };
      res.assignSocket({ _writableState: {}, writable: true, write, ...parts } as never);
      res.on('finish', () => resolve(written));
      app(req as never, res as never);
    });
    assert.match(text, /^HTTP\/1.1 404 Not Found\r\n[^]*Cannot GET \/missing/);
  });

  test('late errors: in a pipelined response that has begun, the responses in front of it are sent first', async () => {
    const versions = [web, web3 as unknown as Web, web5 as unknown as Web];
    for (const [version, isHeld] of versions.flatMap(each => [
      [each, false] as const,
      [each, true] as const,
    ])) {
      const app = version().set('env', 'test');
      app.get('/slow', (_req: Request, res: Response) => void setTimeout(() => res.send('slow'), 30));
      app.get('/fails', (_req: Request, res: Response, next: NextFunction) => {
        if (isHeld) (res as unknown as OurResponse).onSend(() => sleep(10));
        res.write('begun');
        setTimeout(() => next(new Error('late')), 5);
      });
      await withServer(app, async port => {
        const paths = ['/slow', '/fails', '/slow'];
        const received = await exchangeRaw(
          port,
          paths.map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
        );
        assert.match(String(received), /^[^]*\r\n\r\nslow(?!.*slow)/);
      });
    }
  });

  test('late errors: after a complete response, the connection stays open for the next request', async () => {
    for (const version of [web, web3 as unknown as Web, web5 as unknown as Web]) {
      for (const delay of [0, 20]) {
        const app = version().set('env', 'test');
        app.get('/late', (_req: Request, res: Response, next: NextFunction) => {
          res.send('first');
          setTimeout(() => next(new Error('late')), delay);
        });
        app.get('/next', (_req: Request, res: Response) => void setTimeout(() => res.send('second'), 40));
        await withServer(app, async port => {
          const received = await exchangeRaw(
            port,
            'GET /late HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
          );
          assert.match(String(received), /first[^]*second$/);
        });
      }
    }
  });
});
