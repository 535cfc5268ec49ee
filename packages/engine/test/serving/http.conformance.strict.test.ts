// runs: slow, http1, each
/** The setting `strict http`: handles every case of the conformance table by the letter; and its other effects. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import web from 'ristretto';
import application from 'ristretto/lib/application';
import { groups } from '../support/conformance/table.js';
import { application as conformanceApplication, strict } from '../support/conformance/application.js';
import { isRight, outcomes } from '../support/conformance/outcome.js';
import type { App } from '../support/conformance/application.js';
import { ask, askPort, exchange, withServer } from '../support/http.js';
import { secondCopy } from '../support/modules.js';
import { frameworks } from '../support/oracle.js';
import { outputOf } from '../support/program.js';

/** Returns a function whose stack does not consist of layers, as connect creates it. */
const connect = (): RequestHandler =>
  Object.assign(((_req, _res, next) => next()) as RequestHandler, {
    stack: [{ route: '', handle: () => 1 }],
  });

/** The members of an application that all versions have. */
type VersionedApp = {
  set(name: string, value: unknown): VersionedApp;
  enable(name: string): VersionedApp;
} & Record<'get' | 'put' | 'patch' | 'use', (path: string, handler: unknown) => unknown>;

const answer: RequestHandler = (req, res) => void res.send(`${req.method} ${req.url}`);

/** A method and a target, the status of the response and its Allow header. */
type Allowed = [method: string, target: string, status: number, allow: string | undefined];

async function assertAllowed(app: Parameters<typeof withServer>[0], seen: Allowed[]): Promise<void> {
  await withServer(app, async port => {
    for (const [method, target, status, allow] of seen) {
      const { status: got, headers } = await askPort(port, { method, path: target });
      assert.deepEqual([got, headers.allow], [status, allow], `${method} ${target}`);
    }
  });
}

