/** What belongs to a request: `req.app` (and `res.app`), `res`, `next`, `route`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import web from 'ristretto';
import { ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { mark, markError, sameTraces } from '../../support/routing.js';

type AppOf = (req: Request, res: Response) => unknown;
const members: Record<string, AppOf> = { 'req.app': req => req.app, 'res.app': (_req, res) => res.app };

/** `req.app` and `res.app`: the application that handles the request. */
for (const [member, appOf] of Object.entries(members)) {
  describe(member, () => {
    for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
      test(`middleware and handlers: read the application itself (${framework})`, async () => {
        const app = web();
        app.use((req, res, next) => {
          assert.equal(appOf(req, res), app);
          next();
        });
        app.get('/', (req, res) => void res.json(appOf(req, res) === app));
        assert.equal((await ask(app)).text, 'true');
      });
      test(`sub-application: is the inner application inside, and the outer application before and after (${framework})`, async () => {
        const app = web();
        const sub = web();
        const seen: unknown[] = [];
        sub.use((req, res, next) => {
          seen.push(appOf(req, res) === sub);
          next();
        });
        app.use((req, res, next) => {
          seen.push(appOf(req, res) === app);
          next();
        });
        app.use(sub);
        app.use((req, res) => void res.json([...seen, appOf(req, res) === app]));
        assert.equal((await ask(app)).text, '[true,true,true]');
      });
      test(`error from a sub-application: outer error handlers see the outer application (${framework})`, async () => {
        const app = web();
        app.use(web().use((_req, _res, next) => next('bad')));
        app.use(((_err, req, res, _next) => void res.json(appOf(req, res) === app)) as ErrorRequestHandler);
        assert.equal((await ask(app)).text, 'true');
      });
      test(`after a while: remains the sub-application while the request is in it (${framework})`, async () => {
        const app = web();
        const sub = web();
        sub.get('/', (req, res) => void setImmediate(() => res.json(appOf(req, res) === sub)));
        app.use(sub);
        assert.equal((await ask(app)).text, 'true');
      });
      test(`locals, settings: are available through it (${framework})`, async () => {
        const app = web().set('title', 'My site');
        app.locals.count = 1;
        app.get('/', (req, res) => {
          const same = appOf(req, res) as typeof app;
          res.json([same.get('title'), same.locals.count]);
        });
        assert.equal((await ask(app)).text, '["My site",1]');
      });
    }
  });
}

describe('prototypes', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`prototype: has app as an enumerable property (${framework})`, () => {
      const [app, other] = [web(), web()] as unknown as Record<'request' | 'response', { app: unknown }>[];
      for (const name of ['request', 'response'] as const) {
        assert.equal(app![name].app, app);
        assert.notEqual(other![name].app, app);
        assert.ok(Object.keys(app![name]).includes('app'));
      }
      assert.deepEqual(Object.keys(app!.request), ['app']);
    });
  }
});

describe('req.res', () => {
  test('response: is the response that the handler gets', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res === res))));
  test('chain: leads back to the response', () =>
    same(web => web().get('/', (req, res) => void res.json(req.res!.req.res === res))));
  test('sub-application: has the same response', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(req.res === res ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('assigned: returns the new value', () =>
    same(web =>
      web().get('/', (req, res) => {
        const other = { json: 'other' } as never;
        req.res = other;
        res.json(req.res === other);
      }),
    ));
});

describe('req.next', () => {
  test('middleware: is the same function as next', () =>
    same(web => web().use((req, res, next) => void res.json(req.next === next))));
  test('route: is the next function of the router, which skips the other handlers', () =>
    sameTraces(['/x'], app => {
      app.get('/x', (req, _res, _next) => req.next!(), mark('never'));
      app.use(mark('on'));
    }));
  test('error: reaches the error handlers', () =>
    sameTraces(['/x'], app => {
      app.use('/x', req => req.next!(new Error('passed')));
      app.use(markError('seen'));
    }));
  test('mounted router: has its own next, and the outer one is restored afterwards', async () => {
    for (const web of Object.values(frameworks)) {
      const seen: boolean[] = [];
      const app = web();
      const router = web.Router().use((req, _res, next) => {
        seen.push(req.next === next);
        next();
      });
      app.use(router, (req, res, next) => void res.json([...seen, req.next === next]));
      assert.equal((await ask(app)).text, '[true,true]');
    }
  });
  test('at the end: has its previous value again', async () => {
    const left = (web: (typeof frameworks)['express']): Promise<unknown> =>
      new Promise(resolve => {
        const req = { method: 'GET', url: '/', next: 'before' };
        (web.Router() as unknown as (req: unknown, res: unknown, out: () => void) => void)(req, {}, () =>
          resolve(req.next),
        );
      });
    assert.equal(await left(frameworks.ristretto), await left(frameworks.express));
  });
});

