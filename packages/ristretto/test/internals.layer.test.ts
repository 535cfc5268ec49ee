// runs: built, http1, each
/** Layers: tools can construct, read, patch and replace them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import { ask, askPort, withServer } from '../../engine/test/support/http.js';
import { layerClass, replacing, stackOf } from '../../engine/test/support/internals.js';
import type { LooseLayer, LooseRouter } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import { sameEach } from '../../engine/test/support/compare.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { words } from '../../engine/test/support/random.js';
import { outputOf } from '../../engine/test/support/program.js';

const noop = (): void => undefined;
const all = Object.entries(frameworks) as [string, Web][];
const [ours, theirs] = [layerClass('ristretto'), layerClass('express')];

const patterns = [
  ...words(`
    / * /* /users/:id /users/:id? /:from-:to /:id(\\d+) /a*b /ab?cd /(x|y)/z+ /files/* /:a/:b* /a.b /é
  `),
  '',
];
const options = [
  undefined,
  {},
  { end: false },
  { end: true, strict: true },
  { end: false, strict: true },
  { sensitive: true },
];
const paths = [
  ...words('/ /users/7 /users /a-b /x/z /files/a/b /axxb /a.b /a.b/c'),
  '',
  '/%zz',
  '/users/%41',
];

/** Returns what a tool can see of a layer after a match. */
function visible(layer: LooseLayer, path: string): unknown {
  let matched: unknown;
  try {
    matched = layer.match(path);
  } catch (error) {
    matched = [(error as Error).name, (error as Error).message, (error as { status?: number }).status];
    return matched;
  }
  return [matched, layer.path, layer.params && { ...layer.params }];
}

/** The ways in which tools copy a layer. */
const copies: Record<string, (layer: LooseLayer) => LooseLayer> = {
  'an object with all that for…in lists': layer => {
    const copy: Record<string, unknown> = {};
    for (const name in layer) copy[name] = layer[name as keyof LooseLayer];
    return copy as unknown as LooseLayer;
  },
  'an object with what is own and the functions of the prototype': layer => ({
    ...layer,
    ...(Object.getPrototypeOf(layer) as LooseLayer),
  }),
  'an object of the prototype with what is own': layer =>
    Object.assign(Object.create(Object.getPrototypeOf(layer) as object) as LooseLayer, layer),
  'an object that inherits from the layer': layer => Object.create(layer) as LooseLayer,
};

/** Returns an application in which all layers of its router, of another router and of their routes are copies. */
function copied(web: Web, copy: (layer: LooseLayer) => LooseLayer): ReturnType<Web> {
  const respond = (req: Request, res: Response): void =>
    void res.json([req.route, req.url, req.params, req.baseUrl]);
  const app = web().set('env', 'production').set('json replacer', ['0', 'id', 'a', 'b', 'path', 'rest']);
  app.param('id', (_req, res, next, id) => void next(res.set('X-Id', String(id)) && undefined));
  app
    .get('/', respond)
    .get('/users/:id', respond)
    .post('/users/:id', respond)
    .get(['/two/:a', '/zwei/:b'], respond);
  app
    .get(/^\/re\/(\d+)$/, respond)
    .get('/files/*', respond)
    .get('/:a-:b', respond)
    .get('/:a/b', respond);
  for (let i = 0; i < 12; i++) app.get(`/page/${String(i)}`, respond);
  const router = web.Router().get('/deep', respond);
  router.get('/fail', () => {
    throw new Error('failed');
  });
  app.use('/mount', router);
  app.use(
    ((err: Error, _req: Request, res: Response, _next: unknown) => void res.send(err.message)) as never,
  );
  app.get('*', respond);
  for (const stack of [stackOf(app), (router as unknown as LooseRouter).stack]) {
    for (const [at, layer] of stack.entries()) {
      const routed = layer.route?.stack;
      for (const [position, one] of routed?.entries() ?? []) routed![position] = copy(one);
      stack[at] = copy(layer);
    }
  }
  return app;
}

