/** Rejected promises are handled as errors of the request, and each is reported once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type {
  Application,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'ristretto';
import { ask } from '../support/http.js';

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const rejecting =
  (reason: unknown): (() => Promise<never>) =>
  async () => {
    await Promise.resolve();
    throw reason;
  };

/** Sends one request and resolves with the errors that reached the end of the stack. */
async function errorsOf(build: (app: Application) => unknown, path = '/x'): Promise<unknown[]> {
  const errors: unknown[] = [];
  const app = web().set('env', 'test');
  build(app);
  app.use(((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    errors.push(error);
    if (!res.headersSent) res.status(500).send('failed');
  }) as ErrorRequestHandler);
  app.use((_req, res) => void res.status(404).send('none'));
  await ask(app, path);
  await tick();
  await tick();
  return errors;
}

/** Returns what is logged with `console.error` in the development environment. */
async function reported(use: () => Promise<unknown>): Promise<unknown[]> {
  const lines: unknown[] = [];
  const { error } = console;
  const { NODE_ENV } = process.env;
  console.error = (...args: unknown[]) => void lines.push(...args);
  process.env.NODE_ENV = 'development';
  try {
    await use();
  } finally {
    console.error = error;
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  return lines;
}

const reason = new Error('rejected');
const reject = rejecting(reason);
const pass: RequestHandler = (_req, _res, next) => next();
const failFirst: RequestHandler = (_req, _res, next) => next(new Error('first'));
const rejectError = (async (_err: unknown, _req: Request, _res: Response, _next: NextFunction) => {
  await Promise.resolve();
  throw reason;
}) as ErrorRequestHandler;

/** Every place where the framework calls a function of the application. */
const places: Record<string, (app: Application, handler: () => Promise<unknown>) => unknown> = {
  middleware: (app, handler) => app.use(handler),
  'mounted middleware': (app, handler) => app.use('/x', handler),
  'a route with one handler': (app, handler) => app.get('/x', handler),
  'a route with several handlers': (app, handler) => app.get('/x', pass, handler, pass),
  'a route for all': (app, handler) => app.all('/x', pass, handler),
  'route.all': (app, handler) => app.route('/x').all(handler),
  'a param callback': (app, handler) => app.param('id', handler).get('/:id', pass),
  'the second param callback': (app, handler) =>
    app
      .param('id', (_req, _res, next) => next())
      .param('id', handler)
      .get('/:id', pass),
  'a router': (app, handler) => app.use(web.Router().use(handler)),
  'a route of a mounted router': (app, handler) => app.use('/', web.Router().get('/x', handler)),
  'a sub-application': (app, handler) => app.use(web().use(handler)),
  'a route of a sub-application': (app, handler) => app.use('/', web().get('/x', pass, handler)),
};

describe('async', () => {
  for (const [place, build] of Object.entries(places)) {
    test(`rejection: in ${place} is passed to next once`, async () => {
      assert.deepEqual(await errorsOf(app => build(app, reject)), [reason]);
    });
  }
  test('rejection: in an error handler replaces the error', async () => {
    assert.deepEqual(await errorsOf(app => app.use(failFirst, rejectError)), [reason]);
    assert.deepEqual(await errorsOf(app => app.get('/x', failFirst, rejectError)), [reason]);
  });
  test('rejection: goes to the error handlers of the route first', async () => {
    const seen: unknown[] = [];
    const errors = await errorsOf(app =>
      app.get('/x', pass, reject, ((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
        seen.push(error);
        res.send('healed');
      }) as ErrorRequestHandler),
    );
    assert.deepEqual([errors, seen], [[], [reason]]);
  });
  for (const none of [undefined, null, false, '', 0, NaN]) {
    test(`no reason: ${JSON.stringify(none) ?? 'undefined'} (${String(none)}) becomes an Error`, async () => {
      for (const build of [
        places.middleware,
        places['a route with one handler'],
        places['a param callback'],
      ]) {
        const [error, ...others] = await errorsOf(app => build!(app, rejecting(none)));
        assert.ok(error instanceof Error);
        assert.ok(error.message.includes(`rejected without a reason (${String(none)})`));
        assert.equal(others.length, 0);
      }
    });
  }
  test('reason that is no error: is passed on unchanged', async () => {
    assert.deepEqual(await errorsOf(app => app.use(rejecting('text'))), ['text']);
    assert.deepEqual(await errorsOf(app => app.use(rejecting({ a: 1 }))), [{ a: 1 }]);
  });
  test("reason 'route' and 'router': have the meaning they have in next", async () => {
    assert.deepEqual(await errorsOf(app => app.get('/x', rejecting('route'), reject)), []);
    assert.deepEqual(await errorsOf(app => app.use(web.Router().use(rejecting('router'), reject))), []);
  });
  test('resolved: has no effect, whatever the value', async () => {
    const answer = await ask(web().use(async (_req, res) => res.send('x')));
    assert.equal(answer.text, 'x');
  });
  test('thrown at once: goes to error handlers', async () => {
    assert.deepEqual(
      await errorsOf(app =>
        app.use(() => {
          throw reason;
        }),
      ),
      [reason],
    );
  });

  test('after next: logs an error that has not been passed on, and does not fail the request', async () => {
    const late = async (_req: Request, _res: Response, next: NextFunction): Promise<void> => {
      next();
      await Promise.resolve();
      throw reason;
    };
    for (const [place, build] of Object.entries(places)) {
      const lines = await reported(async () => {
        const app = web();
        build(app, late as never);
        app.use((_req, res) => void setImmediate(() => res.send('answered')));
        assert.equal((await ask(app, '/x')).text, 'answered', place);
        await tick();
      });
      assert.equal(lines.length, 1, place);
      // With a folded stack, as all errors in development
      assert.match(String(lines[0]), /^Error: rejected\n +at /, place);
    }
  });
  test('after next(error): ignores a rejection with the same error', async () => {
    const lines = await reported(async () => {
      const twice = async (_req: Request, _res: Response, next: NextFunction): Promise<void> => {
        next(reason);
        throw reason;
      };
      assert.deepEqual(await errorsOf(app => app.use(twice)), [reason]);
      assert.deepEqual(await errorsOf(app => app.get('/x', pass, twice)), [reason]);
      assert.deepEqual(await errorsOf(app => app.param('id', twice as never).get('/:id', pass)), [reason]);
    });
    assert.deepEqual(lines, []);
  });
  test('after the response: passes the error to error handlers, with headersSent true', async () => {
    let seen: unknown;
    const app = web().set('env', 'test');
    app.get('/', async (_req, res) => {
      res.send('answered');
      throw reason;
    });
    app.use(((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
      seen = [error, res.headersSent];
    }) as ErrorRequestHandler);
    assert.equal((await ask(app)).text, 'answered');
    assert.deepEqual(seen, [reason, true]);
  });
  test('late error in tests: is not logged', async () => {
    const { error } = console;
    const { NODE_ENV } = process.env;
    process.env.NODE_ENV = 'test';
    console.error = () => assert.fail('reported');
    try {
      const app = web();
      app.use(async (_req, _res, next) => {
        next();
        throw reason;
      });
      app.use((_req, res) => void setImmediate(() => res.send('x')));
      await ask(app);
    } finally {
      console.error = error;
      if (NODE_ENV === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = NODE_ENV;
    }
  });

  test('tools that pass on rejections themselves: the error is passed on once and not logged', async () => {
    const stackOf = (app: Application) => (app as unknown as { _router: { stack: Watched[] } })._router.stack;
    interface Watched {
      handle: (...args: unknown[]) => unknown;
      route?: { stack: Watched[] };
    }
    const watch = (layer: Watched): void => {
      const { handle } = layer;
      if (handle.length === 4) return;
      layer.handle = (req, res, next) => {
        const result = handle(req, res, next) as Promise<unknown> | undefined;
        if (result?.catch) result.catch((error: unknown) => (next as NextFunction)(error));
        return result;
      };
      layer.route?.stack.forEach(watch);
    };
    const other = new Error('another');
    const translate = ((_err: unknown, _req: Request, _res: Response, next: NextFunction) =>
      next(other)) as ErrorRequestHandler;
    const lines = await reported(async () => {
      for (const place of ['middleware', 'a route with one handler', 'a route with several handlers']) {
        const build = (app: Application): void => {
          places[place]!(app, reject);
          stackOf(app).forEach(watch);
        };
        assert.deepEqual(await errorsOf(build), [reason], place);
        const errors = await errorsOf(app => {
          build(app);
          app.use(translate);
        });
        assert.deepEqual(errors, [other], place);
      }
    });
    assert.deepEqual(lines, []);
  });
  test('route.dispatch: returns nothing, as in Express', () => {
    const route = web().route('/x') as unknown as {
      get(handler: () => unknown): void;
      dispatch(req: object, res: object, next: () => void): unknown;
    };
    const next = (): void => undefined;
    assert.equal(route.dispatch({ method: 'GET', next }, {}, next), undefined);
    route.get(async () => 'value');
    assert.equal(route.dispatch({ method: 'GET', next }, {}, next), undefined);
  });
  test('promises of libraries: are handled like native promises', async () => {
    class LibraryPromise {
      static resolve(): void {
        /* identifies it as a promise class */
      }
      then(_done: unknown, failed: (reason: unknown) => void): void {
        setImmediate(failed, reason);
      }
    }
    for (const build of Object.values(places)) {
      assert.deepEqual(await errorsOf(app => build(app, (() => new LibraryPromise()) as never)), [reason]);
    }
  });
  test('queries: does not call `then` on objects that only start when it is called', async () => {
    let started = 0;
    class Query {
      then(): void {
        started++;
      }
    }
    const queries = [
      new Query(),
      { then: () => started++ },
      Object.assign(Object.create(null) as object, { then: () => started++ }),
    ];
    for (const query of queries) {
      const app = web().get('/', (_req, res) => {
        res.send('x');
        return query as never;
      });
      assert.equal((await ask(app)).text, 'x');
    }
    assert.equal(started, 0);
  });
  test('other values: are ignored', async () => {
    for (const value of [1, 'text', null, {}, { then: 1 }, () => undefined, Symbol('s')]) {
      const app = web().get('/', (_req, res) => {
        res.send('x');
        return value as never;
      });
      assert.equal((await ask(app)).text, 'x');
    }
  });
});
