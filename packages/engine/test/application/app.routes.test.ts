/** `app.routes` and `router.routes`: routes as data. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import express from 'express';
import web from 'ristretto';
import five from 'ristretto5';
import { inEnvironment } from '../support/environment.js';
import { layerClass } from '../support/internals.js';
import { secondCopy } from '../support/modules.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const auth: web.RequestHandler = (_req, _res, next) => next();
const show: web.RequestHandler = (_req, res) => void res.send('shown');
const edit: web.RequestHandler = (_req, res) => void res.send('edited');

type Listed = Pick<web.Router, 'routes'>;

/** Returns kind or method, path and handlers of each entry, without the first layers of applications. */
const entries = (app: Listed): string[] =>
  app
    .routes()
    .filter(({ handlers }) => !['query', 'expressInit'].includes(handlers[0] ?? ''))
    .map(({ kind, method, path, handlers }) => `${method ?? kind} ${path} ${handlers.join()}`);

describe('app.routes', () => {
  test('routes: have the method, full path, parameters and handlers', () => {
    const app = web();
    app.get('/users/:id/:tab?', auth, show);
    const { kind, method, path, params, handlers } = app.routes().at(-1)!;
    assert.deepEqual(
      { kind, method, path, params, handlers },
      {
        kind: 'route',
        method: 'GET',
        path: '/users/:id/:tab?',
        params: ['id', 'tab'],
        handlers: ['auth', 'show'],
      },
    );
  });

  test('methods: each has an entry with the handlers that its requests reach', () => {
    const router = web.Router();
    router.route('/a').all(auth).get(show).post(edit);
    router.route('/none');
    router.get('/anonymous', () => undefined);
    assert.deepEqual(entries(router), [
      '* /a auth',
      'GET /a auth,show',
      'POST /a auth,edit',
      'route /none ',
      'GET /anonymous <anonymous>',
    ]);
  });

  test('all: is one entry, for routers and applications', () => {
    assert.deepEqual(entries(web.Router().all('/a', show)), ['* /a show']);
    assert.deepEqual(entries(web().all('/a', auth, show)), ['* /a auth,show']);
    const app = web();
    app.all('/b', show);
    app._router!.stack.at(-1)!.route!.get(edit);
    assert.ok(entries(app).includes('GET /b show,edit'));
    assert.ok(entries(app).includes('POST /b show'));
  });

  test('mounts: nested routers and applications are listed, with the parameters of their mount paths', () => {
    const users = web.Router().use(auth).get('/:id', show);
    const sub = web().use('/users', users);
    const app = web().use('/:tenant', web.Router().use('/sub', sub)).use('/empty', web());
    assert.deepEqual(entries(app), [
      'router /:tenant router',
      'application /:tenant/sub app',
      'router /:tenant/sub/users router',
      'middleware /:tenant/sub/users auth',
      'GET /:tenant/sub/users/:id show',
      'application /empty mounted_app',
    ]);
    const { params } = app.routes().find(({ kind }) => kind === 'route')!;
    assert.deepEqual(params, ['tenant', 'id']);
  });

  test('arrays of paths: have one entry for each path', () => {
    const inner = web.Router().get('/x', show);
    const app = web()
      .use(['/a', ['/b/:c']] as never, inner)
      .get([], edit);
    assert.deepEqual(entries(app), [
      'router /a router',
      'GET /a/x show',
      'router /b/:c router',
      'GET /b/:c/x show',
      'GET * edit',
    ]);
  });

  test('Express 3: packages that take app.routes for its object find the routes of each method', () => {
    interface OldRoute {
      path: string;
      method: string;
      callbacks: unknown[];
      keys: { name: string }[];
    }
    // As express-list-routes reads it
    const read = ({ routes }: Listed) => {
      const byMethod = routes as unknown as Record<string, OldRoute[]>;
      return Object.keys(byMethod).flatMap(method => byMethod[method]!);
    };
    const listed = (target: Listed) => read(target).map(({ method, path }) => `${method} ${path}`);
    const users = web.Router().get('/:id', auth, show);
    const app = web().get('/a', show).use('/users', users).post('/a', edit).get('/b', show).all('/c', edit);
    app.use(auth);
    assert.deepEqual(listed(app), ['get /a', 'get /users/:id', 'get /b', 'post /a', 'all /c']);
    assert.deepEqual(read(users), [
      { path: '/:id', method: 'get', callbacks: [auth, show], keys: [{ name: 'id' }], params: [] },
    ]);
    users.put('/:id', edit);
    assert.deepEqual(listed(users), ['get /:id', 'put /:id']);
    const { routes } = users;
    users.remove('/:id');
    assert.deepEqual((routes as unknown as { get: unknown }).get, [], 'as they are when read');
    assert.deepEqual([listed(web()), Object.keys(users).includes('routes')], [[], false]);
    assert.equal(Object.keys(app).includes('routes'), false);
    const { application } = web as unknown as { application: Listed };
    assert.deepEqual(Object.keys(application.routes), []);
  });

  describe('callbacks of the routes of a method', () => {
    type Handler = web.RequestHandler;
    const callbacksOf = (app: Listed, method: string): Handler[] =>
      (app.routes as unknown as Record<string, { callbacks: Handler[] }[]>)[method]![0]!.callbacks;
    const add =
      (text: string): Handler =>
      (_req, res, next) => {
        res.locals.seen = `${String(res.locals.seen ?? '')}${text}`;
        next();
      };
    const [a, b, c] = ['a', 'b', 'c'].map(add) as [Handler, Handler, Handler];
    const end: Handler = (_req, res) => void res.send(`${String(res.locals.seen ?? '')}.`);

    test('unshift: protects the routes of each method, as a package does with the stack of Express 4', async () => {
      const guard: Handler = (req, res, next) => void (req.query.token ? next() : res.sendStatus(403));
      const protect = (app: ReturnType<Web>): void => {
        const { routes, _router } = app as unknown as {
          routes?: Record<string, { callbacks: unknown[] }[]>;
          _router: { stack: { route?: { stack: { handle: unknown }[] } }[] };
        };
        if (routes) {
          for (const method in routes) for (const route of routes[method]!) route.callbacks.unshift(guard);
          return;
        }
        for (const { route } of _router.stack) {
          const [first] = route?.stack ?? [];
          if (first)
            route!.stack.unshift(Object.assign(Object.create(first) as object, first, { handle: guard }));
        }
      };
      const build = (framework: Web): ReturnType<Web> => {
        const app = framework();
        app.get('/x', end as never);
        app.route('/y').post(a as never, end as never);
        protect(app);
        return app;
      };
      assert.equal((await same(build, '/x')).status, 403);
      assert.equal((await same(build, '/x?token=1')).text, '.');
      assert.equal((await same(build, { method: 'POST', path: '/y' })).status, 403);
      assert.equal((await same(build, { method: 'POST', path: '/y?token=1' })).text, 'a.');
    });

    const versions: Record<string, () => web.Application> = { 4: web, 5: five as never };
    for (const [version, make] of Object.entries(versions)) {
      test(`Express ${version}: each way to change an array changes the handlers of the route`, async () => {
        const changes: [(list: Handler[]) => unknown, string][] = [
          [list => list.shift(), 'b.'],
          [list => list.splice(1, 1, c, c), 'acc.'],
          [list => list.reverse(), '.'],
          [list => list.splice(0, 2, b, a), 'ba.'],
          [list => (list[0] = c), 'cb.'],
          [list => Reflect.deleteProperty(list, 0), 'b.'],
          [list => list.fill(end), '.'],
          [list => (list.length = 1) && list.push(c, end), 'ac.'],
        ];
        for (const [change, text] of changes) {
          const app = make().get('/x', a, b, end).post('/x', c, end).all('/y', a, b, end);
          change(callbacksOf(app, 'get'));
          change(callbacksOf(app, 'all'));
          const texts = [];
          for (const method of ['GET', 'POST'])
            for (const url of ['/x', '/y']) texts.push((await app.inject({ method, url })).text());
          assert.deepEqual(texts, [text, text, 'c.', text], String(change));
        }
      });

      test(`Express ${version}: handlers of route.all stay, if they are removed for one method`, async () => {
        const app = make();
        app.route('/x').all(a).get(b, end).put(c, end);
        const list = callbacksOf(app, 'get');
        list.length = 0;
        list.push(c, end);
        const ask = async (method: string) => (await app.inject({ method, url: '/x' })).text();
        assert.deepEqual([await ask('GET'), await ask('PUT')], ['ac.', 'ac.']);
        assert.deepEqual(callbacksOf(app, 'get'), [a, c, end]);
        callbacksOf(app, 'all').push(b);
        assert.deepEqual([await ask('GET'), await ask('PUT')], ['abc.', 'abc.']);
        assert.throws(
          () => callbacksOf(app, 'get').push('text' as never),
          /callback function|handler must be a function/,
        );
      });
    }
  });

  test('routes: can be replaced, by a property like any other', () => {
    for (const target of [web(), web.Router()]) {
      const routes = ['mine'];
      Object.assign(target, { routes });
      assert.equal(target.routes as unknown, routes);
      assert.ok(Object.keys(target).includes('routes'));
    }
  });

  test('regular expressions: become text, with their groups as parameters', () => {
    const { path, params } = web
      .Router()
      .get(/^\/(?<year>\d+)-(\d+)/, show)
      .routes()[0]!;
    assert.deepEqual([path, params], ['/^\\/(?<year>\\d+)-(\\d+)/', ['year', '0']]);
  });

  test('a router that is mounted in itself: is not listed endlessly', () => {
    const router = web.Router().get('/a', show);
    router.use('/again', router);
    const other = web.Router().use('/back', router);
    router.use('/other', other);
    assert.deepEqual(entries(router), [
      'GET /a show',
      'router /again router',
      'router /other router',
      'router /other/back router',
    ]);
  });

  test('stacks that tools edit: are listed in their current state', () => {
    const Layer = layerClass('ristretto');
    const app = web().get('/a', show).get('/b', edit).use('/c', auth);
    const { stack } = app._router!;
    stack.splice(2, 1);
    stack.push(new Layer('/made/:by', { end: false }, show) as never);
    stack.push(Object.assign(Object.create(Layer.prototype), stack[3]) as never);
    const inner = web.Router().get('/x', show);
    app.use('/d', inner);
    const mount = app._router!.stack.at(-1)!;
    mount.handle = ((req, res, next) => inner(req, res, next)) as web.RequestHandler;
    assert.deepEqual(entries(app), [
      'GET /b edit',
      'middleware /c auth',
      'middleware /made/:by show',
      'middleware /c auth',
      'router /d router',
      'GET /d/x show',
    ]);
  });

  test('Express and other copies: their routers and applications are listed too', () => {
    const inner = express.Router();
    inner.use('/m/:z/:o?', express.Router().get('*', show as never));
    inner.use('/', auth as never);
    inner.use('*', auth as never);
    inner.use('/id/:id(\\d+)', auth as never);
    inner.use(/^\/re/, auth as never);
    inner.use(['/p', '/q'], auth as never);
    const listed = [
      'router /e router',
      'router /e/m/:z/:o? router',
      'GET /e/m/:z/:o?/* show',
      'middleware /e auth',
      'middleware /e/* auth',
      'middleware /e/^\\/id(?:\\/(\\d+))\\/?(?=\\/|$)/i auth',
      'middleware /e/^\\/re/ auth',
      'middleware /e/^\\/p\\/?(?=\\/|$)|^\\/q\\/?(?=\\/|$)/i auth',
    ];
    assert.deepEqual(entries(web().use('/e', inner as never)), listed);
    const other = secondCopy() as never as typeof web;
    assert.deepEqual(entries(web().use('/o', other.Router().use('/x/:y', other.Router().get('/z', show)))), [
      'router /o router',
      'router /o/x/:y router',
      'GET /o/x/:y/z show',
    ]);
  });

  test('places: are the file and line of the registration, in development', () => {
    const text = fs.readFileSync(__filename, 'utf8').split('\n');
    inEnvironment({ NODE_ENV: 'development', RISTRETTO_PLACES: undefined }, () => {
      const app = web();
      app.use('/use', auth); // here: use
      app
        .route('/route')
        .get(show) // here: get
        .all(show); // here: all
      app.get('/get', show); // here: app.get
      const places = app.routes().slice(2);
      assert.deepEqual(
        places.map(({ file, line }) => [file, text[line! - 1]!.replace(/.*here: /, '')]),
        ['use', 'get', 'all', 'app.get'].map(place => [__filename, place]),
      );
      assert.ok(places[0]!.column! > 0);
    });
  });

  test('places: are omitted in production and tests, unless requested', () => {
    const place = (values: Record<string, string | undefined>): unknown => {
      let line: unknown;
      inEnvironment({ RISTRETTO_PLACES: undefined, ...values }, () => {
        line = typeof web.Router().get('/', show).routes()[0]!.line;
      });
      return line;
    };
    assert.equal(place({ NODE_ENV: 'production' }), 'undefined');
    assert.equal(place({ NODE_ENV: 'test' }), 'undefined');
    assert.equal(place({ NODE_ENV: undefined }), 'number');
    assert.equal(place({ NODE_ENV: '' }), 'number');
    assert.equal(place({ NODE_ENV: 'production', RISTRETTO_PLACES: '1' }), 'number');
    assert.equal(place({ NODE_ENV: 'development', RISTRETTO_PLACES: '0' }), 'undefined');
  });

  test('an application without routes: has an empty list', () => {
    assert.deepEqual(web().routes(), []);
  });

  test('the index: stays in use after the routes have been listed', () => {
    const router = web.Router();
    const state = Object.getOwnPropertySymbols(router)
      .map(symbol => (router as never as Record<symbol, { exposed?: boolean }>)[symbol])
      .find(value => value?.exposed !== undefined)!;
    router.routes();
    assert.equal(state.exposed, false);
  });
});
