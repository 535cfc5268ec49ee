/** `app.METHOD`, `app.all`, `app.del` and `app.route`, and the same members of routers. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { sameNotices } from '../support/compare.js';
import { ask } from '../support/http.js';
import type { Ask } from '../support/http.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, markError, sameTraces } from '../support/routing.js';

const askable = METHODS.filter(method => !['CONNECT', 'QUERY'].includes(method));

/** Asserts that an application, and a router in one, respond as in Express. */
async function onBoth(
  requests: (Ask | string)[],
  build: (router: Router, framework: Web) => unknown,
): Promise<void> {
  await sameTraces(requests, (app, framework) => void build(app, framework));
  await sameTraces(requests, (app, framework) => {
    const router = framework.Router();
    build(router, framework);
    app.use(router);
  });
}

/** An application and a router, typed as routers. */
const both = (): Router[] => [web() as unknown as Router, web.Router() as unknown as Router];

/** `app.get`, `app.post` and all other methods. */
describe('app.METHOD', () => {
  for (const method of askable) {
    const name = method.toLowerCase() as 'get';
    test(`${name}: handles ${method} and no other method`, async () => {
      for (const router of both()) {
        assert.equal(
          router[name]('/x', (_req, res) => void res.send('it')),
          router,
        );
        const app = web().use(router as never);
        assert.equal((await ask(app, { method, path: '/x' })).status, 200);
        const other = method === 'PUT' ? 'POST' : 'PUT';
        assert.equal((await ask(app, { method: other, path: '/x' })).status, 404);
      }
    });
  }
  test('every method: in http.METHODS has a function', () => {
    const app = web() as unknown as Record<string, unknown>;
    for (const method of METHODS) assert.equal(typeof app[method.toLowerCase()], 'function', method);
  });
  test('HEAD: is handled by get, without a body in the response', () =>
    onBoth(
      [
        { method: 'HEAD', path: '/x' },
        { method: 'HEAD', path: '/y' },
      ],
      app => app.get('/x', mark('1'), answer),
    ));
  test('HEAD: is handled by head if it was registered first', () =>
    onBoth(['/x', { method: 'HEAD', path: '/x' }, { method: 'HEAD', path: '/y' }], app => {
      app.head('/x', (_req, res) => void res.set('X-By', 'head').end());
      app.get('/x', (_req, res) => void res.set('X-By', 'get').send('x'));
      app.get('/y', (_req, res) => void res.set('X-By', 'get').send('x'));
      app.head('/y', (_req, res) => void res.set('X-By', 'head').end());
    }));
  test('HEAD: runs the whole chain of GET handlers (skips no guard)', async () => {
    const app = web();
    const seen: string[] = [];
    app.get(/./, (_req, _res, next) => {
      seen.push('guard');
      next();
    });
    app.get('/x', (_req, res) => void res.send('x'));
    await ask(app, { method: 'HEAD', path: '/x' });
    assert.deepEqual(seen, ['guard']);
  });
  test('HEAD: enters a route of another method and runs its param callbacks', () =>
    onBoth([{ method: 'HEAD', path: '/x' }], app => {
      app.param('id', (_req, res, next) => {
        res.set('X-Param', 'ran');
        next();
      });
      app.post('/:id', answer);
    }));
  test('OPTIONS: lists the methods of all matching routes when none handles it', () =>
    onBoth(
      ['/x', '/h', '/all', '/none/here', '*'].map(path => ({ method: 'OPTIONS', path })),
      app => {
        app.get('/x', answer);
        app.post('/x', answer).put('/x', answer).get('/:any', answer);
        app.head('/h', answer);
        app.all('/all', answer);
        app.use('/x', mark('m'));
      },
    ));
  test('OPTIONS: includes the methods of nested routers; explicit handlers run first, errors win', () =>
    onBoth(
      ['/a/x', '/own', '/bad', '/a/y'].map(path => ({ method: 'OPTIONS', path })),
      (app, framework) => {
        const router = framework.Router();
        router.patch('/x', answer);
        app.get('/a/x', answer);
        app.use('/a', router);
        app.options('/own', answer);
        app.get('/bad', answer);
        app.use('/bad', mark('fails', new Error('no')));
      },
    ));
  test('OPTIONS: a list that cannot be sent causes an error', () =>
    onBoth([{ method: 'OPTIONS', path: '/x' }], router => {
      router.use((_req, res, next) => {
        const { send } = res;
        res.send = () => {
          res.send = send;
          throw new Error('not sent');
        };
        next();
      });
      router.get('/x', answer);
    }));
  test('next(error): skips to error handlers, inside the route and after it', () =>
    onBoth(['/x', '/y', '/z'], app => {
      app.get('/x', mark('1', new Error('no')), mark('never'), markError('in route'));
      app.get('/x', mark('never'));
      app.use(markError('behind'));
      app.get(
        '/y',
        mark('1', 'text'),
        markError('heals', () => undefined),
        mark('on'),
        answer,
      );
      app.get(
        '/z',
        mark('1', 'text'),
        markError('to the next route', () => 'route'),
        mark('never'),
      );
      app.get('/z', answer);
    }));
  test('throwing: is equivalent to next(error)', () =>
    onBoth(['/x', '/y', '/z'], app => {
      app.get('/x', () => {
        throw new Error('thrown');
      });
      app.use('/y', () => {
        throw 'text';
      });
      app.get('/z', mark('1', new Error('no')), (() => {
        throw new Error('in handler');
      }) as never);
    }));
  test('no handler: passes the request on when a route has no handlers', () =>
    onBoth(['/x', { method: 'POST', path: '/x' }], app => app.post('/x', []).get('/x', [] as never)));
  test('get: with one argument reads a setting', () => {
    assert.equal(web().set('title', 'x').get('title'), 'x');
  });
  test('bad callback: throws an error that names what was passed', () => {
    const message = 'Route.get() requires a callback function but got a [object Number]';
    for (const router of both()) {
      assert.throws(() => router.get('/x', 1 as never), { name: 'Error', message });
      assert.throws(
        () => router.post('/x', () => undefined, undefined as never),
        /Route\.post\(\) .* \[object Undefined\]/,
      );
    }
  });
  test('bad path: throws at registration', () => {
    assert.throws(() => web().get(1 as never, () => undefined), TypeError);
    assert.throws(() => web().get('/(', () => undefined), SyntaxError);
    assert.throws(() => web().post(undefined as never), TypeError);
    for (const router of both())
      assert.throws(() => (router as unknown as { get: () => void }).get(), TypeError);
  });
});

