/** `next`, rejected promises, and a replaced `Promise`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
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
import { sameEach } from '../support/compare.js';
import { inEnvironment, logged } from '../support/environment.js';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, markError, sameTraces } from '../support/routing.js';
import { outputOf } from '../support/program.js';

type App = ReturnType<Web>;
type Next = (err?: unknown) => void;
const paths = ['/', '/x', '/x/y', '/a/x'];

const values: [string, unknown][] = [
  ['next()', undefined],
  ["next('route')", 'route'],
  ["next('router')", 'router'],
  ['next(error)', new Error('passed')],
  ['next(text)', 'any text'],
  ['next(0)', 0],
  ['next(null)', null],
  ["next('')", ''],
  ['next(object)', {}],
];

/** Returns the order of events when the last layer calls `next`. */
function order(web: Web, build: (app: App, log: (name: string) => void) => void): Promise<string[]> {
  return new Promise(resolve => {
    const events: string[] = [];
    const app = web();
    build(app, name => events.push(name));
    const req = Object.assign(new http.IncomingMessage(null as never), { method: 'GET', url: '/x' });
    (app as unknown as (req: unknown, res: unknown, out: Next) => void)(
      req,
      new http.ServerResponse(req),
      err => {
        events.push(`out ${String(err)}`);
        setImmediate(resolve, events);
      },
    );
    events.push('returned');
  });
}

