// runs: http1, each
/** The classes and prototypes of requests and responses that servers create or that are passed to an application. */
import assert from 'node:assert/strict';
import * as http from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import {
  extendResponses,
  onResponsePrototypes,
} from '@ristretto/private-engine/lib/serving/message-prototypes';
import web from 'ristretto';
import type { Request } from 'ristretto';
import { ask, askPort, exchangeRaw, portOf, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value);

/** Returns the prototypes of all messages with which a server emits `request`, recorded before any listener runs. */
function watch(server: Server): unknown[] {
  const born: unknown[] = [];
  const { emit } = server;
  server.emit = function (this: Server, event: string, ...args: object[]) {
    if (event === 'request') born.push(...args.map(prototypeOf));
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as never;
  return born;
}

type Application = ReturnType<typeof web>;
const hello = (): Application => web().get('/', (_req, res) => void res.send('x')) as Application;

const NATIVE = [IncomingMessage.prototype, ServerResponse.prototype];

/** Assigns to members that are getters in our requests, as other frameworks and their users do. */
function setGetters(req: IncomingMessage): void {
  for (const name of ['path', 'ip', 'protocol', 'hostname', 'secure']) {
    (req as unknown as Record<string, unknown>)[name] = `set ${name}`;
  }
}

/** Which requests and responses a server creates with the application's prototypes, and which remain Node's own. */
describe('message classes', () => {
  test('app.listen creates messages with the application’s prototypes', async () => {
    const app = hello();
    const server = app.listen(0, '127.0.0.1');
    const born = watch(server);
    const port = await portOf(server);
    assert.equal((await askPort(port)).text, 'x');
    assert.deepEqual(born, [app.request, app.response]);
    server.close();
  });

  test('http.createServer(app) creates messages of these classes from the second request on', async () => {
    const app = hello();
    const server = http.createServer(app);
    const born = watch(server);
    await withServer(server, async port => {
      await askPort(port);
      await askPort(port);
    });
    assert.deepEqual(born, [...NATIVE, app.request, app.response]);
  });

  test('a listener before the application receives Node’s own messages and may define properties on them', async () => {
    const app = hello();
    const server = app.listen(0, '127.0.0.1');
    const born = watch(server);
    const port = await portOf(server);
    await askPort(port);
    server.prependListener('request', setGetters);
    assert.equal((await askPort(port)).text, 'x');
    server.off('request', setGetters);
    await askPort(port);
    assert.deepEqual(born, [app.request, app.response, ...NATIVE, app.request, app.response]);
    server.close();
  });

  test('a second listener that responds to some requests itself receives Node’s own messages', async () => {
    const app = hello();
    const server = http.createServer(app);
    server.removeAllListeners('request');
    server.on('request', (req, res) => {
      if (req.url === '/other') {
        setGetters(req);
        res.end(String(prototypeOf(req) === IncomingMessage.prototype));
      } else app(req, res);
    });
    await withServer(server, async port => {
      for (let i = 0; i < 3; i++) {
        assert.equal((await askPort(port)).text, 'x');
        assert.equal((await askPort(port, { path: '/other' })).text, 'true');
      }
    });
  });

  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    test(`a listener for ${event} receives Node’s own messages`, async () => {
      const app = hello();
      const server = app.listen(0, '127.0.0.1');
      const port = await portOf(server);
      await askPort(port);
      server.on(event, (req, res) => {
        setGetters(req);
        res.end(String(prototypeOf(res) === ServerResponse.prototype));
      });
      const expect = event === 'checkContinue' ? '100-continue' : 'other';
      const bytes = await exchangeRaw(
        port,
        `GET / HTTP/1.1\r\nHost: a\r\nExpect: ${expect}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(bytes.toString(), /\r\n\r\ntrue$/);
      server.close();
    });
  }

  test('a listener for upgrade receives Node’s own request, other requests are the application’s', async () => {
    const app = hello();
    const server = app.listen(0, '127.0.0.1');
    const born = watch(server);
    const port = await portOf(server);
    await askPort(port);
    const onUpgrade = (req: IncomingMessage, socket: Duplex): void => {
      setGetters(req);
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\n\r\n${String(prototypeOf(req) === IncomingMessage.prototype)}`,
      );
    };
    server.on('upgrade', onUpgrade);
    const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
    assert.match((await exchangeRaw(port, upgrade)).toString(), /101 [^]*true$/);
    await askPort(port);
    assert.deepEqual(born, [app.request, app.response, app.request, app.response]);
    server.off('upgrade', onUpgrade);
    const refused = upgrade.replace('Connection: Upgrade', 'Connection: Upgrade, close');
    assert.match((await exchangeRaw(port, refused)).toString(), /^HTTP\/1.1 200 OK/);
    assert.equal(server.listenerCount('upgrade'), 0);
    server.close();
  });

  test('classes that are set on the server later are kept', async () => {
    class Other extends IncomingMessage {}
    const app = hello();
    const server = app.listen(0, '127.0.0.1');
    const born = watch(server);
    const port = await portOf(server);
    const slot = Object.getOwnPropertySymbols(server).find(
      symbol => symbol.description === 'IncomingMessage',
    )!;
    (server as unknown as Record<symbol, unknown>)[slot] = Other;
    assert.equal((await askPort(port)).text, 'x');
    assert.equal((await askPort(port)).text, 'x');
    assert.equal(born[0], Other.prototype);
    assert.equal(born[2], Other.prototype);
    server.close();
  });
});

/** serving/message-prototypes: what a kind of server adds to the prototypes of responses. */
describe('serving/message-prototypes', () => {
  test('a kind of server extends the prototypes that exist when it is loaded, and those created later', () => {
    const [early, late] = [0, 1].map(() => Object.create(ServerResponse.prototype) as object);
    const extended: object[] = [];
    extendResponses(early!);
    onResponsePrototypes(prototype => extended.push(prototype));
    assert.equal(extended.at(-1), early);
    extendResponses(late!);
    assert.equal(extended.at(-1), late);
  });
});

/** More requests than those that get the prototypes of a sub-application in any case. */
const MANY = 1010;

/** Sends requests to `/sub`, on one connection. */
async function askOften(app: ReturnType<Web>, count: number): Promise<void> {
  const request = 'GET /sub HTTP/1.1\r\nHost: x\r\n';
  await withServer(app, port =>
    exchangeRaw(port, `${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`),
  );
}

/** Requests and responses get their application's prototypes, whatever created them. */
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
    assert.equal((await ask(app.listen(0))).text, 'new');
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
