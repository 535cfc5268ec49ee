// runs: http1, each
/** Requests and responses get their application's prototypes, whatever created them. */
import assert from 'node:assert/strict';
import * as http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request } from 'ristretto';
import { ask, askPort, exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value);

/** More requests than those that get the prototypes of a sub-application in any case. */
const MANY = 1010;

/** Sends requests to `/sub`, on one connection. */
async function askOften(app: ReturnType<Web>, count: number): Promise<void> {
  const request = 'GET /sub HTTP/1.1\r\nHost: x\r\n';
  await withServer(app, port =>
    exchangeRaw(port, `${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`),
  );
}

describe('serving/adopt', () => {
  test('own classes: are kept if the server was created with them', async () => {
    class OwnRequest extends http.IncomingMessage {}
    const app = web().get('/', (req, res) => void res.send(req.path));
    const born: unknown[] = [];
    const server = http.createServer({ IncomingMessage: OwnRequest }, app);
    server.prependListener('request', req => born.push(prototypeOf(req)));
    await withServer(server, async port => {
      assert.equal((await askPort(port)).text, '/');
      assert.equal((await askPort(port)).text, '/');
    });
    assert.deepEqual(born, [OwnRequest.prototype, OwnRequest.prototype]);
  });

  test('two applications on one server: each request has the members of the application that handles it', async () => {
    const first = web().get('/', (_req, res) => void res.send('first'));
    const second = web().get('/', (req, res) => void res.send(req.app === second ? 'second' : 'wrong'));
    Object.assign(second.request, { extra: 'extra' });
    const server = http.createServer((req, res) => {
      if (req.headers['x-second']) second(req, res);
      else first(req, res);
    });
    await withServer(server, async port => {
      assert.equal((await askPort(port)).text, 'first');
      assert.equal((await askPort(port, { headers: { 'X-Second': '1' } })).text, 'second');
      assert.equal((await askPort(port)).text, 'first');
    });
  });

  test('replaced prototype: app.request can be assigned', async () => {
    const app = web().get(
      '/',
      (req, res) => void res.send(String((req as Request & { mark?: string }).mark)),
    );
    app.request = Object.create(app.request, { mark: { value: 'new' } }) as Request;
    assert.equal((await ask(app)).text, 'new');
    const server = app.listen(0);
    await new Promise(resolve => server.once('listening', resolve));
    assert.equal((await askPort((server.address() as { port: number }).port)).text, 'new');
    server.close();
  });

  test('no socket: handles a request made by hand', (_context, done) => {
    const app = web().get('/', (req, res) => {
      assert.equal(prototypeOf(req), app.request);
      assert.equal(prototypeOf(res), app.response);
      done();
    });
    const req = new http.IncomingMessage(undefined as never);
    Object.assign(req, { method: 'GET', url: '/' });
    app(req, new http.ServerResponse(req));
  });

  test('constructor: is Node’s, for requests and responses', () => {
    assert.equal(web().request.constructor, http.IncomingMessage);
    assert.equal(web().response.constructor, http.ServerResponse);
  });

  test('app: can be assigned on a request and on the prototype', async () => {
    const app = web();
    app.get('/', (req, res) => {
      const other = web();
      req.app = other;
      res.json([req.app === other, res.app === app, Object.keys(req).includes('app')]);
    });
    assert.equal((await ask(app)).text, '[true,true,true]');
  });

  for (const [name, framework] of Object.entries(frameworks)) {
    test(`sub-application: the prototypes of messages inside it are its own (${name})`, async () => {
      const app = framework();
      const sub = framework();
      const seen: boolean[] = [];
      sub.use((req, res, next) => {
        const found = [prototypeOf(req), prototypeOf(res)];
        seen.push(found[0] === sub.request, found[1] === sub.response, req.app === sub, res.app === sub);
        next();
      });
      app.use('/sub', sub);
      app.use((req, res) => {
        const found = [prototypeOf(req), prototypeOf(res)];
        seen.push(found[0] === app.request, found[1] === app.response, req.app === app, res.app === app);
        res.send('x');
      });
      await askOften(app, 3);
      // Code that has read the prototypes once keeps them until the process exits.
      await askOften(app, MANY);
      assert.deepEqual(
        seen.filter(isSame => !isSame),
        [],
      );
    });

    test(`sub-application: what a handler adds to the prototype of a message stays inside (${name})`, async () => {
      const app = framework();
      const sub = framework();
      const seen: unknown[] = [];
      const readMark = (req: object): unknown => (req as { mark?: unknown }).mark;
      sub.use((req, _res, next) => {
        if (seen.length === 0) (prototypeOf(req) as { mark?: string }).mark = 'sub';
        seen.push(readMark(req));
        next();
      });
      app.use('/sub', sub);
      app.use((req, res) => {
        seen.push(readMark(req));
        res.send('x');
      });
      await askOften(app, MANY);
      assert.deepEqual([...new Set(seen)], ['sub', undefined]);
      assert.equal(readMark(app.request), undefined);
    });
  }

  test('sub-application: after 1000 requests that did not use its prototypes, later requests keep the parent’s', async () => {
    const app = web();
    const sub = web();
    const seen: boolean[] = [];
    sub.use((req, res, next) => {
      if (req.app === sub && res.app === sub) seen.push(prototypeOf(req) === app.request);
      next();
    });
    app.use('/sub', sub);
    app.use((req, res) => {
      if (req.app === app && res.app === app) res.send('x');
    });
    await askOften(app as never, 1002);
    assert.deepEqual([seen.indexOf(true), seen.length], [1000, 1002]);
  });

  test('sub-application: its extensions apply inside it and below, and end with it', async () => {
    const app = web();
    const middle = web();
    const inner = web();
    const seen: unknown[] = [];
    type Marked = Request & { mark?: string };
    (middle.request as Marked).mark = 'middle';
    const note = (req: Request, _res: unknown, next: () => void): void => {
      seen.push((req as Marked).mark, [app, middle, inner].indexOf(req.app as typeof app));
      next();
    };
    inner.use(note);
    middle.use(note, inner, note);
    app.use(note, middle, note, (_req, res) => void res.send('x'));
    await ask(app, '/');
    assert.deepEqual(seen, [undefined, 0, 'middle', 1, 'middle', 2, 'middle', 1, undefined, 0]);
  });

  test('sub-application: three levels without extensions are restored one by one', async () => {
    const app = web();
    const middle = web();
    const inner = web();
    const seen: number[] = [];
    const note = (req: Request, _res: unknown, next: () => void): void => {
      seen.push([app, middle, inner].indexOf(req.app as typeof app));
      next();
    };
    inner.use(note);
    middle.use(note, inner, note);
    app.use(note, middle, note, (_req, res) => void res.send('x'));
    await ask(app, '/');
    assert.deepEqual(seen, [0, 1, 2, 1, 0]);
  });

  test('sub-application: its settings apply inside it', async () => {
    const app = web();
    const sub = web();
    sub.set('json spaces', 1);
    sub.get('/', (_req, res) => void res.json({ a: 1 }));
    app.use('/sub', sub);
    app.get('/', (_req, res) => void res.json({ a: 1 }));
    assert.equal((await ask(app, '/sub')).text, '{\n "a": 1\n}');
    assert.equal((await ask(app, '/')).text, '{"a":1}');
  });
});
