// runs: slow
/** `web.deadline`: what clients, error handlers and late handlers see of a request that exceeds its deadline. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { Socket } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addResponseHook } from '@ristretto/response-hooks';
import web from 'ristretto';
import type { NextFunction, Request, RequestHandler, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { ask, withServer } from '../support/http.js';
import { askSession, withSession } from '../support/http2.js';
import { until } from '../support/until.js';
import { runProgram } from '../support/warnings.js';

/** A deadline, in milliseconds, that is meant to pass. */
const SHORT = 30;
/** A time well after it. */
const LATER = 4 * SHORT;

interface DeadlineError extends Error {
  status: number;
  code: string;
  type: string;
  timeout: number;
  headers?: Record<string, string>;
}

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/** Returns an application with a deadline and one handler. */
const appOf = (handler: Handler, options?: web.DeadlineOptions): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  app.use(web.deadline(SHORT, options));
  app.all('/', handler);
  return app;
};

const never: Handler = () => undefined;

/** A view that is found, whatever its name. */
function viewThatExists(this: { path: string; render: (options: object, callback: unknown) => void }): void {
  this.path = __filename;
  this.render = () => undefined;
}

/** Creates an error handler that records errors. */
const noting = (errors: unknown[], respond: (res: Response) => unknown): web.ErrorRequestHandler =>
  function (error: unknown, _req, res, _next) {
    errors.push(error);
    respond(res);
  };