describe('next', () => {
  /** Every place where a callback gets `next`; each passes it `pass`. */
  const places: Record<string, (app: App, web: Web, pass: unknown) => unknown> = {
    middleware: (app, _web, pass) => app.use(mark('m', pass)),
    'mounted middleware': (app, _web, pass) => app.use('/x', mark('m', pass), mark('second')),
    'route handler': (app, _web, pass) =>
      app.get('/x', mark('h', pass), mark('second')).get('/x', mark('route 2')),
    'route with one handler': (app, _web, pass) => app.get('/x', mark('h', pass)).get('/x', mark('route 2')),
    'route for all': (app, _web, pass) => app.all('/x', mark('h', pass), mark('second')),
    'error handler': (app, _web, pass) =>
      app.use(
        mark('m', 'first'),
        markError('e', () => pass),
        markError('second'),
        mark('healed'),
      ),
    'error handler of a route': (app, _web, pass) =>
      app.get(
        '/x',
        mark('h', 'first'),
        markError('e', () => pass),
        markError('second'),
        mark('healed'),
      ),
    'param callback': (app, _web, pass) =>
      app
        .param('id', (req, res, next) => mark('p', pass)(req, res, next))
        .get('/:id', mark('h'))
        .get('/:id', mark('route 2')),
    'second param callback': (app, _web, pass) =>
      app
        .param('id', (_req, _res, next) => next())
        .param('id', (req, res, next) => mark('p', pass)(req, res, next))
        .use('/:id', mark('h')),
    'param callback of a repeated name': (app, _web, pass) =>
      app
        .param('id', (req, res, next) => mark('p', pass)(req, res, next))
        .use('/:id', mark('use'))
        .use(markError('healed', () => undefined))
        .get('/:id/y', mark('same value'))
        .get('/x/:id', mark('other value')),
    'router middleware': (app, web, pass) =>
      app.use(web.Router().use(mark('m', pass), mark('second')), mark('behind the router')),
    'route of a router': (app, web, pass) =>
      app.use('/a', web.Router().get('/x', mark('h', pass), mark('second')).use(mark('m')), mark('behind')),
    'sub-application': (app, web, pass) =>
      app.use('/a', web().use(mark('m', pass), mark('second')), mark('behind')),
  };

  for (const [what, pass] of values) {
    for (const [place, build] of Object.entries(places)) {
      test(`${what}: continues as in Express (${place})`, () =>
        sameTraces(paths, (app, web) => build(app, web, pass)));
    }
  }
  test('next(error) twice: runs error handlers in order, and the later error replaces the first', () =>
    sameTraces(paths, app => {
      app.use(
        mark('m', new Error('first')),
        markError('1', () => new Error('second')),
        markError('2'),
      );
    }));
  test('called twice: the second call continues where the first stopped', () =>
    sameTraces(['/x'], app => {
      app.use((_req, _res, next) => {
        next();
        next();
      });
      app.use('/x', (req, res) => mark('stops')(req, res, () => undefined));
      app.use(mark('goes on'));
    }));
  test('req.next: is the continuation of the innermost router', () =>
    sameTraces(paths, (app, web) => {
      const router = web.Router();
      router.use((req, _res, next) => {
        assert.equal(typeof req.next, 'function');
        req.next!();
        void next;
      });
      app.use(router, mark('behind'));
    }));

  const orders: Record<string, (app: App, log: (name: string) => void) => void> = {
    'last middleware: calls the final handler asynchronously': (app, log) =>
      app.use((_req, _res, next) => {
        log('before');
        next();
        log('after');
      }),
    'last middleware with an error: calls the final handler asynchronously': (app, log) =>
      app.use((_req, _res, next) => {
        next('bad');
        log('after');
      }),
    'later layers that do not match: calls the final handler synchronously': (app, log) => {
      app.use((_req, _res, next) => {
        next();
        log('after');
      });
      app.get('/other', () => undefined);
    },
    'next(router): calls the final handler asynchronously': (app, log) => {
      app.use((_req, _res, next) => {
        next('router');
        log('after');
      });
      app.use(() => log('never'));
    },
    'route: calls the next layer synchronously at its end': (app, log) => {
      app.get('/x', (_req, _res, next) => {
        next();
        log('after route');
      });
      app.use((_req, _res, next) => {
        log('middleware');
        next();
      });
    },
    'error past routes: calls the final handler synchronously': (app, log) => {
      app.use((_req, _res, next) => {
        next(new Error('bad'));
        log('after');
      });
      app.get('/x', () => undefined);
    },
    'error past middleware: calls the final handler asynchronously': (app, log) => {
      app.use((_req, _res, next) => {
        next(new Error('bad'));
        log('after');
      });
      app.use(() => log('never'));
    },
  };
  for (const [what, build] of Object.entries(orders)) {
    test(`order: ${what}`, async () => {
      assert.deepEqual(await order(frameworks.ristretto, build), await order(frameworks.express, build));
    });
  }
  test('many layers: thousands that call next synchronously do not overflow the call stack', () =>
    sameEach(
      web => {
        const app = web();
        let count = 0;
        for (let i = 0; i < 6000; i++) {
          app.use((_req, _res, next) => {
            count++;
            next();
          });
        }
        app.get('/', (_req, res) => void res.send(String(count)));
        return app;
      },
      ['/'],
    ));
  test('many routes that do not match: do not overflow the call stack', () =>
    sameEach(
      web => {
        const app = web();
        for (let i = 0; i < 6000; i++) app.get(`/other/${String(i)}`, answer);
        app.get('/', (_req, res) => void res.send('found'));
        return app;
      },
      ['/'],
    ));
  test('many handlers of other methods in one route: do not overflow the call stack', () =>
    sameEach(
      web => {
        const app = web();
        const route = app.route('/');
        for (let i = 0; i < 6000; i++) route.post(answer);
        route.get((_req, res) => void res.send('found'));
        return app;
      },
      ['/'],
    ));
  test('many parameters without callbacks: do not overflow the call stack', () =>
    sameTraces(['/1'.repeat(200)], app =>
      app.param('x', (_req, _res, next) => next()).get('/:a'.repeat(200), mark('all')),
    ));
});

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
const reported = (use: () => Promise<unknown>): Promise<unknown[]> =>
  inEnvironment({ NODE_ENV: 'development' }, () => logged(use));

const reason = new Error('rejected');
const reject = rejecting(reason);
const pass: RequestHandler = (_req, _res, next) => next();
const failFirst: RequestHandler = (_req, _res, next) => next(new Error('first'));

const rejectError = (async (_err: unknown, _req: Request, _res: Response, _next: NextFunction) => {
  await Promise.resolve();
  throw reason;
}) as ErrorRequestHandler;

