/** `router.remove`, `app.remove` and `route.remove`: removing what was registered while requests are in flight. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import express from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { askHttp2 } from '../support/http2.js';

type App = ReturnType<typeof web>;

const send =
  (text: string): web.RequestHandler =>
  (_req, res) =>
    void res.send(text);
const pass: web.RequestHandler = (_req, _res, next) => next();
const textOf = async (app: App, url: string, method = 'GET'): Promise<string> => {
  const { status, text } = await app.inject({ url, method });
  return status === 200 ? text() : String(status);
};

/** Adds enough routes for an index to be built. */
function many(app: Pick<App, 'get'>): void {
  for (let i = 0; i < 20; i++) app.get(`/many/${i}/:id`, send(String(i)));
}

/** Sends a request that waits in middleware until it is released. */
function waiting(app: App, url: string): { arrived: Promise<void>; letGo: () => Promise<string> } {
  let go: () => void;
  const hold = new Promise<void>(resolve => (go = resolve));
  let answer: Promise<string>;
  const arrived = new Promise<void>(resolve => {
    app.locals.hold = () => {
      resolve();
      return hold;
    };
    answer = textOf(app, url);
  });
  return {
    arrived,
    letGo: () => {
      go();
      return answer;
    },
  };
}

/** Middleware in which requests sent by `waiting` wait. */
const wait: web.RequestHandler = async (req, _res, next) => {
  await (req.app.locals.hold as (() => Promise<void>) | undefined)?.();
  next();
};

describe('router.remove', () => {
  test('path: its routes and mounts are removed, others stay', async () => {
    const router = web.Router();
    router.get('/a/:id', send('route')).post('/a/:id', send('post')).get('/a/:name', send('other'));
    router.use('/b', send('mount')).get('/b', send('b'));
    const app = web().use(router);
    assert.equal(await textOf(app, '/a/1'), 'route');
    assert.equal(router.remove('/a/:id'), 2);
    assert.equal(await textOf(app, '/a/1'), 'other');
    assert.equal(router.remove('/b'), 2);
    assert.equal(await textOf(app, '/b'), '404');
    assert.equal(router.remove('/b'), 0);
  });

  test('path: / matches a route, but not middleware mounted without a path', async () => {
    const app = web().use(pass).get('/', send('root'));
    assert.equal(app.remove('/'), 1);
    assert.equal(await textOf(app, '/'), '404');
    assert.equal(app.remove('/'), 0);
  });

  test('path: regular expressions and arrays are compared by their content', async () => {
    const app = web().get(/^\/a/, send('a')).get(['/b', /c/], send('b')).get('//^\\/a/', send('text'));
    assert.equal(app.remove('/b'), 0);
    assert.equal(app.remove(['/b', /d/]), 0);
    assert.equal(app.remove(['/b', /c/]), 1);
    assert.equal(app.remove(/^\/a/), 1);
    assert.equal(await textOf(app, '/a'), '404');
    assert.equal(app.remove([]), 0);
  });

  test('function: its middleware is removed, but no handler of a route', async () => {
    const stop = send('stop');
    const app = web().use(stop).use('/x', stop).get('/y', stop);
    assert.equal(app.remove(stop), 2);
    assert.equal(await textOf(app, '/x'), '404');
    assert.equal(await textOf(app, '/y'), 'stop');
  });

  test('function: routers and applications are removed', async () => {
    const router = web.Router().get('/x', send('router'));
    const sub = web().get('/x', send('sub'));
    const app = web().use('/a', router).use('/b', sub);
    assert.deepEqual([app.remove(router), app.remove(sub)], [1, 1]);
    assert.deepEqual([await textOf(app, '/a/x'), await textOf(app, '/b/x')], ['404', '404']);
  });

  test('function: is found even if a tool has replaced the handle', async () => {
    const sub = web().get('/x', send('sub'));
    const router = web.Router().use('/a', pass).use('/b', sub);
    for (const layer of router.stack) {
      const { handle } = layer;
      layer.handle = (req, res, next) => handle(req, res, next) as unknown;
    }
    assert.deepEqual([router.remove(pass), router.remove(sub)], [1, 1]);
    assert.equal(router.stack.length, 0);
  });

  test('route: is removed from its own router only', () => {
    const router = web.Router();
    const route = router.route('/a').get(send('a'));
    router.get('/a', send('b'));
    assert.equal(router.remove(route), 1);
    assert.equal(router.remove(route), 0);
    assert.equal(router.remove(express.Router().route('/a') as never), 0);
    assert.equal(router.stack.length, 1);
  });

  test('argument: any other value throws', () => {
    const expected = {
      name: 'TypeError',
      message: /^remove\(\): expected a function, a path or a route, got /,
    };
    for (const wrong of [undefined, null, 1, {}, Symbol('x')]) {
      assert.throws(() => web.Router().remove(wrong as never), expected);
      assert.throws(() => web().remove(wrong as never), expected);
    }
  });

  test('requests in flight: still see the removed layers, later ones do not', async () => {
    const app = web().use(wait).get('/x', send('old'));
    const { arrived, letGo } = waiting(app, '/x');
    await arrived;
    assert.equal(app.remove('/x'), 1);
    delete app.locals.hold;
    assert.equal(await textOf(app, '/x'), '404');
    assert.equal(await letGo(), 'old');
  });

  test('requests in flight: still see the removed layers in an indexed stack', async () => {
    const app = web().use(wait);
    many(app);
    const { arrived, letGo } = waiting(app, '/many/7/x');
    await arrived;
    assert.equal(app.remove('/many/7/:id'), 1);
    delete app.locals.hold;
    assert.equal(await textOf(app, '/many/7/x'), '404');
    assert.equal(await textOf(app, '/many/8/x'), '8');
    assert.equal(await letGo(), '7');
    app.get('/many/7/:id', send('new'));
    assert.equal(await textOf(app, '/many/7/x'), 'new');
  });

  test('requests in flight: a handler may remove its own route', async () => {
    const app = web();
    app.get('/once', (_req, res) => void res.send(String(app.remove('/once'))));
    assert.deepEqual([await textOf(app, '/once'), await textOf(app, '/once')], ['1', '404']);
  });

  test('stack: is replaced by another array, so a tool that holds the old one sees no change', () => {
    const router = web.Router().use(pass);
    const { stack } = router;
    router.remove(pass);
    assert.deepEqual([stack.length, router.stack.length], [1, 0]);
  });

  test('application: keeps its built-in layers', async () => {
    const app = web().get('/', (req, res) => void res.json(req.query));
    assert.equal(web().remove('/x'), 0);
    app.remove('/');
    app.get('/', (req, res) => void res.json(req.query));
    assert.equal(await textOf(app, '/?a=b'), '{"a":"b"}');
  });

  test('transports: the route is gone over HTTP/1.1, HTTP/2 and app.fetch', async () => {
    const app = web().get('/a', send('a'));
    app.remove('/a');
    const statuses = [
      (await ask(app, '/a')).status,
      (await askHttp2(app, '/a')).status,
      (await app.fetch(new Request('http://x/a'))).status,
    ];
    assert.deepEqual(statuses, [404, 404, 404]);
  });

  test('members: may be replaced', () => {
    const app = web();
    const own = (): number => 7;
    app.remove = own;
    assert.equal(app.remove, own);
  });
});

