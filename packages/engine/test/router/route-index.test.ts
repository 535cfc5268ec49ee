/** The index of a stack gives the same result as a plain walk and stays within its size limit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Layer = require('ristretto/lib/router/layer');
import { RouteIndex } from '@ristretto/private-engine/lib/router/route-index';
import { RouterState, giveState } from '@ristretto/private-engine/lib/router/router-state';
import { version } from 'ristretto/lib/version';
import { exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import { Random } from '../support/random.js';

const indexOver = (stack: readonly Layer[]): RouteIndex => RouteIndex.over(stack, version.router.layers);

type Stack = InstanceType<typeof Layer>[];
const noop = (): void => undefined;
const route = (path: unknown) => new Layer(path, { end: true }, noop);
const mount = (path: unknown) => new Layer(path, { end: false }, noop);

const words = [
  'a',
  'b',
  'users',
  'Users',
  'me',
  ':id',
  ':id',
  ':name?',
  '*',
  'x.y',
  'é',
  ':a-:b',
  'a*',
  '',
  '%41',
  '(\\d+)',
];
const parts = ['a', 'b', 'users', 'USERS', 'me', '7', 'x.y', 'é', 'É', '', 'a-b', '%41', 'zz', 'A', 'ſ', 'K'];

function randomPath(random: Random, from: string[]): string {
  const path = random.many(0, 4, () => `/${random.pick(from)}`).join('');
  return random.chance(0.2) ? `${path}/` : path || '/';
}

function randomLayer(random: Random): InstanceType<typeof Layer> {
  const options = { end: random.chance(0.5), sensitive: random.chance(0.25), strict: random.chance(0.25) };
  const kind = random.between(0, 9);
  if (kind === 0) return new Layer([randomPath(random, words), randomPath(random, words)], options, noop);
  if (kind === 1) return new Layer(/^\/users/, options, noop);
  return new Layer(randomPath(random, words), options, noop);
}

const matches = (layer: InstanceType<typeof Layer>, path: string): boolean => {
  try {
    return layer.match(path);
  } catch {
    return true;
  }
};

describe('route index', () => {
  test('random stacks and paths: every matching layer is a candidate, in order', () => {
    let lookedUp = 0;
    let spared = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const stack: Stack = random.many(1, 60, () => randomLayer(random));
      const index = indexOver(stack);
      for (let i = 0; i < 60; i++) {
        const path = randomPath(random, parts);
        const candidates = index.lookup(path);
        if (candidates === undefined) continue;
        lookedUp++;
        assert.deepEqual(
          [...candidates],
          [...new Set(candidates)].sort((a, b) => a - b),
        );
        stack.forEach((layer, position) => {
          if (!candidates.includes(position)) {
            spared++;
            assert.equal(
              matches(layer, path),
              false,
              `seed ${String(seed)}: ${String(layer.regexp)} and ${path}`,
            );
          }
        });
      }
    }
    assert.ok(lookedUp > 1000 && spared > 1000);
  });
  test('random applications: respond as Express does', async () => {
    for (let seed = 100; seed < 106; seed++) {
      const ask = async (web: (typeof frameworks)['express']): Promise<string[]> => {
        const random = new Random(seed);
        const app = web().set('env', 'test');
        for (let i = 0; i < 40; i++) {
          const path = randomPath(random, words);
          app[random.chance(1 / 3) ? 'use' : 'get'](path, (req, res, proceed) => {
            res.append('X-Trace', `${String(i)} ${req.baseUrl} ${encodeURI(JSON.stringify(req.params))}`);
            proceed();
          });
        }
        const paths = Array.from({ length: 25 }, () =>
          randomPath(random, parts).replace(/[^\x21-\x7e]/g, encodeURIComponent),
        );
        const requests = paths.map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
        const bytes = await withServer(app, port =>
          exchangeRaw(port, requests + 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
        );
        return bytes.toString().match(/^(HTTP.*|X-Trace.*|<pre>.*)$/gm)!;
      };
      const [ours, theirs] = [await ask(frameworks.ristretto), await ask(frameworks.express)];
      const plain = (lines: string[]): string[] => lines.map(line => line.replace(/<br>.*/, ''));
      assert.deepEqual(plain(ours), plain(theirs), `seed ${String(seed)}`);
    }
  });
  test('example: the candidates for a path are the layers that its segments lead to', () => {
    const index = indexOver([
      mount('/'),
      route('/users/:id'),
      route('/users/me'),
      mount('/users'),
      route('/other'),
    ]);
    assert.deepEqual(index.lookup('/users/me'), [0, 1, 2, 3]);
    assert.deepEqual(index.lookup('/users/7'), [0, 1, 3]);
    assert.deepEqual(index.lookup('/users/7/'), [0, 1, 3]);
    assert.deepEqual(index.lookup('/users/7/x'), [0, 3]);
    assert.deepEqual(index.lookup('/users/'), [0, 3]);
    assert.deepEqual(index.lookup('/'), [0]);
    assert.deepEqual(index.lookup('/nothing/here'), [0]);
  });
  test('upper case: makes no difference in a path or pattern', () => {
    const index = indexOver([route('/Users/:id'), route('/users/me')]);
    assert.deepEqual(index.lookup('/USERS/ME'), index.lookup('/users/me'));
    assert.deepEqual(index.lookup('/Users/Me'), [0, 1]);
  });
  test('names with the same hash: are candidates for each other', () => {
    const index = indexOver([route('/ap/:id'), route('/c2/:id'), route('/x/:id')]);
    assert.deepEqual(index.lookup('/ap/1'), [0, 1]);
    assert.deepEqual(index.lookup('/c2/1'), [0, 1]);
    assert.deepEqual(index.lookup('/x/1'), [2]);
  });
  test('non-ASCII: is not looked up', () => {
    const index = indexOver([route('/é'), route('/k')]);
    assert.equal(index.lookup('/é'), undefined);
    assert.equal(index.lookup('/É'), undefined);
    // The Kelvin sign lower-cases to k
    assert.equal(index.lookup('/\u212a'), undefined);
  });
  test('no slash at the start: is not looked up', () => {
    const index = indexOver([route('*')]);
    for (const path of ['', '*', 'a/b', 'x']) assert.equal(index.lookup(path), undefined);
  });
  test('empty segments: match no parameter', () => {
    const index = indexOver([route('/:a/:b'), route('/x'), mount('/:a')]);
    assert.deepEqual(index.lookup('//x'), []);
    assert.deepEqual(index.lookup('/y/x'), [0, 2]);
  });
  test('size: past its limit new paths are not looked up, but known ones still are', () => {
    const stack: Stack = [];
    for (let i = 0; i < 1200; i++) stack.push(mount(`/:a/${String(i)}/:c/x`), mount('/'));
    const index = indexOver(stack);
    assert.ok(index.lookup('/y/0'));
    let refused: number | undefined;
    for (let i = 1; i < 1200 && refused === undefined; i++) {
      if (index.lookup(`/y/${String(i)}/z`) === undefined) refused = i;
    }
    assert.ok(refused !== undefined && refused > 100, String(refused));
    assert.ok(index.lookup('/y/0'));
  });
  test('size: paths of requests add no states', () => {
    const index = indexOver([route('/users/:id'), route('/users/:id/posts/:post'), mount('/api')]);
    for (let i = 0; i < 1000; i++) assert.deepEqual(index.lookup(`/users/${String(i)}`), [0]);
    const { root } = index as unknown as {
      root: { named: Map<number, { named: Map<number, unknown> } | null> };
    };
    assert.equal(root.named.size, 2);
    const [users] = root.named.values();
    assert.equal(users!.named.size, 0);
    for (let i = 0; i < 1000; i++) index.lookup(`/strange${String(i)}/path`);
    assert.equal(root.named.size, 2);
  });
  test('size: repeated paths with empty segments do not exhaust the limit', () => {
    const stack: Stack = [];
    for (let i = 0; i < 1000; i++) stack.push(mount('/'));
    stack.push(route('/a/b'));
    const index = indexOver(stack);
    for (let i = 0; i < 1000; i++) index.lookup('//x');
    assert.equal(index.lookup('/a/b')?.length, 1001);
  });
  test('names of Object.prototype: are ordinary segments', () => {
    const index = indexOver([route('/constructor'), route('/__proto__/x')]);
    assert.deepEqual(index.lookup('/constructor'), [0]);
    assert.deepEqual(index.lookup('/__proto__/x'), [1]);
    assert.deepEqual(index.lookup('/toString'), []);
  });
});