describe('web.deadline', () => {
  test('time: is a number of milliseconds, or text', async () => {
    for (const time of [SHORT, `${String(SHORT)}ms`, '0.03s']) {
      const app = web().set('env', 'test').use(web.deadline(time), never);
      assert.equal((await ask(app)).status, 503, String(time));
    }
  });

  test('time: an invalid value throws at registration and is in the message', () => {
    const deadline = web.deadline as (time?: unknown) => unknown;
    const cases: [unknown, RegExp][] = [
      [undefined, /^TypeError: .*undefined$/],
      ['soon', /^TypeError: .*'soon'$/],
      ['', /^TypeError: .*''$/],
      [{}, /^TypeError: .*, got {}$/],
      [0, /^RangeError: .* 0$/],
      [-5, /^RangeError: .*-5$/],
      [NaN, /^RangeError: .*NaN$/],
      ['60 days', /^RangeError: .*'60 days'$/],
    ];
    for (const [time, message] of cases) assert.throws(() => deadline(time), message);
  });

  test('retryAfter: is 10 seconds by default, another time, or omitted', async () => {
    const values: [web.DeadlineOptions | undefined, string | undefined][] = [
      [undefined, '10'],
      [{ retryAfter: 0 }, '0'],
      [{ retryAfter: '2m' }, '120'],
      [{ retryAfter: 1500 }, '2'],
      [{ retryAfter: false }, undefined],
    ];
    for (const [options, value] of values) {
      const { status, rawHeaders, headers } = await ask(appOf(never, options));
      assert.equal(status, 503);
      assert.equal(headers['retry-after'], value);
      const count = rawHeaders.filter(([name]) => name.toLowerCase() === 'retry-after').length;
      assert.equal(count, value === undefined ? 0 : 1);
    }
  });

  test('retryAfter: an invalid number throws at registration and is in the message', () => {
    assert.throws(() => web.deadline(5, { retryAfter: -1 }), /^RangeError: .*retryAfter .*, got -1$/);
    assert.throws(() => web.deadline(5, { retryAfter: 'soon' }), /^TypeError: .*retryAfter .*, got 'soon'$/);
    assert.throws(() => web.deadline(5, { retryAfter: 5 }), /of 1000 to .* milliseconds, got 5$/);
  });

  test('in time: nothing is changed, and no timer is left', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const app = web().use(web.deadline('1h'));
    const signals: AbortSignal[] = [];
    app.get('/', (req, res) => {
      signals.push(req.signal);
      res.send('hello');
    });
    const before = timers();
    const { status, text, headers } = await app.inject('/');
    assert.deepEqual([status, text(), headers['retry-after']], [200, 'hello', undefined]);
    await sleep(1);
    assert.equal(timers(), before);
    assert.equal(signals[0]!.aborted, false);
  });

  test('in time: a response that is still being sent is not too late', async () => {
    const signals: AbortSignal[] = [];
    const app = appOf((req, res) => {
      signals.push(req.signal);
      res.send(Buffer.alloc(20_000_000));
    });
    await withServer(http.createServer(app), async port => {
      const connection = await Connection.open(port);
      connection.socket.pause();
      connection.get('/');
      await sleep(LATER);
      assert.equal(signals[0]!.aborted, false);
      connection.socket.resume();
      await until(() => connection.text.length > 20_000_000);
      connection.socket.destroy();
    });
  });

  test('error handlers: get an error with status, code and type, and may render it', async () => {
    const errors: DeadlineError[] = [];
    const app = appOf(never).use(noting(errors, res => res.status(503).json({ busy: true })));
    const { status, text, headers } = await ask(app);
    assert.deepEqual([status, text, headers['retry-after']], [503, '{"busy":true}', '10']);
    const [error] = errors;
    assert.ok(error instanceof Error);
    assert.equal(error.message, `No response was sent within ${String(SHORT)} ms`);
    const { name, code, type, timeout, headers: retry } = error;
    assert.deepEqual(
      { name, status: error.status, code, type, timeout, retry },
      {
        name: 'TimeoutError',
        status: 503,
        code: 'ETIMEDOUT',
        type: 'request.deadline',
        timeout: SHORT,
        retry: { 'Retry-After': '10' },
      },
    );
  });

  test('error handlers: errors caused by the signal do not affect a slow error handler', async () => {
    const app = web().set('env', 'test').use(web.deadline(SHORT));
    const router = web.Router();
    let isInterrupted = false;
    router.get('/inner', async req => {
      try {
        await sleep(60_000, undefined, { signal: req.signal });
      } finally {
        isInterrupted = true;
      }
    });
    app.use(router);
    app.use((async (_error, _req, res, _next) => {
      await sleep(SHORT);
      assert.equal(isInterrupted, false);
      res.status(503).send('rendered');
    }) as web.ErrorRequestHandler);
    const { status, text } = await ask(app, '/inner');
    assert.deepEqual([status, text], [503, 'rendered']);
    await until(() => isInterrupted);
  });

  test('error handlers: a 503 is sent even if one calls next without the error, or fails', async () => {
    const lost: unknown[] = [];
    const forgets: web.ErrorRequestHandler = (_error, _req, _res, next) => {
      next();
    };
    const fails: web.ErrorRequestHandler = () => {
      throw new Error('in the handler');
    };
    for (const handler of [forgets, fails]) {
      const app = appOf(never).use(handler);
      app.use((_req, res) => {
        lost.push('reached');
        res.send('recovered');
      });
      const { status, headers } = await ask(app);
      assert.deepEqual([status, headers['retry-after']], [503, '10']);
    }
    assert.deepEqual(lost, []);
  });

  test('error handlers: failing in the middle of a response closes the connection', async () => {
    const app = appOf(never).use(((_error, _req, res, _next) => {
      res.status(503).write('half');
      throw new Error('in the handler');
    }) as web.ErrorRequestHandler);
    await withServer(http.createServer(app), async port => {
      const connection = await Connection.open(port);
      await connection.get('/').closed();
      assert.match(connection.text, /^HTTP\/1.1 503 .*half\r\n$/s);
    });
  });

  test('production: the page only says what 503 means', async t => {
    const app = web().set('env', 'production').use(web.deadline(SHORT), never);
    const log = t.mock.method(console, 'error', () => undefined);
    const { text } = await app.inject('/');
    await until(() => log.mock.callCount() > 0);
    assert.match(text(), /<pre>Service Unavailable<\/pre>/);
    assert.deepEqual(log.mock.calls[0]!.arguments, [
      `TimeoutError: No response was sent within ${String(SHORT)} ms`,
    ]);
  });

  test('signal: is aborted with the error that the error handlers get, when the response is sent', async () => {
    const errors: unknown[] = [];
    const seen: unknown[] = [];
    const app = appOf((req, res) => {
      seen.push(req.signal);
      req.signal.addEventListener('abort', () => seen.push(res.headersSent));
    });
    app.use(noting(errors, res => res.sendStatus(503)));
    await ask(app);
    const [signal, wereSent] = seen as [AbortSignal, boolean];
    assert.equal(wereSent, true);
    assert.equal(signal.reason, errors[0]);
  });

  test('signal: is already aborted if it is first read after the deadline', async () => {
    const reasons: unknown[] = [];
    const app = appOf(async req => {
      await until(() => req.res!.headersSent);
      reasons.push((req.signal.reason as Error).name);
    });
    await ask(app);
    await until(() => reasons.length > 0);
    assert.deepEqual(reasons, ['TimeoutError']);
  });

  test('a response that has begun: continues, and its signal is aborted', async () => {
    const reasons: string[] = [];
    const app = appOf((req, res) => {
      res.write('be');
      req.signal.addEventListener('abort', () => {
        reasons.push((req.signal.reason as Error).name);
        res.end('gun');
      });
    });
    const { status, text } = await ask(app);
    assert.deepEqual([status, text, reasons], [200, 'begun', ['TimeoutError']]);
  });

  test('destroy: aborts a response that has begun', async () => {
    const app = appOf((_req, res) => res.write('be'), { destroy: true });
    await withServer(http.createServer(app), async port => {
      const connection = await Connection.open(port);
      await connection.get('/').closed();
      assert.match(connection.text, /^HTTP\/1.1 200 .*be\r\n$/s);
    });
  });

  test('destroy: a response that is queued behind another closes the connection when its turn comes', async () => {
    let queued: Response | undefined;
    const app = appOf((_req, res) => (queued = res).write('be'), { destroy: true });
    const all = web().set('env', 'test');
    all.get('/slow', async (_req, res) => {
      await until(() => queued?.destroyed === true);
      res.send('slow');
    });
    await withServer(http.createServer(all.use(app)), async port => {
      const connection = await Connection.open(port);
      await connection.get('/slow', '/', '/').closed();
      assert.match(connection.text, /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nslow(?!.*0\r\n\r\n$)/s);
    });
  });

  test('uploads: a body that is still being received does not delay the response', async () => {
    for (const handler of [never, web.json() as Handler]) {
      await withServer(http.createServer(appOf(handler)), async port => {
        const connection = await Connection.open(port);
        connection.socket.write(
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a',
        );
        await connection.until(/^HTTP\/1.1 503 .*<\/html>/s);
        connection.socket.destroy();
      });
    }
  });

  for (const [name, late] of Object.entries({
    'res.send': (_req, res) => res.send('late'),
    'res.json': (_req, res) => res.status(200).json({ late: true }),
    'res.jsonp': (_req, res) => res.jsonp({ late: true }),
    'res.sendStatus': (_req, res) => res.sendStatus(200),
    'res.redirect': (_req, res) => {
      res.redirect('/late');
    },
    'res.sendFile': (_req, res) => {
      res.sendFile(path.resolve(__filename));
    },
    'res.format': (_req, res) => res.format({ default: () => res.send('late') }),
    'headers and cookies': (_req, res) => {
      res.set('X-Late', '1').append('X-Late', '2').vary('Late').type('png').cookie('a', 'b');
      res.removeHeader('X-Late');
      res.setHeaders(new Map([['X-Late', '3']]));
      res.links({ next: '/late' });
    },
    'res.writeHead, write and end': async (_req, res) => {
      res.writeHead(200, { 'X-Late': '1' });
      assert.equal(res.write('late'), true);
      await new Promise(resolve => res.write('late', resolve));
      await new Promise<void>(resolve => res.end('late', resolve));
    },
    'a stream': async (_req, res) => {
      await once(Readable.from(['la', 'te']).pipe(res, { end: false }), 'unpipe');
    },
    next: (_req, _res, next) => {
      next();
    },
    'next with an error': (_req, _res, next) => {
      next(new Error('late'));
    },
    'a rejection': () => Promise.reject(new Error('late')),
  } satisfies Record<string, Handler>)) {
    test(`late calls: ${name} has no effect, does not throw, and the connection stays open`, async () => {
      const ran: string[] = [];
      const errors: unknown[] = [];
      let result: unknown;
      const app = web().set('env', 'test');
      app.get('/again', (_req, res) => void res.send('again'));
      const router = web.Router();
      router.get(
        '/',
        (async (req: Request, res: Response, next: NextFunction) => {
          await until(() => res.headersSent);
          try {
            result = await late(req, res, next);
          } finally {
            ran.push('late');
          }
        }) as Handler,
        () => void ran.push('route'),
      );
      router.use(() => void ran.push('router'));
      router.use(noting(errors, res => res.send('late')));
      app.use(web.deadline(SHORT), router);
      app.use(() => void ran.push('application'));
      app.use(noting(errors, res => res.status(503).send('busy')));
      await withServer(http.createServer(app), async port => {
        const connection = await Connection.open(port);
        await connection.get('/').until(/busy$/);
        await until(() => ran.length > 0);
        await sleep(1);
        const first = connection.text;
        await connection.get('/again').until(/again$/);
        assert.match(first, /^HTTP\/1.1 503 Service Unavailable\r\n.*\r\n\r\nbusy$/s);
        assert.doesNotMatch(first, /late/i);
        connection.socket.destroy();
      });
      assert.deepEqual(ran, ['late']);
      assert.equal(errors.length, 1);
      void result;
    });
  }

  test('late calls: loggers read the status that was sent when the response is finished', async () => {
    const logged: number[] = [];
    const app = web().set('env', 'test');
    app.use((_req, res, next) => {
      res.once('close', () => logged.push(res.statusCode));
      next();
    });
    app.use(web.deadline(SHORT), (async (req, res) => {
      try {
        await sleep(60_000, undefined, { signal: req.signal });
      } catch {
        res.status(502).send('no upstream');
      }
    }) as web.RequestHandler);
    await ask(app);
    await until(() => logged.length > 0);
    assert.deepEqual(logged, [503]);
  });

  test('late calls: middleware may end the response later, and set headers until then', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res, next) => {
      const end = res.end.bind(res) as (...args: unknown[]) => Response;
      res.end = ((...args: unknown[]) => {
        setTimeout(() => {
          res.setHeader('X-Saved', '1');
          end(...args);
        }, 5);
        return res;
      }) as never;
      next();
    });
    app.use(web.deadline(SHORT), never);
    app.use(noting([], res => res.status(503).send('busy')));
    const { status, text, headers } = await ask(app);
    assert.deepEqual([status, text, headers['x-saved']], [503, 'busy', '1']);
  });

  test('nested: the deadline that passes first applies', async () => {
    for (const [outer, inner] of [
      [SHORT, LATER],
      [LATER, SHORT],
    ]) {
      const errors: DeadlineError[] = [];
      const app = web().set('env', 'test').use(web.deadline(outer!));
      const router = web.Router();
      router.get('/page', web.deadline(inner!), never as web.RequestHandler);
      app.use('/mounted', router);
      app.use(noting(errors, res => res.status(503).end()));
      assert.equal((await ask(app, '/mounted/page')).status, 503);
      await sleep(LATER);
      assert.deepEqual(
        errors.map(({ timeout }) => timeout),
        [SHORT],
      );
    }
  });

  const inRouter = (
    build: (router: ReturnType<typeof web.Router>) => unknown,
  ): ReturnType<typeof web.Router> => {
    const router = web.Router();
    build(router);
    return router;
  };
  const places: Record<string, (app: ReturnType<typeof web>) => unknown> = {
    'a router inside a router': app =>
      app.use(
        web.deadline(SHORT),
        inRouter(router => router.use(inRouter(inner => inner.get('/page', never)))),
      ),
    'a mounted application, from outside': app => app.use(web.deadline(SHORT), web().use(never)),
    'a mounted application, from inside': app => app.use(web().use(web.deadline(SHORT), never)),
    'what follows the router in which it is': app =>
      app.use(inRouter(router => router.use(web.deadline(SHORT)))).get('/page', never),
    'what follows the application in which it is': app =>
      app.use(web().use(web.deadline(SHORT))).get('/page', never),
    'a parameter': app =>
      app
        .use(web.deadline(SHORT))
        .param('name', never as never)
        .get('/:name', (_req, res) => res.send('never')),
    'the next handler of a route': app => app.get('/page', web.deadline(SHORT), never),
    'an error handler': app => {
      app.use(web.deadline(SHORT), () => {
        throw new Error('first');
      });
      app.use(((_error, _req, _res, _next) => undefined) as web.ErrorRequestHandler);
    },
    'a view': app =>
      app
        .engine('never', () => undefined)
        .set('views', __dirname)
        .set('view', viewThatExists)
        .use(web.deadline(SHORT))
        .get('/page', (_req, res) => {
          res.render('page.never');
        }),
    'a hook of the response': app =>
      app.use(web.deadline(SHORT)).get('/page', (_req, res) => {
        res.onSend(() => new Promise(() => undefined));
        res.send('never');
      }),
  };
  for (const [place, build] of Object.entries(places)) {
    test(`wherever it is: covers ${place}`, async () => {
      const app = web().set('env', 'test');
      build(app);
      assert.equal((await ask(app, '/page')).status, 503);
    });
  }

  test('retryAfter: is not sent if the handler responds before an asynchronous error handler', async () => {
    const cases: [Handler, string | undefined][] = [
      [(_req, res) => void res.send('first'), undefined],
      [(_req, res) => void res.redirect('/'), undefined],
      [(_req, res) => void res.writeHead(201).end('first'), undefined],
      [(_req, res) => void res.set('Retry-After', '7').send('first'), '7'],
      [(_req, res) => void res.status(500).send('first'), '10'],
    ];
    for (const [respond, value] of cases) {
      let hasPassed = false;
      const app = appOf(async (req, res, next) => {
        await until(() => hasPassed);
        respond(req, res, next);
      });
      app.use((async (_error, _req, res, _next) => {
        hasPassed = true;
        await until(() => res.headersSent);
        res.status(503).end();
      }) as web.ErrorRequestHandler);
      assert.equal((await ask(app)).headers['retry-after'], value);
    }
  });

  test('setHeaders: a response without it (older Node, other runtimes) works the same', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res, next) => {
      Object.defineProperty(res, 'setHeaders', { value: undefined, configurable: true });
      next();
    });
    app.use(web.deadline(SHORT), never);
    assert.equal((await ask(app)).status, 503);
  });

  test('disconnect: cancels the deadline if it comes first', async () => {
    const errors: unknown[] = [];
    const reasons: string[] = [];
    let isCalled = false;
    const app = web().set('env', 'test').use(web.deadline(1000));
    app.get('/', req => {
      isCalled = true;
      req.signal.addEventListener('abort', () => reasons.push((req.signal.reason as Error).name));
    });
    app.use(noting(errors, res => res.end()));
    await withServer(http.createServer(app), async port => {
      const connection = (await Connection.open(port)).get('/');
      await until(() => isCalled);
      connection.socket.destroy();
      await sleep(1200);
      assert.deepEqual([reasons, errors], [['AbortError'], []]);
    });
  });

  test('disconnect: leaves no deadline to middleware that runs later', async () => {
    let isLate = false;
    let errors = 0;
    const app = web().set('env', 'test');
    app.use((_req, res, next) => {
      res.on('close', () => {
        next();
        isLate = true;
      });
    });
    app.use(web.deadline(SHORT), never);
    app.use(((_error, _req, _res, _next) => void errors++) as web.ErrorRequestHandler);
    await withSession(http2.createServer(app as never), async session => {
      const stream = session.request({ ':path': '/' }).on('error', () => undefined);
      setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), 20);
      await until(() => isLate);
      await sleep(LATER);
      assert.equal(errors, 0);
    });
  });

  test('upgraded connections: have no deadline', async () => {
    const errors: unknown[] = [];
    const app = appOf(never).use(noting(errors, res => res.end()));
    const server = http.createServer(app);
    server.on('upgrade', (req: http.IncomingMessage, socket: Socket) => {
      socket.on('end', () => socket.end()).resume();
      app(req, new http.ServerResponse(req));
    });
    await withServer(server, async port => {
      const { socket } = await Connection.open(port);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      await sleep(LATER);
      assert.deepEqual(errors, []);
      socket.destroy();
    });
  });

  test('HTTP/2: deadlines work the same', async () => {
    const signals: AbortSignal[] = [];
    const app = appOf(async (req, res) => {
      signals.push(req.signal);
      await until(() => res.headersSent);
      res.send('late');
    });
    await withSession(http2.createServer(app as never), async session => {
      for (let i = 0; i < 2; i++) {
        const { status, headers, code } = await askSession(session);
        assert.deepEqual([status, headers['retry-after'], code], [503, '10', 0]);
      }
      await sleep(LATER);
      assert.deepEqual(
        signals.map(({ reason }) => (reason as Error).name),
        ['TimeoutError', 'TimeoutError'],
      );
    });
  });

  test('app.fetch: deadlines work the same', async () => {
    const app = appOf(async (_req, res) => {
      await until(() => res.headersSent);
      res.send('late');
    });
    const response = await app.fetch(new globalThis.Request('http://x/'));
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '10']);
    await sleep(LATER);
  });

  describe('notices of late calls', () => {
    const program = `
      const app = web();
      app.set('env', process.env.NODE_ENV ?? 'development');
      const later = () => new Promise(resolve => setTimeout(resolve, 60));
      app.use('/api', web.deadline(20), web.Router()
        .get('/users/:id', async (req, res) => { await later(); res.send('late'); })
        .get('/next', (req, res, next) => { later().then(() => next()); }, () => seen.push('ran'))
        .get('/last', (req, res, next) => { later().then(() => next()); })
        .get('/error', async () => { await later(); throw new Error('too late for this'); })
        .get('/signal', async req => { await new Promise((_, reject) => req.signal.onabort = () => reject(req.signal.reason)); }));
      app.use('/api', web.deadline(20), async (req, res) => {
        await later();
        throw req.originalUrl === '/api/cause' ? new Error('of it', { cause: req.signal.reason }) : new Error('in the same router');
      });
      app.use((error, req, res, next) => res.status(503).send('busy'));
      (async () => {
        for (const url of PATHS) { seen.push((await app.inject('/api' + url)).status); await later(); await later(); }
      })();
    `;
    const run = (paths: string[], env?: Record<string, string>): ReturnType<typeof runProgram> =>
      runProgram(program.replace('PATHS', JSON.stringify(paths)), env === undefined ? {} : { env });

    test('development: warns once for each place in the program, with the route', () => {
      const { warnings, seen } = run(['/users/1', '/users/2', '/next', '/last']);
      assert.deepEqual(seen, [503, 503, 503, 503]);
      assert.deepEqual(
        warnings.map(({ code, message }) => [code, message.slice(0, message.indexOf(','))]),
        ['/api/users/:id', '/api/next', '/api/last'].map(route => [
          'RISTRETTO_LATE_RESPONSE',
          `The deadline of GET ${route} passed after 20 ms`,
        ]),
      );
      assert.match(warnings[0]!.detail!, /\[eval\]/);
    });

    test('development: names the error handler if the handler has responded before it', () => {
      const { warnings, seen } = runProgram(`
        const app = web();
        const wait = time => new Promise(resolve => setTimeout(resolve, time));
        app.get('/', web.deadline(20), async (req, res) => { await wait(60); res.send('first'); });
        app.use(async (error, req, res, next) => { await wait(120); res.status(503).send('busy'); });
        (async () => {
          const { status, headers } = await app.inject('/');
          seen.push(status, headers['retry-after'] ?? 'none');
          await wait(200);
        })();
      `);
      assert.deepEqual(seen, [200, 'none']);
      assert.deepEqual(
        warnings.map(({ code, message }) => [code, message.slice(0, message.indexOf('. '))]),
        [
          [
            'RISTRETTO_LATE_RESPONSE',
            'The deadline of GET / passed after 20 ms, but its handler responded with 200 before the error handler, whose response was therefore ignored',
          ],
        ],
      );
    });

    test('production: does not warn', () => {
      assert.deepEqual(run(['/users/1'], { NODE_ENV: 'production' }).warnings, []);
    });

    test('errors: a late error is logged, unless the signal caused it', () => {
      const { warnings, seen, stderr } = run(['/error', '/signal', '/cause', '/other']);
      assert.deepEqual(seen, [503, 503, 503, 503]);
      assert.deepEqual(warnings, []);
      assert.deepEqual(
        stderr.split('\n').filter(line => /^\w*Error/.test(line)),
        ['Error: too late for this', 'Error: in the same router'],
      );
    });
  });
});

