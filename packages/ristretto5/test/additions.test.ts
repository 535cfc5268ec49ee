// runs: alone
/** Ristretto's additions to Express on each kind of server, and with the paths of Express 5. `members.test.ts` runs their tests. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import type ristretto from 'ristretto';
import web from 'ristretto5';
import { words } from '../../engine/test/support/random.js';
import { described } from '../../engine/test/support/schemas.js';
import { servers } from '../../engine/test/support/servers.js';
import { runProgram } from '../../engine/test/support/warnings.js';
import { each } from '../../engine/test/support/http.js';

type App = web.Application;

const make = (): App => web().set('env', 'test') as App;

describe('additions', () => {
  for (const [server, askServer] of Object.entries(servers)) {
    test(`${server}: middleware, hooks, streams and events work together`, async () => {
      const app = make().use(web.requestId() as never, web.deadline(5000) as never);
      app.use((_req, res, next) => {
        res.onSend(body => (typeof body === 'string' ? `<${body}>` : body));
        next();
      });
      app.get('/', (req, res) => {
        const { how } = req.headers;
        if (how === 'stream') res.send(Readable.from(['a', 'b']));
        else if (how === 'events') {
          const events = res.sse();
          void events.send({ event: 'greeting', data: { hello: 1 } });
          events.close();
        } else res.json([req.matchedPath, req.signal.aborted]);
      });
      const { headers, text } = await askServer(app as never);
      assert.equal(text, '<["/",false]>');
      assert.match(String(headers['x-request-id']), /^[\da-f-]{36}$/);
      assert.equal((await askServer(app as never, { headers: { how: 'stream' } })).text, 'ab');
      const events = await askServer(app as never, { headers: { how: 'events' } });
      assert.match(events.text, /event: ?greeting\ndata: ?\{"hello":1\}\n\n/);
    });
  }

  test('req.matchedPath: is the pattern from the first mount to the route, also in error handlers', async () => {
    const inner = new web.Router();
    inner.get(['/none', '/files{/:name}/*rest'], (req, res) => void res.send(req.matchedPath));
    inner.get('/users/:id', () => Promise.reject(new Error('broken')));
    const app = make().use('/api', make().use('/:version', inner) as never) as App;
    app.use(((_error: Error, req: web.Request, res: web.Response, _next: web.NextFunction) => {
      res.send(req.matchedPath);
    }) as web.ErrorRequestHandler);
    assert.equal((await app.inject('/api/1/files/a/b/c')).text(), '/api/:version/files{/:name}/*rest');
    assert.equal((await app.inject('/api/1/users/7')).text(), '/api/:version/users/:id');
  });

  test('res.onSend: a hook sees and changes what an automatic OPTIONS sends', async () => {
    const app = make();
    app.use((_req, res, next) => {
      res.onSend(body => `<${String(body)}>`);
      next();
    });
    app.get('/go', (_req, res) => void res.end());
    assert.equal((await app.inject({ method: 'OPTIONS', url: '/go' })).text(), '<GET, HEAD>');
  });

  test('app.routes: lists routes, mounts and middleware with the parameters of Express 5', () => {
    const inner = new web.Router();
    inner
      .route('/files{/:name}/*rest')
      .get(function show() {})
      .put(function replace() {});
    const app = make();
    app.use(function log(_req, _res, next) {
      next();
    });
    app.use(['/a', '/b/:"my id"'], inner);
    app.all(/^\/(?<year>\d+)-(\d+)$/, function old() {});
    app.use([], inner);
    const listed = app.routes().map(({ kind, method, path: pattern, params, handlers }) => {
      return [kind, method, pattern, params, handlers].flat().join(' ');
    });
    assert.deepEqual(listed, [
      'middleware  / log',
      'router  /a router',
      'route GET /a/files{/:name}/*rest name rest show',
      'route PUT /a/files{/:name}/*rest name rest replace',
      'router  /b/:"my id" my id router',
      'route GET /b/:"my id"/files{/:name}/*rest my id name rest show',
      'route PUT /b/:"my id"/files{/:name}/*rest my id name rest replace',
      'route * /^\\/(?<year>\\d+)-(\\d+)$/ year 0 old',
    ]);
  });

  test('app.routes: has the members of Express 3, for packages that read the routes of each method', () => {
    const users = web.Router().get('/:id', (_req, res) => void res.end());
    const { routes } = web().use('/users', users) as unknown as {
      routes: Record<string, { path: string }[]>;
    };
    assert.deepEqual(Object.keys(routes), ['get']);
    assert.deepEqual([routes.get![0]!.path, Object.keys(users.routes)], ['/users/:id', ['get']]);
  });

  test('app.routes: walks applications of both versions, and returns where routes were registered', () => {
    const four = require('ristretto') as typeof ristretto;
    const inner = four();
    inner.get('/old/:id?', (_req, res) => void res.end());
    const app = make().use('/four', inner) as App;
    const [, query, , route] = four()
      .use('/five', app as never)
      .routes()
      .slice(2);
    assert.equal(query?.kind, 'application');
    assert.deepEqual([route?.path, route?.params], ['/five/four', []]);
    const routes = app.routes().filter(({ kind }) => kind === 'route');
    assert.deepEqual([routes[0]?.path, routes[0]?.params], ['/four/old/:id?', ['id']]);
    assert.equal(path.basename(routes[0]?.file ?? ''), path.basename(__filename));
  });

  test('web.openApi: includes the schemas of middleware at a path with a wildcard or parameters', () => {
    const show: web.RequestHandler = (_req, res) => void res.end();
    const query = (name: string) =>
      web.validate({ query: described({ type: 'object', properties: { [name]: { type: 'string' } } }) });
    const app = make()
      .use('/api/*rest', query('below'))
      .use('/api{/*rest}', query('all'))
      .use('/:first/items', query('parameter'))
      .use('/:first/items/:id/owner', query('longer'))
      .use(/^\/api/, query('expression'))
      .get('/api', show)
      .get('/api/items', show)
      .get('/api/items{/:id}', show)
      .get('/items', show);
    const { paths } = web.openApi(app as never, { info: { title: 'x', version: '1' } }).document();
    const namesAt = (path: string) =>
      (paths[path]!.get as { parameters?: { name: string; in: string }[] }).parameters
        ?.filter(parameter => parameter.in === 'query')
        .map(({ name }) => name);
    assert.deepEqual(namesAt('/api'), ['all']);
    assert.deepEqual(namesAt('/api/items'), ['below', 'all', 'parameter']);
    assert.deepEqual(namesAt('/api/items/{id}'), ['below', 'all', 'parameter']);
    assert.equal(namesAt('/items'), undefined);
  });

  test('web.openApi: converts the paths of Express 5', () => {
    const show: web.RequestHandler = (_req, res) => void res.end();
    const documentOf = (app: App) =>
      web.openApi(app as never, { info: { title: 'x', version: '1' } }).document();
    const inner = new web.Router().get('{/:id}', show).get('/\\:text/a.:format', show);
    const app = make().use('/mount', inner);
    const params = described({ type: 'object', properties: { path: { type: 'array', items: {} } } });
    app.get('/files/*path', web.validate({ params }) as never, show);
    app.get('/a{/:b{.:c}}', show).get('/{:lang/}x', show);
    assert.deepEqual(
      Object.keys(documentOf(app).paths),
      words(`
        /mount/{id} /mount /mount/:text/a.{format} /files/{path} /a/{b}.{c} /a/{b} /a /{lang}/x /x
      `),
    );
    const rest = { name: 'path', in: 'path', required: true, 'x-rest': true, schema: { type: 'string' } };
    const description = 'The rest of the path, slashes included.';
    const { parameters } = documentOf(app).paths['/files/{path}']!.get as { parameters: unknown };
    assert.deepEqual(parameters, [{ ...rest, description }]);

    const unlisted = make().get('/:"first name"', show).get('/a{b}{c}{d}{e}{f}', show).get(/x/, show);
    const four = require('ristretto') as typeof ristretto;
    const mounted = four().use('/:id(\\d+)', new web.Router().get('/*rest', show) as never);
    assert.deepEqual(
      [unlisted, mounted as never].flatMap(each =>
        documentOf(each)['x-unlisted']?.map(({ reason }) => reason),
      ),
      [
        '"first name" is no name for generated clients',
        'more than 4 optional parameters',
        'a regular expression',
        'mounted at a path that only another version of Express can read',
      ],
    );
  });

  test('app.remove, router.remove, route.remove: remove what was registered', async () => {
    const app = make();
    const shut: web.RequestHandler = (_req, res) => void res.status(503).end();
    app.use(shut);
    app.get('/users{/:id}', (_req, res) => void res.send('users'));
    const route = app.route('/both').get((_req, res) => void res.send('get'));
    route.put((_req, res) => void res.send('put'));
    assert.equal((await app.inject('/both')).status, 503);
    assert.equal(app.remove(shut), 1);
    assert.equal((await app.inject('/users/7')).text(), 'users');
    assert.equal(app.remove('/users{/:id}'), 1);
    assert.equal((await app.inject('/users/7')).status, 404);
    assert.equal(route.remove('get'), 1);
    assert.equal(Object.getPrototypeOf(route.methods), null);
    assert.equal((await app.inject('/both')).status, 404);
    assert.equal((await app.inject({ method: 'PUT', url: '/both' })).text(), 'put');
    assert.equal(app.router.remove(app.router.stack[0]!.route!), 1);
    assert.deepEqual(app.routes(), []);
  });

  test('express.router.request: publishes the error of router 2 for a rejection without a reason', async () => {
    const seen: unknown[] = [];
    const failed = (message: unknown): void => void seen.push((message as { error: Error }).error.message);
    subscribe('tracing:express.router.request:error', failed);
    await make()
      .get('/', () => Promise.reject())
      .inject('/');
    unsubscribe('tracing:express.router.request:error', failed);
    assert.deepEqual(seen, ['Rejected promise']);
  });

  test('warnings: are emitted for a path without a slash and a misspelt setting, not for Express 5 paths', () => {
    const { warnings } = runProgram(`
      const five = require('ristretto5'); const app = five();
      app.get('/files{/:name}/*rest', () => {}); app.use(['/{a}', '{/:b}/*c'], () => {});
      app.get('users/:id', () => {});
      app.set('trust-proxy', true); five.Router().use('things', () => {});
      five().disable('development warnings').get('quiet', () => {});
    `);
    assert.deepEqual(each(warnings, 'code'), [
      'RISTRETTO_PATH_WITHOUT_SLASH',
      'RISTRETTO_UNKNOWN_SETTING',
      'RISTRETTO_PATH_WITHOUT_SLASH',
    ]);
  });

  test('diagnostics channel ristretto.request.route: has the route that a request reaches', async () => {
    const paths: unknown[] = [];
    const listen = (message: unknown): void => {
      paths.push((message as { route: { path: unknown } }).route.path);
    };
    subscribe('ristretto.request.route', listen);
    const app = make().use(
      '/a',
      web.Router().get('/:id', (req, res) => void res.send(req.params.id)),
    );
    await app.inject('/a/7');
    unsubscribe('ristretto.request.route', listen);
    assert.deepEqual(paths, ['/:id']);
  });

  test('errors of paths: suggest a replacement for the syntax of Express 4', () => {
    const advice = (pattern: string): string => {
      try {
        make().get(pattern, () => undefined);
        return 'none';
      } catch (error) {
        return (error as Error).message.replace(/^.*for info\.? ?/, '');
      }
    };
    const none =
      'In Express 5, paths cannot contain regular expressions: pass a RegExp, or an array of paths';
    const check = ', and check the value in the handler, or pass a RegExp';
    const expected: Record<string, string> = {
      '*': "In Express 5, write '/{*splat}'",
      '/files/*': "In Express 5, write '/files/{*splat}'",
      '/a/(.*)/b/*': "In Express 5, write '/a/{*splat}/b/{*splat2}'",
      '/x*': "In Express 5, write '/x{*splat}'",
      '/x*/y': "In Express 5, write '/x{*splat}/y'",
      '/users/:id?': "In Express 5, write '/users{/:id}'",
      '/:a.:b?': "In Express 5, write '/:a{.:b}'",
      '/:path*': "In Express 5, write '{/*path}'",
      '/x/:path+': "In Express 5, write '/x/*path'",
      '/:id(\\d+)': `In Express 5, write '/:id'${check}`,
      '/u/[id]': "In Express 5, write '/u/:id'",
      '/u/[[...slug]]': "In Express 5, write '/u/*slug'",
      '/ab?cd': none,
      '/(a|b)': none,
      '/:': '',
      '/{a': '',
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map(pattern => [pattern, advice(pattern)])),
      expected,
    );
    for (const text of Object.values(expected)) {
      const [, written] = /write '(.*)'/.exec(text) ?? [];
      if (written !== undefined) assert.equal(advice(written), 'none', written);
    }
  });
});