describe('setting strict http', () => {
  test('cases: every response is correct, or the table says why not', async () => {
    const all = groups.flatMap(({ cases }) => cases);
    const answers = await outcomes(
      conformanceApplication(frameworks.ristretto, 'strict http', 'method not allowed'),
      all,
    );
    const wrong = all
      .map((one, at) => ({ one, outcome: answers[at]! }))
      .filter(({ one, outcome }) => !isRight(outcome, one));
    assert.deepEqual(
      wrong.map(({ one, outcome }) => `${one.title}: ${outcome}`),
      all.filter(({ open }) => open !== undefined).map(one => `${one.title}: ${answers[all.indexOf(one)]!}`),
    );
  });

  test('off: adds no cost at startup or per request', () => {
    assert.equal(web().enabled('strict http'), false);
    assert.equal(
      (web() as unknown as { handle: unknown }).handle,
      (application as { handle: unknown }).handle,
    );
    const program = `
      const app = require('ristretto')();
      app.disable('strict http').get('/', (req, res) => res.end());
      console.log(Object.keys(require.cache).filter(name => /strict-(http|request|response)/.test(name)).length);`;
    assert.equal(outputOf(program), '0\n');
  });

  test('switched: takes effect from the next request, every time', async () => {
    const app = web()
      .set('env', 'test')
      .use(answer as never);
    await withServer(app, async port => {
      const status = async (): Promise<number> => (await askPort(port, '/x#y')).status;
      assert.equal(await status(), 200);
      app.enable('strict http').enable('strict http');
      assert.equal(await status(), 400);
      app.disable('strict http');
      assert.equal(await status(), 200);
      app.set('strict http', true);
      assert.equal(await status(), 400);
    });
  });

  test('refused: calls no layer, closes the connection and logs nothing', async t => {
    const called: string[] = [];
    const app = strict((req, _res, next) => {
      called.push(req.url);
      next();
    }).set('env', 'development');
    const log = t.mock.method(console, 'error', () => undefined);
    const refused = await ask(app, { path: '/x#y', headers: { Connection: 'keep-alive' } });
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.connection, 'close');
    assert.match(refused.text, /BadRequestError: bad request target/);
    assert.doesNotMatch(refused.text, /at /);
    assert.deepEqual([called, log.mock.callCount()], [[], 0]);
  });

  test('headers: responds with 431 to more than Node passes on, because dropped ones cannot be examined', async () => {
    const app = strict(answer);
    const fields = (count: number, connection: string): Record<string, string | string[]> => ({
      Connection: connection,
      'X-A': Array.from({ length: count - 3 }, () => '1'),
      'X-Last': '1',
    });
    assert.equal((await ask(app, { headers: fields(1000, 'close') })).status, 200);
    const refused = await ask(app, { headers: fields(1001, 'keep-alive') });
    assert.deepEqual([refused.status, refused.headers.connection], [431, 'close']);
  });

  test('405: is sent for a pattern, a route with all methods, through a wrapper of a tool, with a bad parameter', async () => {
    const app = strict();
    app.get(['/a/:id', /^\/b/], answer as never);
    app.all('/all', (_req, _res, next) => next());
    app.post('/all', answer as never);
    app
      .route('/guarded')
      .all((_req, _res, next) => next())
      .get(answer as never);
    app.use('/c', web.Router().put('/d', answer as never));
    app.use([/^\/g/, /h$/], web.Router().put(['/', '/.x'], answer as never));
    app.use('/e/', web.Router().get('/f', answer as never));
    const seen: Allowed[] = [
      ['POST', '/a/1', 405, 'GET,HEAD'],
      ['POST', '/bcd?x', 405, 'GET,HEAD'],
      ['POST', 'http://h/a/1', 405, 'GET,HEAD'],
      ['PUT', '/all', 404, undefined],
      ['PUT', '/guarded', 405, 'GET,HEAD'],
      ['POST', '/a/%ff', 400, undefined],
      ['POST', '/c/d', 405, 'PUT'],
      ['POST', '/cd', 404, undefined],
      ['POST', '/g', 405, 'PUT'],
      ['POST', '/g.x', 405, 'PUT'],
      ['POST', '/gx', 404, undefined],
      ['POST', '/x/h', 404, undefined],
      ['POST', '/e/f', 405, 'GET,HEAD'],
      ['POST', '/ef', 404, undefined],
      ['GET', '/none', 404, undefined],
    ];
    await assertAllowed(app, seen);
  });

  for (const [framework, other] of Object.entries({
    express: frameworks.express,
    'a second copy': secondCopy(),
  })) {
    test(`405: includes the methods of routers and applications of ${framework}`, async () => {
      const app = strict();
      const router = other
        .Router()
        .put('/', answer)
        .all('/all', (_req, _res, next) => next());
      app.use('/router', router.use('/inner', other.Router().delete('/:id', answer)) as never);
      app.use('/app', other().get('/x', answer).use(other().post('/y', answer)) as never);
      app.use('/app', web.Router().patch('/x', answer as never));
      app.use('/other', connect() as never);
      const seen: Allowed[] = [
        ['POST', '/router', 405, 'PUT'],
        ['POST', '/router/inner/7', 405, 'DELETE'],
        ['PUT', '/router/all', 404, undefined],
        ['DELETE', '/app/x', 405, 'GET,HEAD,PATCH'],
        ['GET', '/app/z', 404, undefined],
        ['GET', '/other/x', 404, undefined],
      ];
      await assertAllowed(app, seen);
    });
  }

  for (const name of ['ristretto', 'ristretto5', 'ristretto3']) {
    test(`405: is sent by applications of ${name}`, async () => {
      const create = require(name) as () => VersionedApp;
      const app = create().set('env', 'test').enable('method not allowed');
      app.get('/a/:id', answer);
      app.put('/a/:id', answer);
      const inner = create();
      inner.patch('/x', answer);
      app.use('/app', inner);
      const seen: Allowed[] = [
        ['POST', '/a/1', 405, 'GET,HEAD,PUT'],
        ['HEAD', '/a/1', 200, undefined],
        ['GET', '/app/x', 405, 'PATCH'],
        ['PATCH', '/app/x', 200, undefined],
        ['POST', '/none', 404, undefined],
      ];
      await assertAllowed(app as never, seen);
    });
  }

  test('405: the page names the status, and error handlers are not called', async () => {
    const app = strict();
    app.get('/x', answer as never);
    const onError: ErrorRequestHandler = (_err, _req, res, _next) => void res.end('handled');
    app.use(onError as never);
    const { status, text } = await ask(app, { method: 'PUT', path: '/x' });
    assert.equal(status, 405);
    assert.match(text, /MethodNotAllowedError/);
  });

  test('405: a parameter that cannot be decoded matches nothing if an error handler lets it pass', async () => {
    const app = strict();
    app.get('/:id', answer as never);
    app.get('/*', answer as never);
    const forgiving: ErrorRequestHandler = (_err, _req, _res, next) => next();
    app.use(forgiving as never);
    assert.equal((await ask(app, { method: 'POST', path: '/%ff' })).status, 404);
  });

  test('404: is sent for an application without routes, and for a target without a path', async () => {
    const empty = web().set('env', 'test').enable('strict http');
    assert.equal((await ask(empty)).status, 404);
    assert.equal(
      (
        await ask(
          strict((_req, _res, next) => next()),
          { method: 'POST', path: '/x' },
        )
      ).status,
      404,
    );
    const rewriting = strict((req, _res, next) => {
      req.url = 'http://[/';
      next();
    });
    assert.equal((await ask(rewriting)).status, 404);
  });

  test('mounted: the setting of the outer application applies, and that of an inner one to its own requests', async () => {
    const outer = strict().use('/in', web().use(answer as never)) as unknown as App;
    assert.equal((await ask(outer, '/in/x#y')).status, 400);
    assert.equal((await ask(outer, '/in/x')).text, 'GET /x');
    const inner = web().set('env', 'test').use('/in', strict(answer)) as unknown as App;
    assert.equal((await ask(inner, '/in/x#y')).status, 400);
    assert.equal((await ask(inner, '/out#y')).status, 404);
  });

  test('next: is called with what the application does not handle', async () => {
    const app = strict((_req, _res, next) => next('left over' as never));
    const caller = web().use((req, res) => {
      (app as unknown as (req: unknown, res: unknown, next: (err: unknown) => void) => void)(req, res, err =>
        res.end(String(err)),
      );
    });
    assert.equal((await ask(caller)).text, 'left over');
  });

  test('errors: go to the error handlers and to the default error page', async () => {
    const app = strict(() => {
      throw Object.assign(new Error('gone'), { status: 410 });
    });
    assert.equal((await ask(app)).status, 410);
    assert.equal((await ask(app, { method: 'HEAD' })).headers['content-length'], undefined);
  });
});

