// runs: each
/** `app.ws` over TLS and HTTP/2 (RFC 8441). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import https from 'node:https';
import type { Server } from 'node:net';
import { describe, test } from 'node:test';
import type web from 'ristretto';
import { WebSocket } from 'ws';
import { certificate } from '../support/http2.js';
import { until } from '../support/until.js';
import { Client, versions, withSockets } from '../support/websocket.js';
import { portOf } from '../support/http.js';

type App = ReturnType<typeof web>;

/** Sends an extended CONNECT. */
function request(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string> = {},
): ClientHttp2Stream {
  return session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':scheme': 'http',
    ':path': path,
    'sec-websocket-version': '13',
    ...headers,
  });
}

/** Sends an extended CONNECT, and returns the headers of the response. */
async function connect(
  ...args: Parameters<typeof request>
): Promise<{ stream: ClientHttp2Stream; head: IncomingHttpHeaders }> {
  const stream = request(...args);
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  return { stream, head };
}

/** The client of `ws` on a stream, for which the package has no function. */
function clientOn(stream: ClientHttp2Stream): WebSocket {
  const client = new WebSocket(null as never, undefined, { autoPong: true } as never) as WebSocket & {
    _isServer: boolean;
    setSocket(stream: unknown, head: Buffer, options: object): void;
  };
  client._isServer = false;
  client.setSocket(stream, Buffer.alloc(0), { maxPayload: 1024 });
  return client;
}

async function withSession(
  server: Server,
  use: (session: ClientHttp2Session) => Promise<void>,
  isSecure = false,
): Promise<void> {
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${String(await portOf(server))}`;
  const session = http2.connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  try {
    await until(() => session.remoteSettings?.enableConnectProtocol === true);
    await use(session);
  } finally {
    session.destroy();
    server.close();
  }
}

for (const { version, make } of versions) {
  let closed: number[] = [];
  const echo = (): App => {
    // Sockets of the previous test may close late.
    const own: number[] = (closed = []);
    const app = make();
    app.use((_req, res, next) => {
      res.setHeader('X-Layer', '1');
      next();
    });
    app.ws(
      '/refused',
      (_req, res) => {
        res.statusCode = 401;
        res.end('no');
      },
      () => undefined,
    );
    app.ws('/:room', (socket, req) => {
      socket.on('close', code => own.push(code));
      socket.on('message', data =>
        socket.send(`${req.params.room} ${req.method} ${req.httpVersion} ${String(data)}`),
      );
    });
    return app;
  };

  describe(`app.ws, other transports, Express ${version}`, () => {
    test('TLS: opens sockets on servers of node:https', async () => {
      await withSockets(https.createServer(certificate(), echo()), async port => {
        const client = new Client(`wss://127.0.0.1:${String(port)}/a`, { rejectUnauthorized: false });
        await client.ready;
        client.socket.send('x');
        assert.deepEqual(await client.received(1), ['a GET 1.1 x']);
        client.socket.close();
      });
    });

    for (const kind of ['app.listen', 'http2.createSecureServer', 'http2.createServer'] as const) {
      test(`HTTP/2: opens sockets on streams of ${kind}`, async () => {
        const server =
          kind === 'app.listen'
            ? echo().listen({ http2: true, port: 0 })
            : kind === 'http2.createServer'
              ? http2.createServer(echo() as never).listen(0)
              : http2.createSecureServer({ ...certificate(), allowHTTP1: true }, echo() as never).listen(0);
        if (kind === 'http2.createServer') {
          // Before Node 24, the session of the first connection can't be found: it has begun when the server becomes known.
          const first = http2.connect(`http://127.0.0.1:${String(await portOf(server))}`);
          await once(first, 'remoteSettings');
          first.destroy();
        }
        const opened = async (session: ClientHttp2Session): Promise<void> => {
          const { stream, head } = await connect(session, '/b');
          assert.deepEqual([head[':status'], head['x-layer'], head['content-length']], [200, '1', undefined]);
          const client = clientOn(stream);
          client.send('y');
          const [data] = (await once(client, 'message')) as [Buffer];
          assert.equal(String(data), 'b GET 2.0 y');
          client.close(1000);
          // Node's client sometimes misses the end of a stream, so the server's view counts.
          await until(() => closed.length > 0);
          assert.deepEqual(closed, [1000]);
        };
        await withSession(server as unknown as Server, opened, kind === 'http2.createSecureServer');
      });
    }

    test('HTTP/2: a response refuses the socket, and ends the stream', async () => {
      await withSession(echo().listen({ http2: true, port: 0 }) as unknown as Server, async session => {
        for (const [path, status] of [
          ['/refused', 401],
          ['/none/at/all', 404],
        ] as const) {
          const { stream, head } = await connect(session, path);
          assert.equal(head[':status'], status);
          stream.resume();
          await once(stream, 'close');
        }
      });
    });

    test('HTTP/2: a stream that is reset while hooks hold the handshake gives its place back', async () => {
      const app = make();
      app.ws(
        '/',
        { maxConnections: 1 },
        (_req, res, next) => {
          res.onSend(() => waiting);
          next();
        },
        () => undefined,
      );
      let release: (() => void) | undefined;
      let waiting: Promise<void> | undefined = new Promise(resolve => (release = resolve));
      const server = http2.createSecureServer(certificate(), app as never).listen(0);
      const url = `https://127.0.0.1:${String(await portOf(server))}`;
      const first = http2.connect(url, { rejectUnauthorized: false }).on('error', () => undefined);
      await until(() => first.remoteSettings?.enableConnectProtocol === true);
      const stream = request(first, '/');
      stream.on('error', () => undefined);
      await new Promise(resolve => first.ping(resolve));
      stream.write('abc');
      stream.close(http2.constants.NGHTTP2_NO_ERROR);
      await once(stream, 'close');
      // Until the server has noticed
      await new Promise(resolve => setTimeout(resolve, 100));
      release!();
      waiting = undefined;
      first.destroy();
      await withSession(
        server as unknown as Server,
        async session => {
          await until(async () => {
            const { stream: again, head } = await connect(session, '/');
            again.on('error', () => undefined).close();
            return Number(head[':status']) === 200;
          });
        },
        true,
      );
    });

    test('HTTP/2: clients with HTTP/1.1 open sockets on the same server', async () => {
      const server = http2.createSecureServer({ ...certificate(), allowHTTP1: true }, echo() as never);
      const port = await portOf(server.listen(0));
      const client = new Client(`wss://127.0.0.1:${String(port)}/a`, { rejectUnauthorized: false });
      await client.ready;
      client.socket.send('x');
      assert.deepEqual(await client.received(1), ['a GET 1.1 x']);
      client.socket.terminate();
      server.close();
    });
  });
}