describe('internals: Layer', () => {
  test('new Layer(path, options, handler): matches as in Express', () => {
    for (const pattern of patterns) {
      for (const option of options) {
        const our = new ours(pattern, option, noop);
        const their = new theirs(pattern, option, noop);
        for (const path of paths) {
          assert.deepEqual(
            visible(our, path),
            visible(their, path),
            `${pattern} ${JSON.stringify(option)} ${path}`,
          );
        }
      }
    }
  });
  test('regexp: has the source and flags that Express gives it', () => {
    for (const pattern of [...patterns, ['/a', '/b/:c'], /^\/x(y)?/i]) {
      for (const option of options) {
        const our = new ours(pattern, option, noop);
        const their = new theirs(pattern, option, noop);
        assert.equal(String(our.regexp), String(their.regexp));
        assert.equal(our.regexp.fast_star, their.regexp.fast_star);
        assert.equal(our.regexp.fast_slash, their.regexp.fast_slash);
        assert.deepEqual(our.keys, their.keys);
      }
    }
  });
  test('regexp: is the same object on each read and keeps properties set on it', () => {
    const layer = new ours('/users/:id', {}, noop);
    assert.equal(layer.regexp, layer.regexp);
    (layer.regexp as unknown as { note: string }).note = 'mine';
    assert.equal((layer.regexp as unknown as { note: string }).note, 'mine');
  });
  for (const [framework, web] of all) {
    const Layer = layerClass(framework);
    test(`without new: creates a layer (${framework})`, () => {
      const layer = Layer('/x', {}, noop);
      assert.ok(layer instanceof Layer);
      assert.equal(layer.match('/x'), true);
    });
    test(`Layer.call(object): initializes an instance of a subclass (${framework})`, () => {
      const Sub = function (this: LooseLayer, ...args: [string, object, unknown]) {
        Layer.call(this, ...args);
      } as unknown as new (path: string, options: object, handle: unknown) => LooseLayer;
      Sub.prototype = Object.create(Layer.prototype) as object;
      const layer = new Sub('/x/:id', { end: false }, noop);
      assert.equal(layer.match('/x/7/y'), true);
      assert.deepEqual({ ...layer.params }, { id: '7' });
      assert.equal(layer.path, '/x/7');
      assert.equal(layer.regexp.test('/x/7'), true);
    });
    test(`Layer.call(object): creates a new layer for any other object (${framework})`, () => {
      const target = {};
      assert.ok(Layer.call(target, '/x', {}, noop) instanceof Layer);
      assert.deepEqual(target, {});
    });
    test(`name: is the function's name, or <anonymous> (${framework})`, () => {
      assert.equal(new Layer('/', {}, function named() {}).name, 'named');
      assert.equal(new Layer('/', {}, () => undefined).name, '<anonymous>');
      assert.throws(() => new Layer('/', {}, undefined), TypeError);
    });
    test(`handle: an accessor on the prototype is used by the constructor (${framework})`, () => {
      const assigned: unknown[] = [];
      return replacing(
        Layer.prototype,
        'handle',
        {
          get(this: { wrapped: unknown }) {
            return this.wrapped;
          },
          set(this: { wrapped: unknown }, handle: unknown) {
            assigned.push(handle);
            this.wrapped =
              handle === noop
                ? (_req: unknown, res: { send(text: string): void }) => res.send('wrapped')
                : handle;
          },
        },
        async () => {
          const app = web().get('/x', noop);
          assert.ok(assigned.includes(noop));
          assert.equal(Object.hasOwn(stackOf(app)[0]!, 'handle'), false);
          assert.equal((await ask(app, '/x')).text, 'wrapped');
        },
      );
    });
    test(`handle: replaced after registration, takes effect even while the application is serving (${framework})`, async () => {
      const app = web().get('/x', (_req, res) => void res.send('first'));
      const layer = stackOf(app)[2]!.route!.stack[0]!;
      await withServer(app, async port => {
        assert.equal((await askPort(port, '/x')).text, 'first');
        layer.handle = ((_req: unknown, res: { send(text: string): void }) => res.send('second')) as never;
        assert.equal((await askPort(port, '/x')).text, 'second');
        // A different number of parameters takes effect immediately
        layer.handle = ((_err: unknown, _req: unknown, res: { send(text: string): void }, _next: unknown) =>
          res.send('error')) as never;
        assert.equal((await askPort(port, '/x')).status, 404);
      });
    });
    for (const method of ['handle_request', 'handle_error', 'match'] as const) {
      test(`${method}: takes effect for existing layers if replaced on the prototype (${framework})`, async () => {
        const app = web().set('env', 'test');
        for (let i = 0; i < 12; i++) app.get(`/page/${String(i)}`, (_req, res) => void res.send('page'));
        app.use(((_err: unknown, _req: unknown, res: { send(text: string): void }, _next: unknown) =>
          res.send('error')) as never);
        await withServer(app, async port => {
          assert.equal((await askPort(port, '/page/7')).text, 'page');
          const calls: unknown[] = [];
          const original = Layer.prototype[method] as (...args: unknown[]) => unknown;
          const value = function (this: LooseLayer, ...args: unknown[]) {
            calls.push(this.name);
            return original.apply(this, args);
          };
          await replacing(Layer.prototype, method, { value, writable: true }, async () => {
            assert.equal((await askPort(port, '/page/7')).text, 'page');
            assert.equal((await askPort(port, '/%zz')).status, 404);
            if (method === 'match') assert.ok(calls.length >= 10, String(calls));
            if (method === 'handle_request')
              assert.ok(calls.includes('expressInit') && calls.includes('bound dispatch'));
          });
          const before = calls.length;
          assert.equal((await askPort(port, '/page/7')).text, 'page');
          assert.equal(calls.length, before);
        });
      });
    }
    test(`handle_request: a patch may read this.handle.length and await (${framework})`, async () => {
      const app = web().set('env', 'test');
      app.get('/x', async () => Promise.reject(new Error('patched')));
      app.use(((err: Error, _req: unknown, res: { send(text: string): void }, _next: unknown) =>
        res.send(err.message)) as never);
      const value = function (this: LooseLayer, req: never, res: never, next: (err?: unknown) => void) {
        if (this.handle.length > 3) {
          next();
          return;
        }
        Promise.resolve(this.handle(req, res, next as never)).catch(next);
      };
      await replacing(Layer.prototype, 'handle_request', { value, writable: true }, async () => {
        assert.equal((await ask(app, '/x')).text, 'patched');
      });
    });
    test(`match: can be replaced on one layer, before and while the application is serving (${framework})`, async () => {
      const app = web();
      for (let i = 0; i < 12; i++)
        app.get(`/page/${String(i)}`, (_req, res) => void res.send(`page ${String(i)}`));
      const take = (position: number, path: string): void => {
        const layer = stackOf(app)[position]!;
        layer.match = asked => {
          if (asked !== path) return false;
          layer.params = { mine: 'yes' };
          layer.path = asked;
          return true;
        };
      };
      take(5, '/early');
      await withServer(app, async port => {
        assert.equal((await askPort(port, '/early')).text, 'page 3');
        take(6, '/late');
        assert.equal((await askPort(port, '/late')).text, 'page 4');
        assert.equal((await askPort(port, '/page/4')).status, 404);
        assert.equal((await askPort(port, '/page/7')).text, 'page 7');
      });
    });
    test(`regexp: an assigned one is used, before and while the application is serving (${framework})`, async () => {
      const app = web();
      for (let i = 0; i < 12; i++) {
        app.get(`/page/${String(i)}/:id`, (req, res) => void res.json([i, req.params]));
      }
      const early = /^\/early\/(\w+)/ as LooseLayer['regexp'];
      stackOf(app)[5]!.regexp = early;
      assert.equal(stackOf(app)[5]!.regexp, early);
      await withServer(app, async port => {
        assert.equal((await askPort(port, '/early/7')).text, '[3,{"id":"7"}]');
        stackOf(app)[6]!.regexp = /late\/(\w+)/ as never;
        assert.equal((await askPort(port, '/very/late/8')).text, '[4,{"id":"8"}]');
        assert.equal((await askPort(port, '/page/4/8')).status, 404);
        assert.equal((await askPort(port, '/page/5/8')).text, '[5,{"id":"8"}]');
      });
    });
    test(`regexp: an assigned one with fast_slash or fast_star is not executed (${framework})`, async () => {
      const app = web();
      app.use('/a', (_req, res) => void res.send('slash'));
      stackOf(app)[2]!.regexp = Object.assign(/^never$/, { fast_slash: true, fast_star: false });
      assert.equal((await ask(app, '/b')).text, 'slash');
      const starred = web().get('/a', (req, res) => void res.json(req.params));
      stackOf(starred)[2]!.regexp = Object.assign(/^never$/, { fast_slash: false, fast_star: true });
      assert.equal((await ask(starred, '/b%20c')).text, '{"0":"/b c"}');
    });
    test(`handle_error, handle_request: can be called directly (${framework})`, () => {
      const calls: unknown[] = [];
      const next = (err?: unknown): unknown => calls.push(err);
      const plain = new Layer('/', {}, (_req: unknown, _res: unknown) => calls.push('plain'));
      const failing = new Layer('/', {}, (err: unknown, _req: unknown, _res: unknown, _next: unknown) => {
        calls.push('handler');
        throw new Error(`again ${String(err)}`);
      });
      plain.handle_request({}, {}, next);
      plain.handle_error('bad', {}, {}, next);
      failing.handle_request({}, {}, next);
      failing.handle_error('bad', {}, {}, next);
      assert.deepEqual(calls.map(String), ['plain', 'bad', 'undefined', 'handler', 'Error: again bad']);
    });
    test(`stack traces: contain the text Layer.handle [as handle_request] (${framework})`, () => {
      const program = `
        const http = require('node:http');
        const app = require(${JSON.stringify(framework)})().use(() => console.log(new Error('here').stack));
        const req = Object.assign(new http.IncomingMessage(), { method: 'GET', url: '/' });
        app(req, new http.ServerResponse(req));`;
      const output = outputOf(program);
      assert.ok(output.includes('at Layer.handle [as handle_request]'), output);
    });
    test(`match, regexp: a tool's change applies to middleware that has already run (${framework})`, async () => {
      const app = web().use((_req, res, next) => void next(void res.append('X-Ran', 'yes')));
      app.get('/', (_req, res) => void res.send('response'));
      const stack = stackOf(app);
      const layer = stack[2]!;
      const ran = async (): Promise<string | undefined> => (await ask(app, '/')).headers['x-ran'] as string;
      assert.equal(await ran(), 'yes');
      layer.match = () => false;
      assert.equal(await ran(), undefined);
      delete (layer as Partial<LooseLayer>).match;
      assert.equal(await ran(), 'yes');
      const { match } = Layer.prototype as LooseLayer;
      const skipped = function (this: LooseLayer, path: string): boolean {
        return this !== layer && match.call(this, path);
      };
      await replacing(Layer.prototype, 'match', { value: skipped }, async () => {
        assert.equal(await ran(), undefined);
      });
      stack[2] = Object.assign(Object.create(Layer.prototype) as LooseLayer, layer, { regexp: /^never$/ });
      assert.equal(await ran(), undefined);
      stack[2] = layer;
      assert.equal(await ran(), 'yes');
      layer.regexp = /^never$/;
      assert.equal(await ran(), undefined);
    });
    test(`match: without a path matches nothing (${framework})`, () => {
      for (const pattern of ['*', '/', '/x']) {
        const layer = new Layer(pattern, { end: false }, noop);
        layer.match('/x');
        assert.equal((layer.match as (path?: unknown) => boolean)(), false);
        assert.equal((layer.match as (path?: unknown) => boolean)(null), false);
        assert.deepEqual([layer.path, layer.params], [undefined, undefined]);
      }
    });
  }
  for (const [what, copy] of Object.entries(copies)) {
    test(`copy: ${what} matches and runs as the layer does`, () =>
      sameEach(
        web => copied(web, copy),
        [
          ...words(`
            / /users/7 /users/%41 /users/%zz /users /Users/7/ /a/b /files/x/y /two/9 /re/12 /mount/deep?q=1
            /mount/fail /mount /page/9 /é /nowhere /x.y
          `),
          { method: 'POST', path: '/users/7' },
          { method: 'OPTIONS', path: '/users/7' },
          { method: 'HEAD', path: '/users/7' },
        ],
      ));
    test(`copy: ${what} matches by another regexp and other keys that are assigned to it`, () =>
      sameEach(
        web => {
          const app = copied(web, copy);
          const [page, users] = ['/page/5', '/users/:id'].map(path =>
            stackOf(app).find(({ route }) => route?.path === path),
          );
          page!.regexp = /^\/late\/(\w+)/ as LooseLayer['regexp'];
          page!.keys = [{ name: 'word', optional: false }];
          users!.regexp = Object.assign(/^never$/, { fast_slash: false, fast_star: true });
          return app;
        },
        ['/late/word', '/page/5', '/page/6', '/users/7', '/nowhere'],
      ));
  }
  test('copy: of a layer whose path is a string matches in linear time', () => {
    const layer = copies['an object with all that for…in lists']!(new ours('/*a*b*c*d*e', {}, noop));
    const begin = process.cpuUsage();
    assert.equal(layer.match(`/${'abcd'.repeat(2_000)}`), false);
    assert.ok(process.cpuUsage(begin).user < 2_000_000);
  });
  test('copy: without a regexp throws when a request reaches it', () =>
    sameEach(
      web => {
        const app = web()
          .set('env', 'production')
          .get('/x', (_req, res) => void res.send('x'));
        const stack = stackOf(app);
        Reflect.deleteProperty(
          (stack[2] = copies['an object with all that for…in lists']!(stack[2]!)),
          'regexp',
        );
        app.use(((_err: unknown, _req: unknown, res: { send(text: string): void }, _next: unknown) =>
          res.send('error')) as never);
        return app;
      },
      ['/x'],
    ));
  test('match: a custom method need not set params', async () => {
    const app = frameworks.ristretto();
    app.get('/x', (_req, res) => void res.send('no parameters'));
    const router = frameworks.ristretto.Router({ mergeParams: true });
    router.get('/y', (req, res) => void res.json(req.params));
    app.use('/:outer', router);
    for (const stack of [stackOf(app), router.stack as unknown as LooseLayer[]]) {
      const layer = stack.find(({ route }) => route)!;
      layer.match = path => path === layer.route!.path;
    }
    assert.equal((await ask(app, '/x')).text, 'no parameters');
    assert.equal((await ask(app, '/a/y')).text, '{"outer":"a"}');
  });
  test('regexp: throws if set to anything but a regular expression', () => {
    const layer = new ours('/x', {}, noop);
    assert.throws(() => (layer.regexp = 'text' as never), TypeError);
    assert.throws(() => (layer.regexp = undefined as never), TypeError);
  });
  test('objects that only behave like layers: can be in the stack', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().get('/x', (_req, res) => void res.send('behind'));
      stackOf(app).splice(2, 0, {
        path: '',
        match: (path: string) => path === '/bare',
        handle_request: (_req: unknown, res: { send(text: string): void }) => res.send('bare'),
      } as never);
      assert.equal((await ask(app, '/bare')).text, 'bare');
      assert.equal((await ask(app, '/x')).text, 'behind');
    }
  });
  test('layers of another framework: can be in the stack', async () => {
    for (const [web, Layer] of [
      [frameworks.ristretto, theirs],
      [frameworks.express, ours],
    ] as const) {
      const app = web();
      for (let i = 0; i < 12; i++) app.get(`/page/${String(i)}`, (_req, res) => void res.send('page'));
      const foreign = new Layer(
        '/foreign/:id',
        { end: false },
        (req: { params: unknown }, res: { json(v: unknown): void }) => res.json(req.params),
      );
      stackOf(app).push(foreign);
      assert.equal((await ask(app, '/foreign/7/x')).text, '{"id":"7"}');
      assert.equal((await ask(app, '/page/7')).text, 'page');
    }
  });
});