describe('router state', () => {
  const stateOf = (count: number): RouterState => {
    const state = new RouterState(version.router);
    for (let i = 0; i < count; i++) state.push(route(`/${String(i)}`));
    return state;
  };
  test('small stacks: have no index', () => {
    assert.equal(stateOf(7).currentIndex(), undefined);
    assert.ok(stateOf(8).currentIndex());
  });
  test('index: is kept until a layer is registered', () => {
    const state = stateOf(10);
    const index = state.currentIndex()!;
    assert.equal(state.currentIndex(), index);
    assert.equal(state.confirms(index, state.stack, 0, 10), true);
    state.push(route('/new'));
    assert.equal(state.confirms(index, state.stack, 0, 10), false);
    assert.notEqual(state.currentIndex(), index);
  });
  test('worth: layers that match every path do not justify an index', () => {
    const state = stateOf(7);
    for (let i = 0; i < 20; i++) state.push(mount('/'));
    assert.equal(state.currentIndex(), undefined);
    state.push(route('/eighth'));
    assert.ok(state.currentIndex());
  });
  test('exposed: after the stack has been read, skipped layers are compared', () => {
    const router = {} as { stack: Stack };
    const state = giveState(router, version.router);
    for (const layer of stateOf(10).stack) state.push(layer);
    const index = state.currentIndex()!;
    assert.equal(state.exposed, false);
    const { stack } = router;
    assert.equal(state.exposed, true);
    assert.equal(state.confirms(index, stack, 0, 10), true);
    stack[3] = route('/other');
    assert.equal(state.confirms(index, stack, 0, 3), true);
    assert.equal(state.confirms(index, stack, 4, 10), true);
    assert.equal(state.confirms(index, stack, 3, 4), false);
    const next = state.currentIndex()!;
    assert.notEqual(next, index);
    assert.equal(state.confirms(next, stack, 0, 10), true);
    router.stack = stack.slice();
    assert.equal(state.confirms(next, stack, 0, 10), false);
    assert.notEqual(state.currentIndex(), next);
    const last = state.currentIndex()!;
    router.stack.pop();
    assert.equal(state.confirms(last, router.stack, 0, 1), false);
  });
});
