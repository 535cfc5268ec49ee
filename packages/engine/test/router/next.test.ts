/** `next`: passes control from callback to callback. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { sameEach } from '../support/compare.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, markError, tracing } from '../support/routing.js';

type App = ReturnType<Web>;
type Next = (err?: unknown) => void;
const paths = ['/', '/x', '/x/y', '/a/x'];

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
const values: [string, unknown][] = [
  ['next()', undefined],
  ["next('route')", 'route'],
  ["next('router')", 'router'],
  ['next(error)', new Error('passed')],
  ['next(text)', 'any text'],
  ['next(0), next(null), next(false)', 0],
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
  for (const [what, pass] of values) {
    for (const [place, build] of Object.entries(places)) {
      test(`${what}: continues as in Express (${place})`, () =>
        sameEach(
          tracing((app, web) => build(app, web, pass)),
          paths,
        ));
    }
  }
  test('next(error) twice: runs error handlers in order, and the later error replaces the first', () =>
    sameEach(
      tracing(app => {
        app.use(
          mark('m', new Error('first')),
          markError('1', () => new Error('second')),
          markError('2'),
        );
      }),
      paths,
    ));
  test('called twice: the second call continues where the first stopped', () =>
    sameEach(
      tracing(app => {
        app.use((_req, _res, next) => {
          next();
          next();
        });
        app.use('/x', (req, res) => mark('stops')(req, res, () => undefined));
        app.use(mark('goes on'));
      }),
      ['/x'],
    ));
  test('req.next: is the continuation of the innermost router', () =>
    sameEach(
      tracing((app, web) => {
        const router = web.Router();
        router.use((req, _res, next) => {
          assert.equal(typeof req.next, 'function');
          req.next!();
          void next;
        });
        app.use(router, mark('behind'));
      }),
      paths,
    ));

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
    sameEach(
      tracing(app => app.param('x', (_req, _res, next) => next()).get('/:a'.repeat(200), mark('all'))),
      ['/1'.repeat(200)],
    ));
});