describe('setting strict http, requests', () => {
  test('version: responds with 505 to another major version', async () => {
    const refused = await withServer(strict(answer), port =>
      exchange(port, 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'),
    );
    assert.equal(refused.status, 505);
  });
  test('Range: asks for the whole if it asks for more last bytes than there are', async () => {
    const app = strict((req, res) => void res.json(req.range(5)));
    const { text } = await ask(app, { headers: { Range: 'bytes=-99' } });
    assert.deepEqual(JSON.parse(text), [{ start: 0, end: 4 }]);
  });
  test('Host: is required even if the server does not require it', async () => {
    const server = http.createServer({ requireHostHeader: false }, strict(answer));
    const bytes = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n';
    assert.equal((await withServer(server, port => exchange(port, bytes))).status, 400);
  });
  test('Host: is replaced by the host of an absolute-form target, for everything that reads it', async () => {
    const app = strict((req, res) => void res.json([req.get('host'), req.hostname, req.subdomains, req.url]));
    const { text } = await ask(app, 'http://a.b.example.com:81/x');
    assert.deepEqual(JSON.parse(text), [
      'a.b.example.com:81',
      'a.b.example.com',
      ['b', 'a'],
      'http://a.b.example.com:81/x',
    ]);
  });
  test('Host: may be empty beside a target that names the host, and in HTTP/1.0', async () => {
    const app = strict((req, res) => void res.send(`${req.hostname as string | undefined}`));
    const asked = async (target: string, version = '1.1') => {
      const bytes = `GET ${target} HTTP/${version}\r\nHost:\r\nConnection: close\r\n\r\n`;
      const { status, text } = await withServer(http.createServer(app), port => exchange(port, bytes));
      return status === 200 ? text : status;
    };
    assert.deepEqual(await asked('/'), 400);
    assert.deepEqual(await asked('http://example.com/'), 'example.com');
    assert.deepEqual(await asked('/', '1.0'), 'undefined');
  });
  test('CONNECT: the target is a host if the server handles the method', async () => {
    const app = strict(answer);
    const server = http.createServer(app).on('connect', (req, socket) => {
      const res = new http.ServerResponse(req);
      res.assignSocket(socket as never);
      res.shouldKeepAlive = false;
      res.on('finish', () => socket.end());
      app(req as never, res as never);
    });
    const status = (target: string): Promise<number> =>
      withServer(server, port => exchange(port, `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).then(
        ({ status }) => status,
      );
    assert.equal(await status('a:80'), 404); // no route has a host as its path
    assert.equal(await status('/x'), 400);
  });
});

describe('setting strict http, HTTP/2', () => {
  test('requests: of Node’s HTTP/2 API get a 405 too', () => {
    const program = `
      const http2 = require('node:http2');
      const web = require('ristretto');
      Object.setPrototypeOf(web.request, http2.Http2ServerRequest.prototype);
      Object.setPrototypeOf(web.response, http2.Http2ServerResponse.prototype);
      const app = web().set('env', 'test').enable('strict http').enable('method not allowed');
      app.get('/x', (req, res) => res.send('x'));
      const server = http2.createServer(app).listen(0, '127.0.0.1', async () => {
        const client = http2.connect('http://127.0.0.1:' + server.address().port);
        const ask = method => new Promise(resolve => {
          const request = client.request({ ':method': method, ':path': '/x' });
          request.on('response', fields => { request.resume(); resolve([fields[':status'], fields.allow]); });
          request.end();
        });
        console.log(JSON.stringify([await ask('GET'), await ask('POST')]));
        client.close(() => server.close());
      });`;
    const printed = outputOf(program);
    assert.deepEqual(JSON.parse(printed), [
      [200, null],
      [405, 'GET,HEAD'],
    ]);
  });
});