const requests = ['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND', 'OPTIONS'].flatMap(method =>
  ['/x', '/x/y', '/admin/a'].map(path => ({ method, path })),
);

describe('app.all', () => {
  test('method: matches every method', () => onBoth(requests, app => app.all('/x', mark('all'), answer)));
  test('path: accepts patterns, for logic shared by a prefix', () =>
    onBoth(requests, app =>
      app.all('/admin/*', mark('guard')).all('*', mark('every')).get('/admin/:page', answer),
    ));
  test('returned value: is the application', () => {
    for (const router of both())
      assert.equal(
        router.all('/x', () => undefined),
        router,
      );
  });
  test('bad callback: throws an error that names what was passed', () => {
    const message = 'Route.all() requires a callback function but got a [object Object]';
    assert.throws(() => web.Router().all('/x', {} as never), { name: 'TypeError', message });
    assert.throws(
      () => web().all('/x', {} as never),
      /requires a callback function but got a \[object Object\]/,
    );
  });
});

/** `router.get`, `router.post` and the others: the tests of `app.METHOD` and `app.all` use routers, too. */
describe('router.METHOD', () => {
  test('no callback: creates a route without handlers', () =>
    sameTraces(['/x', { method: 'OPTIONS', path: '/x' }], (app, framework) =>
      app.use(framework.Router().get('/x')),
    ));
});

type WithDel = Record<'del', (path: string, ...handlers: unknown[]) => unknown>;

describe('app.del', () => {
  test('delete: routes DELETE and emits a deprecation warning', async () => {
    const notices = await sameNotices(
      framework => {
        const app = framework();
        (app as unknown as WithDel).del(
          '/x',
          (_req: unknown, res: { send(text: string): void }) => void res.send('deleted'),
        );
        return app;
      },
      { method: 'DELETE', path: '/x' },
    );
    assert.deepEqual(notices, ['app.del: Use app.delete instead']);
  });
  test('returned value: is the application', () => {
    const quiet = (): void => undefined;
    process.on('deprecation' as never, quiet as never);
    const app = web();
    assert.equal(
      (app as unknown as WithDel).del('/y', () => undefined),
      app,
    );
    process.off('deprecation', quiet);
  });
});

