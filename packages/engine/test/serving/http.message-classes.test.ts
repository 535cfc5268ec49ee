// runs: http1, each
/** Which requests and responses a server creates with the application's prototypes, and which remain Node's own. */
import assert from 'node:assert/strict';
import * as http from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import { describe, test } from 'node:test';
import type { Duplex } from 'node:stream';
import web from 'ristretto';
import { askPort, exchangeRaw, withServer } from '../support/http.js';

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

async function listening(server: Server): Promise<number> {
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve));
  return (server.address() as { port: number }).port;
}

const NATIVE = [IncomingMessage.prototype, ServerResponse.prototype];

/** Assigns to members that are getters in our requests, as other frameworks and their users do. */
function setGetters(req: IncomingMessage): void {
  for (const name of ['path', 'ip', 'protocol', 'hostname', 'secure']) {
    (req as unknown as Record<string, unknown>)[name] = `set ${name}`;
  }
}

describe('message classes', () => {
  test('app.listen creates messages with the application’s prototypes', async () => {
    const app = hello();
    const server = app.listen(0, '127.0.0.1');
    const born = watch(server);
    const port = await listening(server);
    assert.equal((await askPort(port)).text, 'x');
    assert.deepEqual(born, [app.request, app.response]);
    server.close();
  });

  test('http.createServer(app) creates such messages from the second request on', async () => {
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
    const port = await listening(server);
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
      const port = await listening(server);
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
    const port = await listening(server);
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
    const port = await listening(server);
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
