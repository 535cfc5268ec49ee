/** `web.Router`: creates routers; its options. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Router, RouterOptions } from 'express';
import { sameEach } from '../support/compare.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, sameTraces, tracing } from '../support/routing.js';

const paths = ['/foo', '/Foo', '/foo/', '/FOO/', '/foo/bar', '/Foo/Bar', '/foo/bar/', '/', ''];

/** Mounts a router with these options. */
const mounted = (options: RouterOptions | undefined, build: (router: Router) => unknown, mount = '/') =>
  tracing((app, web) => {
    const router = web.Router(options);
    build(router);
    app.use(mount, router);
  });

describe('web.Router', () => {
  for (const caseSensitive of [undefined, false, true]) {
    test(`caseSensitive: ${String(caseSensitive)} matches as in Express`, () =>
      sameEach(
        mounted({ caseSensitive }, router => {
          router.use('/Foo', mark('use'));
          router.get('/foo', mark('route'));
          router.all('/Foo/:name', mark('parameter'));
        }),
        paths.filter(path => path),
      ));
  }
  for (const strict of [undefined, false, true]) {
    test(`strict: ${String(strict)} matches as in Express`, () =>
      sameEach(
        mounted({ strict }, router => {
          router.use('/foo', mark('use'));
          router.use('/foo/', mark('use with slash'));
          router.get('/foo', mark('route'));
          router.get('/foo/', mark('route with slash'));
          router.get('/foo/:name', mark('parameter'));
          router.get('/foo/:name/', mark('parameter with slash'));
          router.get('/', mark('root'));
          router.get('*', mark('star'));
        }),
        paths.filter(path => path),
      ));
  }
  test('strict and caseSensitive: apply together', () =>
    sameEach(
      mounted({ strict: true, caseSensitive: true }, router => router.get('/Foo/', mark('route'))),
      paths.filter(path => path),
    ));

  const merging: Record<string, (router: Router) => unknown> = {
    'names of both': router => router.get('/:action', mark('route')),
    'a name in conflict: the child wins': router => router.get('/:user', mark('route')),
    'no own parameters': router => router.get('/edit', mark('route')),
    'an optional parameter that is not there': router => router.get('/edit/:user?', mark('route')),
    middleware: router => router.use(mark('use')).use('/:action', mark('use with parameter')),
    'a nested router without it': router =>
      router.use('/:inner', frameworks.express.Router().get('/', mark('not merged')) as never),
  };
  for (const mergeParams of [undefined, false, true]) {
    for (const [what, build] of Object.entries(merging)) {
      if (what.startsWith('a nested')) continue;
      test(`mergeParams: ${String(mergeParams)}, ${what}`, () =>
        sameEach(mounted({ mergeParams }, build, '/:user/:id'), [
          '/tobi/7/edit',
          '/tobi/7/',
          '/tobi/7/edit/',
        ]));
    }
  }
  const numbered: [string, string | RegExp, string | RegExp][] = [
    ['stars in both', '/*/x', '/*'],
    ['two in the parent, one in the child', /^\/(\w)\/(\w)/, /^\/(\w+)$/],
    ['one in the parent, two in the child', /^\/(\w+)/, /^\/(\w+)\/(\w+)$/],
    ['names in the parent, numbers in the child', '/:a/:b', /^\/(\w+)$/],
    ['numbers in the parent, names in the child', /^\/(\w)\/(\w)/, '/:a'],
    ['both in both', '/:a/*/x', '/:b/*'],
    ['groups that took no part', /^\/(y)?(\w)?/, /^\/(z)?(\w+)?$/],
  ];
  for (const [what, mount, path] of numbered) {
    test(`mergeParams: numbered, ${what}`, () =>
      sameTraces(['/a/b/x/c', '/a/b/c', '/a/b/x/c/d', '/a/b', '/y/z', '/a'], (app, web) => {
        const router = web.Router({ mergeParams: true });
        router.get(path, mark('route'));
        router.use(mark('use'));
        app.use(mount, router);
      }));
  }
  test('mergeParams: works through three levels', () =>
    sameTraces(['/1/2/3/x/4/5', '/1/2/3/4/x/5/6'], (app, web) => {
      const inner = web.Router({ mergeParams: true });
      inner.get('/:c/*', mark('route'));
      const middle = web.Router({ mergeParams: true });
      middle.use('/:b/*/x', inner);
      app.use('/:a', middle);
    }));
  test('mergeParams: accepts params that a tool has replaced', () =>
    sameTraces(['/tobi'], (app, web) => {
      for (const params of [undefined, null, 'text', 7, { own: 1 }, ['first']]) {
        app.use((req, _res, next) => {
          req.params = params as never;
          const router = web.Router({ mergeParams: true });
          router.use('/:x', mark(`router ${JSON.stringify(params)}`));
          router.use(/^\/(.*)/, mark('numbered'));
          router(req, _res, next);
        });
      }
    }));
  test('mergeParams: may be assigned after the router was created', () =>
    sameTraces(['/tobi'], (app, web) => {
      const router = web.Router() as Router & { mergeParams: boolean };
      router.mergeParams = true;
      router.use(mark('use'));
      app.use('/:user', router);
    }));

  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`options: are properties of the router (${framework})`, () => {
      const router = web.Router({
        caseSensitive: true,
        mergeParams: true,
        strict: true,
      }) as unknown as Record<string, unknown>;
      assert.deepEqual([router.caseSensitive, router.mergeParams, router.strict], [true, true, true]);
      const plain = web.Router() as unknown as Record<string, unknown>;
      assert.deepEqual(
        [plain.caseSensitive, plain.mergeParams, plain.strict],
        [undefined, undefined, undefined],
      );
    });
    test(`options: caseSensitive and strict may be assigned for later registrations (${framework})`, () => {
      const router = web.Router() as Router & { caseSensitive: boolean };
      router.get('/Foo', answer);
      router.caseSensitive = true;
      router.get('/Foo', answer);
      const stack = router.stack as unknown as { regexp: RegExp }[];
      assert.deepEqual(
        stack.map(({ regexp }) => regexp.flags),
        ['i', ''],
      );
    });
    test(`options: null counts as none (${framework})`, () => {
      assert.equal(typeof web.Router(null as never), 'function');
    });
    test(`router: is a function named router with three parameters (${framework})`, () => {
      const router = web.Router();
      assert.equal(router.name, 'router');
      assert.equal(router.length, 3);
    });
    test(`prototype: is web.Router itself, and Router.prototype.route does not exist (${framework})`, () => {
      const Router = web.Router as unknown as {
        prototype?: { route?: unknown };
        route: unknown;
        param: unknown;
      };
      assert.equal(Object.getPrototypeOf(web.Router()), Router);
      assert.equal(Router.prototype?.route, undefined);
      assert.equal(typeof Router.route, 'function');
      assert.equal(typeof Router.param, 'function');
    });
    test(`prototype: members added or replaced there apply to every router (${framework})`, () => {
      const Router = web.Router as unknown as Record<string, unknown>;
      const { use } = Router;
      const router = web.Router() as unknown as Record<string, (...args: unknown[]) => unknown>;
      Router.shout = () => 'loud';
      Router.use = () => 'replaced';
      try {
        assert.deepEqual([router.shout!(), router.use!()], ['loud', 'replaced']);
      } finally {
        delete Router.shout;
        Router.use = use;
      }
    });
  }
});
