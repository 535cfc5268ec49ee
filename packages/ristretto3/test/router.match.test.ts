/** Finding a router's route for a method and a URL, without handling a request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks, ours, same } from './support/oracle.js';
import type { Build, Web } from './support/oracle.js';

type Router = InstanceType<Web['Router']>;
type MatchedRequest = Parameters<Router['matchRequest']>[0];

const pass = (): void => undefined;

function routerOf(web: Web): Router {
  const router = new web.Router();
  router.get('/user/:id', pass);
  router.get('/user/:id/*', pass);
  router.get('/user/12', pass);
  router.post('/user/:id', pass);
  router.all('/x', pass);
  router.head('/h', pass);
  router.get('/h', pass);
  return router;
}

/** Asserts that both frameworks find the same; returns what ours finds. */
function found(look: (router: Router) => unknown): unknown {
  const [mine, theirs] = Object.values(frameworks).map(web => look(routerOf(web)));
  assert.deepEqual(mine, theirs);
  return mine;
}

const shown = (entry: ReturnType<Router['match']>): unknown =>
  entry && [entry.method, entry.path, Object.entries(entry.params!)];

describe('router.match', () => {
  test('route: is the first one for the method and path, with its params', () => {
    for (const [method, url] of [
      ['get', '/user/12'],
      ['GET', '/user/12?a=b'],
      ['get', '/USER/a%20b/'],
      ['get', 'http://host/user/12'],
      ['get', '/user/1/2/3'],
      ['post', '/user/12'],
      ['put', '/x'],
      ['options', '/x'],
    ] as const) {
      assert.ok(
        found(router => shown(router.match(method, url))),
        url,
      );
    }
    assert.deepEqual(
      found(router => shown(router.match('get', '/user/7'))),
      ['get', '/user/:id', [['id', '7']]],
    );
    const router = routerOf(frameworks.ristretto3);
    assert.equal(router.match('get', '/user/7'), router.map.get![0]);
  });

  test('route: is undefined if none matches', () => {
    for (const [method, url] of [
      ['get', '/nope'],
      ['put', '/user/1'],
      ['nope', '/x'],
      ['get', ''],
      ['get', '//user/12'],
    ] as const) {
      assert.equal(
        found(router => router.match(method, url)),
        undefined,
      );
    }
    assert.equal(routerOf(frameworks.ristretto3).match('constructor', '/x'), undefined);
  });

  test('route: throws if a parameter cannot be decoded', () => {
    for (const web of Object.values(frameworks)) {
      assert.throws(() => routerOf(web).match('get', '/user/%zz'), /Failed to decode param '%zz'/);
    }
  });

  test('position: routes before it are skipped', () => {
    const found12 = (from: number) => found(router => shown(router.match('get', '/user/12', from)));
    assert.deepEqual(found12(0), ['get', '/user/:id', [['id', '12']]]);
    assert.deepEqual(found12(1), ['get', '/user/12', []]);
    assert.equal(found12(3), undefined);
  });

  test('HEAD: uses its own routes, then those for GET unless excluded', () => {
    const head = (url: string, from?: number, exact?: boolean) =>
      found(router => shown(router.match('head', url, from, exact)));
    assert.deepEqual(head('/h'), ['head', '/h', []]);
    assert.deepEqual(head('/user/12'), ['get', '/user/:id', [['id', '12']]]);
    assert.deepEqual(head('/user/12', 1), ['get', '/user/12', []]);
    assert.equal(head('/user/12', 0, true), undefined);
    assert.deepEqual(head('/h', 1, true), ['head', '/h', []]);
    assert.equal(head('/h', 2, true), undefined);
  });

  test('options and edits: honours caseSensitive, and uses a replaced regexp', () => {
    for (const web of Object.values(frameworks)) {
      const router = new web.Router({ caseSensitive: true });
      router.get('/A', pass);
      assert.deepEqual([router.match('get', '/a'), router.match('get', '/A')?.path], [undefined, '/A']);
      router.map.get![0]!.regexp = /^\/b$/;
      assert.equal(router.match('get', '/b')?.path, '/A');
    }
  });
});

describe('router.matchRequest', () => {
  test('route: is the one for method and URL of the request, with its position in _route_index', () => {
    const look = (request: MatchedRequest, ...rest: [number?, boolean?]) =>
      found(router => [shown(router.matchRequest(request, ...rest)), request._route_index]);
    assert.deepEqual(look({ method: 'GET', url: '/user/12' }), [['get', '/user/:id', [['id', '12']]], 0]);
    assert.deepEqual(look({ method: 'GET', url: '/user/12' }, 1), [['get', '/user/12', []], 2]);
    assert.deepEqual(look({ method: 'HEAD', url: '/user/12' }), [['get', '/user/:id', [['id', '12']]], 0]);
    assert.deepEqual(look({ method: 'HEAD', url: '/user/12' }, 0, true), [undefined, undefined]);
    assert.deepEqual(look({ method: 'POST', url: '/nope' }), [undefined, undefined]);
  });

  test('route: a handler can look up other routes of its request', async () => {
    const build: Build = web => {
      const app = web();
      app.get('/:any', (req, res) => {
        const { _router } = app as unknown as { _router: Router };
        res.send(String(_router.matchRequest(req, 1)?.path));
      });
      return app.get('/x', pass);
    };
    assert.equal((await same(build, '/x')).text, '/x');
    assert.equal((await ours(build, '/y')).text, 'undefined');
  });
});