const routeRequests = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'].map(method => ({ method, path: '/x' }));

/** `app.route` and `router.route`: one path with handlers for its methods. */
for (const member of ['app.route', 'router.route'] as const) {
  const routed = (requests: (Ask | string)[], build: (router: Router) => void) =>
    sameTraces(requests, (app, framework) => {
      if (member === 'app.route') {
        build(app);
      } else {
        const router = framework.Router();
        build(router);
        app.use(router);
      }
    });

  describe(member, () => {
    test('methods: each runs its own handlers, and all runs for every method', () =>
      routed(routeRequests, router => {
        router
          .route('/x')
          .all(mark('all 1'))
          .get(mark('get'), answer)
          .post(mark('post 1'), [mark('post 2')])
          .all(mark('all 2'))
          .put(answer);
      }));
    test('order: is determined by the route, not by its handlers', () =>
      routed(routeRequests, router => {
        const route = router.route('/x');
        router.use(mark('middleware'));
        route.get(mark('route'));
        router.get('/x', answer);
      }));
    test('all runs first: runs for every method if it was added first', async () => {
      const answers = await routed(routeRequests, router => {
        router.route('/x').all(mark('all')).get(mark('get'), answer).post(mark('post'), answer);
      });
      for (const [at, name] of [
        [0, 'get'],
        [1, 'post'],
      ] as const) {
        assert.match(answers[at]!.text, new RegExp(`^{"trace":\\["all [^"]*{}","${name} `));
      }
    });
    test('next(route): leaves the route; next(error) goes to its error handlers', () =>
      routed(routeRequests, router => {
        router
          .route('/x')
          .get(mark('1', 'route'), mark('never'))
          .post(
            mark('1', 'no'),
            mark('never'),
            markError('heals', () => undefined),
            answer,
          )
          .put(mark('1', 'no'));
        router.use(mark('behind'), markError('behind'));
      }));
    test('next(router): leaves the router', () =>
      routed(routeRequests, router => {
        router.route('/x').get(mark('1', 'router'), mark('never'));
        router.use(mark('never'));
      }));
    test('empty: passes the request on when the route has no handlers', () =>
      routed(routeRequests, router => void router.route('/x')));
    test('same path: runs both routes', () =>
      routed(routeRequests, router => {
        router.route('/x').get(mark('first'));
        router.route('/x').get(mark('second'), answer);
      }));
  });
}

describe('app.route', () => {
  test('route: has path, stack and methods', () => {
    const route = web()
      .route('/x')
      .get(() => undefined)
      .all(() => undefined) as unknown as {
      path: string;
      stack: { name: string; method?: string }[];
      methods: Record<string, boolean>;
    };
    assert.equal(route.path, '/x');
    assert.deepEqual({ ...route.methods }, { get: true, _all: true });
    assert.deepEqual(
      route.stack.map(layer => [layer.name, layer.method]),
      [
        ['<anonymous>', 'get'],
        ['<anonymous>', undefined],
      ],
    );
  });
  test('bad callback: throws an error that names what was passed', () => {
    const route = web().route('/x');
    assert.throws(() => route.get(1 as never), {
      name: 'Error',
      message: 'Route.get() requires a callback function but got a [object Number]',
    });
    assert.throws(() => route.all(null as never), {
      name: 'TypeError',
      message: 'Route.all() requires a callback function but got a [object Null]',
    });
  });
  test('bad path: throws a TypeError', () => {
    assert.throws(() => web().route(undefined as never), TypeError);
  });
  test('many handlers: thousands that call next synchronously do not overflow the call stack', async () => {
    const app = web();
    const route = app.route('/x');
    let count = 0;
    for (let i = 0; i < 20_000; i++) {
      route.get((_req, _res, next) => {
        count++;
        next();
      });
    }
    route.get((_req, res) => void res.send(String(count)));
    assert.equal((await ask(app, '/x')).text, '20000');
  });
});