/** Rejected promises are handled as errors of the request, and each is reported once. */
describe('async', () => {
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
  for (const thrown of [reason, 'text', 0, null, undefined]) {
    test(`thrown at once: goes to error handlers, unless it is falsy (${String(thrown)})`, async () => {
      const fail = (): void => {
        throw thrown;
      };
      assert.deepEqual(await errorsOf(app => app.use(fail)), thrown ? [thrown] : []);
      await sameTraces(['/x'], app => app.get('/x', fail).use(mark('passed on')));
    });
  }

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
    const lines = await inEnvironment({ NODE_ENV: 'test' }, () =>
      logged(async () => {
        const app = web();
        app.use(async (_req, _res, next) => {
          next();
          throw reason;
        });
        app.use((_req, res) => void setImmediate(() => res.send('x')));
        await ask(app);
      }),
    );
    assert.deepEqual(lines, []);
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

/** Replaces the global by a class of its own, and prints the responses of an application. */
const program = `
const Native = Promise;
globalThis.Promise = class Replaced {
  constructor(executor) { this.native = new Native(executor); }
  then(...args) { return Replaced.resolve(this.native.then(...args)); }
  catch(failed) { return this.then(undefined, failed); }
  finally(done) { return Replaced.resolve(this.native.finally(done)); }
  static resolve(value) { return value instanceof Replaced ? value : new Replaced(ok => ok(value)); }
  static reject(error) { return new Replaced((ok, failed) => failed(error)); }
  static all(list) { return Replaced.resolve(Native.all(list)); }
  static allSettled(list) { return Replaced.resolve(Native.allSettled(list)); }
  static withResolvers() { return Native.withResolvers(); } // fetch of Node 26 calls it
  static race(list) { return Replaced.resolve(Native.race(list)); }
};
const session = require('@ristretto/session');
const compression = require('@ristretto/compression');
const { addResponseHook } = require('@ristretto/response-hooks');
process.on('uncaughtException', error => { console.log('uncaught', error.message); process.exit(); });
(async () => {
  for (const name of ['ristretto', 'ristretto5', 'ristretto3']) {
    const app = require(name)();
    app.set('env', 'test');
    app.get('/session', session({ secret: 's', resave: false, saveUninitialized: true }), (req, res) => res.send('session'));
    app.get('/compressed', compression(), (req, res) => res.type('text').send('x'.repeat(100000)));
    app.get('/hook', (req, res) => {
      addResponseHook(res, { whole: () => Promise.resolve('hooked') });
      res.send('body');
    });
    app.get('/on-send', (req, res) => { res.onSend(async body => body + '!').send('body'); });
    app.get('/replaced', (req, res) => { res.onSend(body => Promise.resolve(body + '?')).send('body'); });
    app.get('/failing', (req, res) => { res.onSend(async () => { throw new Error('failed'); }).send('body'); });
    app.get('/rejected', () => Promise.reject(new Error('rejected')));
    app.use((error, req, res, next) => { res.statusCode = 500; res.send(error.message); });
    for (const path of ['/session', '/compressed', '/hook', '/on-send', '/replaced', '/failing', '/rejected']) {
      const res = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
      const { status, headers, text } = res;
      console.log(name, path, status, headers['content-encoding'] || text());
    }
  }
})();
`;

/** Programs in which a tool has replaced `globalThis.Promise`, as bluebird, zone.js and async-listener do. */
describe('a replaced Promise', () => {
  test('requests: every kind of waiting responds as with the own class of Node', () => {
    const load = path.join(__dirname, '../../../../scripts/typescript.cjs');
    const output = outputOf(program, '--require', load);
    const responses = [
      '/session 200 session',
      '/compressed 200 gzip',
      '/hook 200 hooked',
      '/on-send 200 body!',
    ];
    responses.push('/replaced 200 body?', '/failing 500 failed', '/rejected 500 rejected');
    const expected = ['ristretto', 'ristretto5', 'ristretto3'].flatMap(name =>
      responses.map(response => `${name} ${response}`),
    );
    assert.deepEqual(output.trimEnd().split('\n'), expected);
  });
});