describe('web.deadline: hooks', () => {
  test('a response that waits for hooks of packages: is replaced by the 503, whatever these do later', async () => {
    const late: Record<string, () => Promise<unknown>> = {
      never: () => new Promise(() => undefined),
      later: () => sleep(LATER),
      fails: () => sleep(LATER).then(() => Promise.reject(new Error('hook failed'))),
    };
    const held = (wait: () => Promise<unknown>, chunks: unknown[] = []) => ({
      write: (chunk: unknown) => chunks.push(chunk) < 0,
      end: () => void wait().catch(() => undefined),
    });
    for (const [name, wait] of Object.entries(late)) {
      const hooks: Record<string, object> = {
        whole: { whole: async () => void (await wait()) },
        pieces: {
          pieces: (_res: unknown, next: { end(chunk: string): void }) =>
            held(() => wait().then(() => next.end('late'))),
        },
      };
      for (const [kind, hook] of Object.entries(hooks)) {
        const ways: RequestHandler[] = [
          (_req, res) => res.send('late'),
          (_req, res) => res.end('late'),
          (_req, res) => void (res.write('late'), res.end()),
        ];
        for (const way of kind === 'whole' ? ways.slice(0, 2) : ways.slice(2)) {
          const app = web().set('env', 'test');
          app.use(web.deadline(SHORT), (_req, res, next) => {
            addResponseHook(res as never, hook);
            next();
          });
          app.get('/', way);
          const { status, text } = await ask(app);
          assert.deepEqual([status, text.includes('late')], [503, false], `${name} ${kind}`);
        }
      }
    }
    await sleep(2 * LATER);
  });

  test('a response that has begun and waits for hooks of packages: is sent when they are done', async () => {
    const ways: RequestHandler[] = [
      (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/plain' }).end('whole'),
      (_req, res) => void (res.flushHeaders(), res.end('whole')),
    ];
    for (const way of ways) {
      const app = web().set('env', 'test');
      app.use(web.deadline(SHORT), (_req, res, next) => {
        addResponseHook(res as never, { whole: () => sleep(2 * SHORT).then(() => undefined) });
        next();
      });
      app.get('/', way);
      const { status, text } = await ask(app);
      assert.deepEqual([status, text], [200, 'whole']);
    }
  });

  test('hooks: if one fails on the 503, the client gets a response', async () => {
    const hooks: Record<string, (res: Response) => unknown> = {
      throws: res =>
        res.onSend(() => {
          throw new Error('hook failed');
        }),
      rejects: res =>
        res.onSend(async () => {
          await sleep(1);
          throw new Error('hook failed');
        }),
      'rejects in another package': res => {
        addResponseHook(res, { whole: () => Promise.reject(new Error('hook failed')) });
      },
    };
    for (const [name, add] of Object.entries(hooks)) {
      const app = web().set('env', 'test');
      app.use(web.deadline(SHORT), (_req, res, next) => {
        add(res as never);
        next();
      });
      app.all('/', never);
      const { status } = await ask(app);
      // A hook of another package that fails on the last page leaves no handler for its error
      assert.equal(status, name === 'rejects in another package' ? 500 : 503, name);
    }
  });

  test('hooks: if they hold back the 503 for longer than a second, it is sent without them', async () => {
    const stall = (): Promise<never> => new Promise(() => undefined);
    const hooks: Record<string, (res: Response) => unknown> = {
      'of the application': res => res.onSend(stall),
      'of a package': res => {
        addResponseHook(res as never, { whole: stall });
      },
    };
    const errorHandlers: web.ErrorRequestHandler[] = [
      (error, _req, _res, next) => {
        next(error);
      },
      (_error, _req, res, _next) => void res.status(503).json({ busy: true }),
    ];
    const held = Object.entries(hooks).flatMap(([name, add]) =>
      errorHandlers.map(async errorHandler => {
        const app = web().set('env', 'test');
        app.use(web.deadline(SHORT), (_req, res, next) => {
          add(res);
          next();
        });
        app.all('/', (_req, res) => {
          // The 503 is complete, although it waits
          setTimeout(() => res.set('X-Late', 'late').status(200).json('late'), LATER);
          setTimeout(() => res.writeHead(200).end('late'), LATER + 1);
        });
        app.use(errorHandler);
        const { status, headers, text } = await ask(app);
        assert.deepEqual([status, headers['retry-after'], headers['x-late']], [503, '10', undefined], name);
        assert.doesNotMatch(text, /late/);
      }),
    );
    await Promise.all(held);
  });

  test('hooks: nor do they hold back for long what an error handler sends later', async () => {
    const app = web().set('env', 'test');
    app.use(web.deadline(SHORT), (_req, res, next) => {
      res.onSend(() => new Promise(() => undefined));
      next();
    });
    app.all('/', () => undefined);
    app.use((async (_error, _req, res, _next) => {
      await sleep(1200);
      res.status(503).json({ busy: true });
    }) as web.ErrorRequestHandler);
    assert.equal((await ask(app)).status, 503);
  });

  test('headers: the Content-Length that the handler has set is not sent with another body', async () => {
    const app = web().set('env', 'test').use(web.deadline(SHORT));
    app.use((_req, res) => void res.set('Content-Length', '1000'));
    app.use(((_error, _req, res, _next) => void res.end('too late')) as web.ErrorRequestHandler);
    const { headers, text } = await ask(app);
    assert.deepEqual([headers['content-length'], text], ['8', 'too late']);
  });

  test('hooks: a stream whose beginning they hold is replaced, also if the error handler only ends the response', async () => {
    for (const handler of [
      (_req, res) => void res.write('begun'),
      (_req, res) => {
        res.write('begun');
        setTimeout(() => res.end('late'), LATER);
      },
    ] as web.RequestHandler[]) {
      const app = web().set('env', 'test');
      app.use(web.deadline(SHORT), (_req, res, next) => {
        res.onSend(() => sleep(2 * LATER));
        next();
      });
      app.use(handler);
      app.use(((_error, _req, res, _next) => void res.end('too late')) as web.ErrorRequestHandler);
      assert.equal((await ask(app)).text, 'too late');
    }
  });

  test('response schemas: a response that waits for one is replaced, whatever becomes of the schema later', async () => {
    const outcomes: [name: string, settle: () => Promise<{ value: unknown }>][] = [
      ['never settles', () => new Promise(() => undefined)],
      ['resolves', () => sleep(LATER, { value: 'late' })],
      ['rejects', () => sleep(LATER).then(() => Promise.reject(new Error('late')))],
    ];
    for (const [name, settle] of outcomes) {
      for (const isSlow of [false, true]) {
        const schema = { '~standard': { version: 1, vendor: 'test', validate: settle } } as const;
        const app = web().set('env', 'test');
        const errors: unknown[] = [];
        app.get('/', web.deadline(SHORT), web.validate({ response: { 200: schema } }), (_req, res) => {
          res.json({ a: 1 });
        });
        app.use((async (error, _req, res, _next) => {
          errors.push(error);
          // The schema has settled by then
          if (isSlow) await sleep(2 * LATER);
          res.status(503).json({ busy: true });
        }) as web.ErrorRequestHandler);
        const { status, text } = await ask(app);
        assert.deepEqual([status, text, errors.length], [503, '{"busy":true}', 1], `${name} ${isSlow}`);
      }
    }
  });

  test('hooks: a response whose beginning they hold is replaced as a whole', async () => {
    const app = appOf((_req, res) => {
      res.send(
        (async function* () {
          for (let i = 0; i < 6; i++) {
            yield `line ${i}`;
            await sleep(SHORT / 2);
          }
        })(),
      );
    });
    const hooked = web().set('env', 'test');
    hooked.use((_req, res, next) => {
      res.onSend(() => sleep(LATER));
      next();
    }, app);
    app.use(async (error: { status: number }, _req: Request, res: Response, _next: NextFunction) => {
      await sleep(SHORT);
      res.status(error.status).send('too late');
    });
    const { status, text } = await ask(hooked);
    assert.deepEqual([status, text], [503, 'too late']);
  });
});
