/** `app.route` and `router.route`: one path with handlers for its methods. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { sameEach } from '../support/compare.js';
import { answer, mark, markError, tracing } from '../support/routing.js';

const requests = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'].map(method => ({ method, path: '/x' }));

for (const member of ['app.route', 'router.route'] as const) {
  const routing = (build: (router: Router) => void) =>
    tracing((app, framework) => {
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
      sameEach(
        routing(router => {
          router
            .route('/x')
            .all(mark('all 1'))
            .get(mark('get'), answer)
            .post(mark('post 1'), [mark('post 2')])
            .all(mark('all 2'))
            .put(answer);
        }),
        requests,
      ));
    test('order: is determined by the route, not by its handlers', () =>
      sameEach(
        routing(router => {
          const route = router.route('/x');
          router.use(mark('middleware'));
          route.get(mark('route'));
          router.get('/x', answer);
        }),
        requests,
      ));
    test('all runs first: runs for every method if it was added first', async () => {
      const answers = await sameEach(
        routing(router => {
          router.route('/x').all(mark('all')).get(mark('get'), answer).post(mark('post'), answer);
        }),
        requests,
      );
      for (const [at, name] of [
        [0, 'get'],
        [1, 'post'],
      ] as const) {
        assert.match(answers[at]!.text, new RegExp(`^{"trace":\\["all [^"]*{}","${name} `));
      }
    });
    test('next(route): leaves the route; next(error) goes to its error handlers', () =>
      sameEach(
        routing(router => {
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
        }),
        requests,
      ));
    test('next(router): leaves the router', () =>
      sameEach(
        routing(router => {
          router.route('/x').get(mark('1', 'router'), mark('never'));
          router.use(mark('never'));
        }),
        requests,
      ));
    test('empty: passes the request on when the route has no handlers', () =>
      sameEach(
        routing(router => void router.route('/x')),
        requests,
      ));
    test('same path: runs both routes', () =>
      sameEach(
        routing(router => {
          router.route('/x').get(mark('first'));
          router.route('/x').get(mark('second'), answer);
        }),
        requests,
      ));
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
