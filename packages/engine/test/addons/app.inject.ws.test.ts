// runs: each
/** `app.inject.ws`: opens WebSockets to an application without a port, for tests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import type { InjectedSocket, SocketRefusal } from '@ristretto/private-engine/lib/types/fetch';
import type web from 'ristretto';
import { versions } from '../support/websocket.js';

type App = ReturnType<typeof web>;

const refused = async (socket: Promise<unknown>): Promise<SocketRefusal> => {
  const error = await socket.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return error as SocketRefusal;
};

for (const { version, make } of versions) {
  const echo = (): App => {
    const app = make();
    app.ws('/rooms/:room', { protocols: ['chat.v1'] }, (socket, req) => {
      const { originalUrl, ip, secure, headers } = req;
      socket.send(JSON.stringify({ room: req.params.room, originalUrl, ip, secure, headers }));
      socket.on('message', (data: Buffer, isBinary: boolean) => socket.send(data, { binary: isBinary }));
    });
    return app;
  };
  const first = async (socket: InjectedSocket): Promise<Record<string, unknown>> =>
    JSON.parse(String(await socket.next())) as Record<string, unknown>;

  describe(`app.inject.ws, Express ${version}`, () => {
    test('a path: opens a socket, whose messages wait for `next`', async () => {
      const socket = await echo().inject.ws('/rooms/1?a=b', { query: { c: 'd' } });
      assert.equal(socket.readyState, 1);
      assert.equal(socket.response.status, 101);
      const { room, originalUrl, ip, secure } = await first(socket);
      assert.deepEqual([room, originalUrl, ip, secure], ['1', '/rooms/1?a=b&c=d', '127.0.0.1', false]);
      socket.send('one');
      socket.send(Buffer.from([2]));
      socket.send('three');
      assert.deepEqual(
        [await socket.next(), await socket.next(), await socket.next()],
        ['one', Buffer.from([2]), 'three'],
      );
      socket.close(1000, 'enough');
      const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
      assert.deepEqual([code, String(reason)], [1000, 'enough']);
      await assert.rejects(socket.next(), {
        message: /closed with 1000 enough/,
        code: 1000,
        reason: 'enough',
      });
    });

    test('events: a listener that is added at once misses nothing', async () => {
      const socket = await echo().inject.ws('/rooms/1');
      const [data] = (await once(socket, 'message')) as [Buffer];
      assert.match(String(data), /"room":"1"/);
      socket.terminate();
    });

    test('options: headers, cookies, address, protocols and a whole URL reach the application', async () => {
      const socket = await echo().inject.ws('https://chat.example/rooms/2', {
        headers: { 'X-A': 'b', origin: 'https://chat.example' },
        cookies: { sid: 'x y' },
        remoteAddress: '192.0.2.1',
        protocols: ['other', 'chat.v1'],
      });
      assert.equal(socket.protocol, 'chat.v1');
      const { ip, secure, headers } = await first(socket);
      const { host, cookie, 'x-a': own } = headers as Record<string, string>;
      assert.deepEqual(
        [ip, secure, host, cookie, own],
        ['192.0.2.1', true, 'chat.example', 'sid=x%20y', 'b'],
      );
      socket.terminate();
    });

    test('a response: rejects with its status, headers, cookies and body', async () => {
      const app = make();
      app.use((_req, res, next) => {
        res.setHeader('Set-Cookie', 'a=b');
        next();
      });
      app.ws(
        '/',
        (_req, res) => {
          res.statusCode = 401;
          res.setHeader('Content-Type', 'application/json');
          res.end('{"error":"log in first"}');
        },
        () => assert.fail(),
      );
      const { name, message, status, response } = await refused(app.inject.ws('/'));
      assert.deepEqual([name, status, response.status], ['SocketRefusal', 401, 401]);
      assert.match(message, /refused the WebSocket with 401 Unauthorized: \{"error":"log in first"\}/);
      assert.deepEqual(response.json(), { error: 'log in first' });
      assert.deepEqual(response.cookies, [{ name: 'a', value: 'b' }]);
      assert.equal((await refused(app.inject.ws('/none'))).status, 404);
      assert.equal((await refused(make().inject.ws('/'))).status, 404);
    });

    test('Origin: is checked as for any client', async () => {
      const app = echo();
      const headers = { origin: 'https://evil.example' };
      assert.equal((await refused(app.inject.ws('/rooms/1', { headers }))).status, 403);
    });

    test('limits: count the sockets of the application', async () => {
      const app = make();
      app.ws('/', { maxConnections: 1 }, () => undefined);
      const socket = await app.inject.ws('/');
      assert.equal((await refused(app.inject.ws('/'))).status, 503);
      socket.close();
      await once(socket, 'close');
      (await app.inject.ws('/')).terminate();
    });

    test('closing: each side sees the other’s close code, and a broken connection', async () => {
      const app = make();
      const codes: number[] = [];
      app.ws('/:code', (socket, req) => {
        socket.on('close', code => codes.push(code));
        if (req.params.code !== '0') socket.close(Number(req.params.code), 'bye');
      });
      const socket = await app.inject.ws('/4001');
      await assert.rejects(socket.next(), { code: 4001, reason: 'bye' });
      const broken = await app.inject.ws('/0');
      broken.terminate();
      await assert.rejects(broken.next(), { code: 1006 });
      await new Promise(setImmediate);
      assert.deepEqual(codes, [4001, 1006]);
    });

    test('closing: leaves no timer that keeps a test process alive', async () => {
      const app = make();
      app.ws('/', socket => socket.send('open'));
      const timers = (): number =>
        process.getActiveResourcesInfo().filter(resource => resource === 'Timeout').length;
      const before = timers();
      const socket = await app.inject.ws('/');
      await socket.next();
      socket.close();
      await once(socket, 'close');
      await new Promise(setImmediate);
      assert.equal(timers(), before);
    });

    test('signal: breaks the connection, also before the socket is open', async () => {
      const app = make();
      let isAborted = false;
      app.use((req, _res, next) => {
        (req as { signal?: AbortSignal }).signal?.addEventListener('abort', () => (isAborted = true));
        setTimeout(next, 30);
      });
      app.ws('/', () => undefined);
      const controller = new AbortController();
      const opening = app.inject.ws('/', { signal: controller.signal });
      setTimeout(() => {
        controller.abort();
      }, 5);
      assert.match((await refused(opening)).message, /hang up|aborted/);
      assert.equal(isAborted, true);
      await assert.rejects(app.inject.ws('/', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    });

    test('options: rejects unknown ones', async () => {
      await assert.rejects(echo().inject.ws('/rooms/1', { cookie: '' } as never), {
        name: 'TypeError',
        message:
          "app.inject.ws(): unknown option 'cookie'; the options are query, headers, cookies, remoteAddress, protocols, signal",
      });
      await assert.rejects(
        echo().inject.ws('/rooms/1', 5 as never),
        /expected an object with options, got 5/,
      );
      await assert.rejects(echo().inject.ws(5 as never), /app\.inject\.ws\(\): url must be a string, got 5/);
    });

    test('a large message: passes in both directions with backpressure', async () => {
      const app = make();
      app.ws('/', { maxPayload: '4mb', maxBacklog: '8mb' }, socket => {
        socket.on('message', data => socket.send(data));
      });
      const socket = await app.inject.ws('/');
      const text = 'x'.repeat(3_000_000);
      socket.send(text);
      assert.equal(String(await socket.next()), Buffer.from(text).toString());
      socket.close();
    });
  });
}
