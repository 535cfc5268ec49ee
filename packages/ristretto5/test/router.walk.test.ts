// runs: http1
/**
 * How a walk through a router appears from outside: the events on its channel, the turn in which it ends, and the
 * response.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { words } from '../../engine/test/support/random.js';
import { alike, attempt, frameworks, quiet, same } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- tools use members that the types do not declare */
type Any = any;
type Web = typeof frameworks.ristretto5;
const nothing = (): void => undefined;

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

/** Returns what is published on the channel of router 2 while an application serves a request, in order. */
async function traced(app: web.Application, request: Ask): Promise<unknown[]> {
  const observed: unknown[] = [];
  const channel = tracingChannel('express.router.request');
  const handlers = Object.fromEntries(
    EVENTS.map(event => [
      event,
      (message: Any) => {
        const { req, res, layer, handler, route, ...rest } = message;
        observed.push([
          event,
          layer.name,
          handler.name,
          String(route),
          req.url,
          res.req === req,
          layer.handle === handler,
        ]);
        observed.push(...Object.entries(rest).map(([name, value]) => `${name}: ${String(value)}`));
      },
    ]),
  );
  channel.subscribe(handlers as never);
  try {
    observed.push((await ask(quiet(app), request)).status);
  } finally {
    channel.unsubscribe(handlers as never);
  }
  return observed;
}

describe('router', () => {
  test('express.router.request: publishes calls of middleware, routers, handlers, error handlers and callbacks', async () => {
    const build = (web: Web) => {
      const app = web();
      const inner = web.Router();
      app.use(function first(_req, _res, next) {
        next();
      });
      app.param('id', function callback(_req: Any, _res: Any, next: Any, id: string) {
        if (id === 'bad') next(new Error('bad id'));
        else if (id === 'throw') throw new Error('thrown');
        else if (id === 'reject') return Promise.reject(new Error('rejected'));
        else next();
        return undefined as never;
      } as never);
      inner.get(
        '/:id',
        function one(_req: Any, _res: Any, next: Any) {
          next();
        } as never,
        async function two(req: Any, res: Any, next: Any) {
          await Promise.resolve();
          if (req.params.id === 'async') throw new Error('async');
          if (req.params.id === 'route') next('route');
          else if (req.params.id === 'router') next('router');
          else res.send('sent');
        } as never,
      );
      inner.use(function sync() {
        throw new Error('sync');
      });
      app.use('/m', inner);
      app.use('/m/:x', function mounted(_req: Any, _res: Any, next: Any) {
        next();
      } as never);
      app.use(function onError(error: Error, _req: Any, res: Any, next: Any) {
        if (error.message === 'sync') res.status(500).send('handled');
        else next(error);
      } as never);
      app.use(async function later(error: Error, _req: Any, _res: Any, _next: Any) {
        await Promise.reject(error);
      } as never);
      return app;
    };
    const paths = words('/ /m/1 /m/async /m/route /m/router /m/bad /m/throw /m/reject /m/%zz');
    const requests = [...paths.map(path => ({ path })), { path: '/m/1', method: 'OPTIONS' }];
    for (const request of requests) {
      const ours = await traced(build(frameworks.ristretto5), request);
      assert.deepEqual(ours, await traced(build(frameworks.express5), request), JSON.stringify(request));
    }
  });

  test('out: is called synchronously if the last layer does not match, and asynchronously at the end of the stack', async () => {
    const cases: ((router: Any) => void)[] = [
      nothing,
      router => router.use('/other', nothing),
      router => router.use((_req: Any, _res: Any, next: Any) => next()),
      router => router.use((_req: Any, _res: Any, next: Any) => next('router')),
      router => router.use((_req: Any, _res: Any, next: Any) => next(new Error('x'))),
      router => router.get('/', (_req: Any, _res: Any, next: Any) => next('route')),
      router => router.post('/', nothing),
      router => router.use((_req: Any, _res: Any, next: Any) => next()).use('/other', nothing),
    ];
    for (const build of cases) {
      for (const method of ['GET', 'OPTIONS', 'HEAD']) {
        const orders: unknown[] = [];
        for (const web of Object.values(frameworks)) {
          const router = web.Router() as Any;
          build(router);
          const order: unknown[] = [];
          const res = { setHeader: nothing, end: () => order.push('end') };
          await new Promise<void>(resolve => {
            router({ url: '/', method }, res, (error: unknown) => order.push('out', String(error)));
            order.push('sync');
            setImmediate(() => setImmediate(resolve));
          });
          orders.push(order);
        }
        assert.deepEqual(orders[0], orders[1], `${build.toString()} ${method}`);
      }
    }
  });

  test('paths: match one trailing slash, also of the root, with the index over many routes', async () => {
    for (const path of ['/', '//', '///', '/r7/', '/r7//', '/m', '/m/', '/m//']) {
      await same(web => {
        const app = web();
        const router = web.Router();
        for (let i = 0; i < 20; i++) {
          app.get(`/r${String(i)}`, (_req, res) => void res.send(String(i)));
          router.get(`/r${String(i)}`, (_req, res) => void res.send(String(i)));
        }
        app.get('/', (_req, res) => void res.send('root'));
        router.get('/', (_req, res) => void res.send('mounted'));
        app.use('/m', router);
        return app;
      }, path);
    }
  });

  test('OPTIONS: passes on if a route has no method, and does not respond through res.send', async () => {
    await same(
      web => {
        const app = web();
        app.use((_req, res, next) => {
          res.send = () => assert.fail('res.send was called');
          next();
        });
        app.route('/x').get(nothing).head(nothing).put(nothing);
        return app;
      },
      { method: 'OPTIONS', path: '/x' },
    );
    await same(web => web().get('/y', nothing) as web.Application, { method: 'OPTIONS', path: '/x' });
    await same(
      web => {
        const app = web();
        app.route('/x').options((_req, _res, next) => {
          next();
        });
        return app.get('/x', nothing) as web.Application;
      },
      { method: 'OPTIONS', path: '/x' },
    );
    await same(
      web => {
        const app = web();
        app.get('/x', nothing);
        app.use('/x', web.Router().post('/', nothing) as never);
        return app.use((_req: Any, _res: Any, next: Any) => next(new Error('x'))) as never;
      },
      { method: 'OPTIONS', path: '/x' },
    );
  });

  test('Route: lists its methods', () => {
    alike(web => {
      const route = new web.Route('/x') as Any;
      route.get(nothing).post([nothing, [nothing]]);
      const all = (new web.Route('/y') as Any).all(nothing);
      return [
        Object.keys(Object.getPrototypeOf(route)),
        [route._methods(), all._methods(), route.methods, all.methods],
        ['get', 'HEAD', 'put', 'POST'].map(method => [
          route._handlesMethod(method),
          all._handlesMethod(method),
        ]),
        route.stack.map((layer: Any) => [layer.method, layer.name, Object.keys(layer)]),
      ];
    });
    for (const call of [
      (route: Any) => route.dispatch({ method: 'GET' }, {}, nothing),
      (route: Any) => route.all(),
      (route: Any) => route.get('x'),
    ])
      alike(web => attempt(() => call(new web.Route('/x'))));
  });

  test('Router: has the values of its options as own properties, in order', () => {
    alike(web => [
      Object.entries(web.Router()),
      Object.entries(web.Router({ strict: true, mergeParams: true, caseSensitive: true })),
      Object.entries(web.Router({ strict: 1, x: 2 } as never)),
      attempt(() => typeof web.Router(null as never)),
    ]);
  });
});