describe('route.remove', () => {
  test('method: its handlers are removed, in upper and lower case', async () => {
    const app = web();
    const route = app.route('/a').get(pass, send('get')).post(send('post')).all(send('all'));
    assert.equal(route.remove('get'), 2);
    assert.equal(await textOf(app, '/a'), 'all');
    assert.equal(route.remove('all'), 1);
    assert.equal(await textOf(app, '/a'), '404');
    assert.equal(await textOf(app, '/a', 'POST'), 'post');
    assert.equal(route.remove('POST'), 1);
    assert.equal(route.remove('POST'), 0);
    assert.deepEqual(route.methods, {});
    route.get(send('again'));
    assert.equal(await textOf(app, '/a'), 'again');
  });

  test('OPTIONS: lists the remaining methods', async () => {
    const app = web();
    const route = app.route('/a').get(send('get')).post(send('post'));
    route.remove('post');
    assert.equal((await app.inject({ method: 'OPTIONS', url: '/a' })).text(), 'GET,HEAD');
  });

  test('requests in flight: still run the removed handlers', async () => {
    const app = web();
    const route = app.route('/a').get(wait, send('old'));
    const { arrived, letGo } = waiting(app, '/a');
    await arrived;
    assert.equal(route.remove('get'), 2);
    assert.equal(await textOf(app, '/a'), '404');
    assert.equal(await letGo(), 'old');
  });

  test('argument: a value that is not a method throws', () => {
    const route = web.Router().route('/a').get(pass);
    for (const wrong of ['gte', '', undefined, {}, '_all']) {
      assert.throws(() => route.remove(wrong as never), {
        name: 'TypeError',
        message: /^route\.remove\(\): expected a method or 'all', got /,
      });
    }
  });
});