interface Route {
  path: unknown;
  methods: Record<string, boolean>;
  stack: {
    name: string;
    method?: string;
    handle: { name: string };
    keys: unknown[];
    regexp: RegExp;
    path?: string;
    params?: unknown;
  }[];
}

const routeOf = (req: { route?: unknown }): Route => req.route as Route;

const show: RequestHandler = function show(req, res) {
  const { path, methods, stack } = routeOf(req);
  res.json({
    path: String(path),
    methods,
    stack: stack.map(({ name, method, handle, keys, regexp, path: layerPath, params }) => ({
      name,
      method,
      handle: handle.name,
      keys,
      regexp: String(regexp),
      layerPath,
      params,
    })),
  });
};

describe('req.route', () => {
  test('fields: has path, stack and methods', () =>
    same(web => web().get('/users/:id', (_req, _res, next) => next(), show), '/users/7'));
  test('path: may be a regular expression or an array', async () => {
    await same(web => web().get(/^\/x/, show), '/x');
    await same(web => web().get(['/x', '/y'], show), '/y');
  });
  test('methods: lists the methods of the route, and _all if a handler is for all', () =>
    same(web => {
      const app = web();
      app.route('/x').get(show).post(show).all(show);
      return app;
    }, '/x'));
  test('methods: lists every method for app.all', () => same(web => web().all('/x', show), '/x'));
  test('JSON: serializes the whole route', () =>
    same(web => web().get('/x/:y', (req, res) => void res.json(req.route)), '/x/1'));
  test('before a route: is undefined', async () => {
    const answer = await same(web => web().use((req, res) => void res.json([typeof req.route])), '/');
    assert.equal(answer.text, '["undefined"]');
  });
  test('after a route: stays until another route matches', () =>
    same(web => {
      const seen: unknown[] = [];
      const note: RequestHandler = (req, _res, next) => {
        seen.push(routeOf(req).path);
        next();
      };
      return web()
        .get('/x', note)
        .use(note)
        .get('/:any', note)
        .post('/x', note)
        .use((_req, res) => void res.json(seen));
    }, '/x'));
  test('error handlers: see the route that failed', () =>
    same(web => {
      const app = web();
      app.get('/x', () => {
        throw new Error('no');
      });
      app.use(
        ((_err: unknown, req: { route: Route }, res: { json(v: unknown): void }, _next: unknown) =>
          void res.json(req.route.path)) as never,
      );
      return app;
    }, '/x'));
  test('param callbacks: see the route', () =>
    same(
      web =>
        web()
          .param('id', (req, _res, next) => {
            assert.equal(routeOf(req).path, '/:id');
            next();
          })
          .get('/:id', (_req, res) => void res.send('x')),
      '/7',
    ));
  test('mounted router: sets its own route, which stays afterwards', () =>
    same(web => {
      const router = web.Router();
      router.get('/y', (_req, _res, next) => next());
      return web()
        .use('/x', router)
        .use((req, res) => void res.json(routeOf(req).path));
    }, '/x/y'));
  test('HEAD: enters a route of another method, which becomes req.route', () =>
    same(
      web =>
        web()
          .post('/x', () => undefined)
          .use((req, res) => void res.set('X-Route', String(routeOf(req).path)).end()),
      { method: 'HEAD', path: '/x' },
    ));
});

/** A value that middleware has put in its place, such as the record of a tenant. */
describe('req.app replaced', () => {
  test('a sub-application that does not respond: returns to the outer one, in which the value stays (in Express, the process ends)', async () => {
    for (const value of [{ name: 'tenant' }, 5, null, undefined]) {
      const app = web().set('env', 'test');
      const sub = web().use((_req, _res, next) => void setImmediate(next));
      app.use((req, _res, next) => {
        req.app = value as never;
        next();
      });
      app.use(sub).use((req, res) => {
        assert.equal(Object.getPrototypeOf(req), app.request);
        res.end(JSON.stringify([req.app]));
      });
      assert.equal((await ask(app)).text, JSON.stringify([value]));
    }
  });
});
