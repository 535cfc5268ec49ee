// runs: each
/** `app.ws`: safe defaults, each limit, and the responses to clients that violate the protocol. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { Socket, SocketMessageError } from 'ristretto';
import {
  BINARY,
  CLOSE,
  FIN,
  frame,
  open,
  PING,
  requestLines,
  TEXT,
  versions,
  withSockets,
} from '../support/websocket.js';
import { number, object } from '../support/schemas.js';
import { until } from '../support/until.js';
import { portOf } from '../support/http.js';

type App = ReturnType<typeof web>;

const readOptions = (options: web.SocketOptions): App => {
  const app = web().set('env', 'test');
  app.ws('/', options as web.SocketOptions & { message?: undefined }, socket => {
    socket.on('message', data => socket.send(data));
  });
  return app;
};

/** Opens a socket with bytes, sends frames, and returns the code of the close frame; 1006 if there was none. */
async function codeFor(port: number, ...frames: Buffer[]): Promise<number> {
  const socket = net.connect(port, '127.0.0.1');
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined).on('data', piece => (bytes = Buffer.concat([bytes, piece])));
  socket.write([...requestLines('/'), '', ''].join('\r\n'));
  await until(() => bytes.includes('\r\n\r\n'));
  const start = bytes.indexOf('\r\n\r\n') + 4;
  socket.write(Buffer.concat(frames));
  await Promise.race([once(socket, 'end'), once(socket, 'close'), sleep(3000)]);
  socket.destroy();
  for (let at = start; at < bytes.length; at += 2 + bytes[at + 1]!) {
    if ((bytes[at]! & 15) === CLOSE) return bytes[at + 1]! >= 2 ? bytes.readUInt16BE(at + 2) : 1005;
  }
  return 1006;
}

describe('app.ws, limits', () => {
  test('options: throws for invalid ones', () => {
    const invalid: [unknown, RegExp][] = [
      [{ maxPayload: 0 }, /maxPayload must be a number of bytes, or text such as '1mb', got 0/],
      [{ maxPayload: 'much' }, /maxPayload must be .*, got 'much'/],
      [{ maxBacklog: NaN }, /maxBacklog must be/],
      [{ maxConnections: 1.5 }, /maxConnections must be a positive integer, or Infinity, got 1\.5/],
      [{ maxConnectionsPerAddress: '1' }, /maxConnectionsPerAddress must be/],
      [{ origins: ['example.com'] }, /origins must be '\*' or an array of origins .*, got 'example\.com'/],
      [{ origins: ['https://a.example/path'] }, /origins must be/],
      [{ origins: 'https://a.example' }, /origins must be/],
      [{ slowReader: 'wait' }, /slowReader must be 'close' or 'drop', got 'wait'/],
      [{ heartbeat: true }, /heartbeat of app\.ws\(\)/],
      [{ heartbeat: 0 }, /heartbeat of app\.ws\(\)/],
      [{ compression: 'yes' }, /compression must be/],
      [{ protocols: ['a b'] }, /protocols must be/],
      [{ message: {} }, /app\.ws\(\) needs a schema for the option message/],
    ];
    for (const [options, message] of invalid)
      assert.throws(() => readOptions(options as web.SocketOptions), { message });
  });

  for (const { version, make } of versions) {
    test(`origin: only pages of the same host and listed ones may open sockets, Express ${version}`, async () => {
      const app = make().set('trust proxy', 'loopback');
      const closing = (socket: Socket): void => void socket.close();
      app.ws('/', closing);
      app.ws('/listed', { origins: ['https://app.example', 'null'] }, closing);
      app.ws('/all', { origins: '*' }, closing);
      await withSockets(app, async port => {
        const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
          const { status } = await open(port, path, { headers }).over;
          return status ?? 101;
        };
        const host = `127.0.0.1:${String(port)}`;
        assert.equal(await statusOf('/', {}), 101);
        assert.equal(await statusOf('/', { origin: `http://${host}` }), 101);
        assert.equal(await statusOf('/', { origin: `http://${host}`, host: host.toUpperCase() }), 101);
        assert.equal(await statusOf('/', { origin: 'https://a.example', host: 'a.example:443' }), 101);
        assert.equal(
          await statusOf('/', { origin: 'https://a.example', 'x-forwarded-host': 'a.example' }),
          101,
        );
        const others = [
          'http://127.0.0.1',
          'https://evil.example',
          'null',
          `http://${host}.evil.example`,
          'file://',
          '',
        ];
        for (const origin of others) assert.equal(await statusOf('/', { origin }), 403, origin);
        assert.equal(await statusOf('/listed', { origin: 'https://app.example' }), 101);
        assert.equal(await statusOf('/listed', { origin: 'null' }), 101);
        assert.equal(await statusOf('/listed', { origin: 'http://app.example' }), 403);
        assert.equal(await statusOf('/all', { origin: 'https://evil.example' }), 101);
      });
    });
  }

  test('origin: a forwarded host counts only from a trusted proxy', async () => {
    await withSockets(readOptions({}), async port => {
      const headers = { origin: 'https://a.example', 'x-forwarded-host': 'a.example' };
      assert.equal((await open(port, '/', { headers }).over).status, 403);
    });
  });

  test('maxPayload: a larger message closes the socket with 1009, also in fragments', async () => {
    await withSockets(readOptions({ maxPayload: 10 }), async port => {
      assert.equal(await codeFor(port, frame(FIN | TEXT, 'x'.repeat(11))), 1009);
      assert.equal(await codeFor(port, frame(TEXT, 'x'.repeat(6)), frame(FIN, 'x'.repeat(6))), 1009);
      assert.equal(await codeFor(port, frame(FIN | BINARY, '', { length: 65_535 })), 1009);
    });
  });

  test('maxPayload: is 100 KiB by default', async () => {
    await withSockets(readOptions({}), async port => {
      const { socket, ready, over } = open(port, '/');
      await ready;
      socket.send('x'.repeat(102_400));
      await once(socket, 'message');
      socket.send('x'.repeat(102_401));
      assert.equal((await over).code, 1009);
    });
  });

  test('maxConnections: refuses further sockets with 503, until one is closed', async () => {
    await withSockets(readOptions({ maxConnections: 2 }), async port => {
      const clients = [open(port, '/'), open(port, '/')];
      for (const { ready } of clients) await ready;
      const { status, headers } = await open(port, '/').over;
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
      clients[0]!.socket.terminate();
      await once(clients[0]!.socket, 'close');
      await sleep(20);
      assert.equal((await open(port, '/').ready).status, undefined);
      clients[1]!.socket.terminate();
    });
  });

  test('maxConnectionsPerAddress: refuses with 429, by the bits of the address', async () => {
    const app = readOptions({ maxConnectionsPerAddress: 1 }).set('trust proxy', 'loopback');
    await withSockets(app, async port => {
      const from = (address: string): ReturnType<typeof open> =>
        open(port, '/', { headers: { 'x-forwarded-for': address } });
      const statusFrom = async (address: string): Promise<number | undefined> =>
        (await from(address).ready).status;
      assert.equal(await statusFrom('192.0.2.1'), undefined);
      assert.equal(await statusFrom('::ffff:192.0.2.1'), 429);
      assert.equal(await statusFrom('::ffff:c000:201'), 429);
      assert.equal(await statusFrom('192.0.2.2'), undefined);
      assert.equal(await statusFrom('2001:db8::1'), undefined);
      assert.equal(await statusFrom('2001:db8:0:0:ffff::2'), 429);
      assert.equal(await statusFrom('2001:db8:0:1::1'), undefined);
    });
  });

  for (const slowReader of ['close', 'drop'] as const) {
    test(`maxBacklog: the backlog of a slow reader is limited, slowReader '${slowReader}'`, async () => {
      const app = web().set('env', 'test');
      let most = 0;
      let failures = 0;
      let own: Socket | undefined;
      app.ws('/', { maxBacklog: '256kb', slowReader }, socket => {
        own = socket;
        const timer = setInterval(() => {
          for (let i = 0; i < 50; i++) socket.send('x'.repeat(16_384), error => (failures += error ? 1 : 0));
          most = Math.max(most, socket.bufferedAmount);
        }, 1);
        socket.on('close', () => {
          clearInterval(timer);
        });
      });
      await withSockets(app, async port => {
        const client = net.connect(port, '127.0.0.1');
        client.on('error', () => undefined);
        client.write([...requestLines('/'), '', ''].join('\r\n'));
        await until(() => failures > 0);
        if (slowReader === 'close') await until(() => own!.readyState === 3);
        else assert.equal(own!.readyState, 1);
        assert.ok(most < 300_000, String(most));
        client.destroy();
      });
    });
  }

  test('maxBacklog: counts the pongs for a client that sends pings and never reads', async () => {
    const app = web().set('env', 'test');
    let most = 0;
    let own: Socket | undefined;
    app.ws('/', { maxBacklog: '64kb' }, socket => {
      own = socket;
      // Versions of ws before 8.23 have no limit of their own.
      Object.assign(socket, { _maxPendingAutoPongs: 0 });
      socket.on('ping', () => (most = Math.max(most, socket.bufferedAmount)));
    });
    await withSockets(app, async port => {
      const client = net.connect(port, '127.0.0.1');
      client.on('error', () => undefined);
      client.write([...requestLines('/'), '', ''].join('\r\n'));
      await until(() => own !== undefined);
      const pings = Buffer.concat(Array<Buffer>(500).fill(frame(FIN | PING, 'x'.repeat(125))));
      await until(() => {
        if (client.writableLength < 1_000_000) client.write(pings);
        return own!.readyState === 3;
      });
      assert.ok(most < 100_000, String(most));
      client.destroy();
    });
  });

  test(
    'heartbeat: ends a peer that no longer responds, and no other',
    { skip: process.platform === 'win32' },
    async () => {
      const app = web().set('env', 'test');
      const closed: number[] = [];
      app.ws('/', { heartbeat: 150 }, socket => {
        socket.on('close', code => closed.push(code));
      });
      await withSockets(app, async port => {
        const program = `new (require(${JSON.stringify(require.resolve('ws'))}).WebSocket)('ws://127.0.0.1:${String(port)}/')`;
        const peer = spawn(process.execPath, ['-e', `${program}.on('open', () => console.log('open'))`]);
        await once(peer.stdout, 'data');
        const alive = open(port, '/');
        await alive.ready;
        peer.kill('SIGSTOP');
        await until(() => closed.length > 0);
        await sleep(400);
        assert.deepEqual(closed, [1006]);
        assert.equal(alive.socket.readyState, 1);
        alive.socket.terminate();
        peer.kill('SIGKILL');
      });
    },
  );

  test('compression: is off unless enabled', async () => {
    for (const [options, expected] of [
      [{}, ''],
      [{ compression: true }, 'permessage-deflate'],
    ] as const) {
      await withSockets(readOptions(options), async port => {
        const { socket, ready } = open(port, '/', { perMessageDeflate: true });
        await ready;
        assert.equal(socket.extensions, expected);
        socket.terminate();
      });
    }
  });

  test('protocols: the first one listed that the client offers is used, and no other', async () => {
    await withSockets(readOptions({ protocols: ['v2', 'v1'] }), async port => {
      const { socket, ready } = open(port, '/', { protocols: ['v1', 'v2'] });
      await ready;
      assert.equal(socket.protocol, 'v2');
      socket.terminate();
    });
  });
});

describe('app.ws, messages', () => {
  const schema = object({ amount: number() });

  test('schema: listeners get its output, in order', async () => {
    const app = web().set('env', 'test');
    const seen: unknown[] = [];
    const slow = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => {
          await sleep((value as { wait: number }).wait);
          return { value };
        },
      },
    };
    app.ws('/', { message: schema }, socket => socket.on('message', message => seen.push(message)));
    app.ws('/slow', { message: slow }, socket => socket.on('message', message => seen.push(message)));
    await withSockets(app, async port => {
      for (const [path, messages] of [
        ['/', [{ amount: 1 }, { amount: 2 }]],
        ['/slow', [{ wait: 20 }, { wait: 0 }, { wait: 5 }]],
      ] as const) {
        seen.length = 0;
        const { socket, ready } = open(port, path);
        await ready;
        for (const message of messages) socket.send(JSON.stringify(message));
        await until(() => seen.length === messages.length);
        assert.deepEqual(seen, messages);
        socket.terminate();
      }
    });
  });

  test('schema: an invalid message closes the socket with 1007, a binary one with 1003', async () => {
    const app = web().set('env', 'test');
    app.ws('/', { message: schema }, socket => socket.on('message', () => assert.fail()));
    await withSockets(app, async port => {
      const codeOf = async (data: string | Buffer): Promise<unknown> => {
        const { socket, ready, over } = open(port, '/');
        await ready;
        socket.send(data);
        const { code, reason } = await over;
        return [code, reason];
      };
      assert.deepEqual(await codeOf('{'), [1007, 'Expected JSON']);
      assert.equal(((await codeOf('{"amount":"x"}')) as unknown[])[0], 1007);
      assert.deepEqual(await codeOf(Buffer.from('{}')), [1003, 'Expected text, got a binary message']);
    });
  });

  test('schema: with a listener for invalid, the socket stays open', async () => {
    const app = web().set('env', 'test');
    const errors: SocketMessageError[] = [];
    app.ws('/', { message: schema }, socket => {
      socket.on('invalid', error => {
        errors.push(error);
        socket.send('again');
      });
    });
    await withSockets(app, async port => {
      const client = open(port, '/');
      await client.ready;
      client.socket.send('[]');
      assert.deepEqual(await client.received(1), ['again']);
      assert.equal(errors[0]!.code, 1007);
      client.socket.terminate();
    });
  });
});

describe('app.ws, operation', () => {
  test('web.stop: closes sockets with 1001 and reports them, busy ones after their work', async () => {
    const app = web().set('env', 'test');
    let done: (() => void) | undefined;
    app.ws('/', () => undefined);
    app.ws('/busy', socket => void socket.busy(new Promise<void>(resolve => (done = resolve))));
    await withSockets(app, async (port, server) => {
      const idle = open(port, '/');
      const busy = open(port, '/busy');
      await Promise.all([idle.ready, busy.ready]);
      const stopped = web.stop(server, { timeout: 5000 });
      assert.equal((await idle.over).code, 1001);
      assert.equal(busy.socket.readyState, 1);
      done!();
      assert.equal((await busy.over).code, 1001);
      const { sockets, forced } = await stopped;
      assert.deepEqual([sockets, forced], [2, 0]);
    });
  });

  test('web.stop: closes a socket that was being opened, and waits for it', async () => {
    const app = web().set('env', 'test');
    let release: (() => void) | undefined;
    app.ws(
      '/',
      (_req, res, next) => {
        res.onSend(() => new Promise<void>(resolve => (release = resolve)));
        next();
      },
      () => undefined,
    );
    await withSockets(app, async (port, server) => {
      const late = open(port, '/');
      await until(() => release !== undefined);
      const stopped = web.stop(server, { timeout: 60_000 });
      await until(() => !server.listening);
      release!();
      assert.equal((await late.over).code, 1001);
      const { sockets, forced } = await stopped;
      assert.deepEqual([sockets, forced], [1, 0]);
    });
  });

  test('web.stop: a socket that was refused meanwhile does not refuse those after the server listens again', async () => {
    const app = web().set('env', 'test');
    let isClosed = false;
    app.ws('/', socket => void socket.on('close', () => (isClosed = true)));
    await withSockets(app, async (port, server) => {
      const first = open(port, '/');
      await first.ready;
      first.socket.close();
      await until(() => isClosed);
      const late = net
        .connect(port, '127.0.0.1')
        .setEncoding('latin1')
        .on('error', () => undefined);
      late.write('GET /none HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(late, 'data');
      const stopped = web.stop(server, { drain: 300, timeout: 60_000 });
      await until(() => !server.listening);
      late.write(`${requestLines('/').join('\r\n')}\r\n\r\n`);
      assert.match(String(await once(late, 'data')), /^HTTP\/1.1 503/);
      await stopped;
      const again = open(await portOf(server.listen(0, '127.0.0.1')), '/');
      await again.ready;
      assert.equal(again.socket.readyState, 1);
      again.socket.close();
      await again.over;
    });
  });

  test('a client that ends its connection while middleware waits: is noticed, also before a pipelined handshake', async () => {
    const app = web().set('env', 'test');
    const closed: string[] = [];
    const wait: web.RequestHandler = (req, res) => void res.on('close', () => closed.push(req.path));
    app.get('/poll', wait);
    app.ws('/wait', wait, () => undefined);
    app.ws('/open', () => undefined);
    const text = (path: string): string => `${requestLines(path).join('\r\n')}\r\n\r\n`;
    await withSockets(app, async (port, server) => {
      for (const [path, sent] of [
        ['/wait', text('/wait')],
        ['/poll', 'GET /poll HTTP/1.1\r\nHost: a\r\n\r\n' + text('/open')],
      ] as const) {
        net
          .connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .end(sent);
        await until(() => closed.includes(path));
      }
      const count = async (): Promise<number> =>
        new Promise(resolve => void server.getConnections((_error, connections) => resolve(connections)));
      await until(async () => (await count()) === 0);
    });
  });

  test('web.stop: after the timeout, busy sockets are cut off', async () => {
    const app = web().set('env', 'test');
    app.ws('/', socket => void socket.busy(new Promise(() => undefined)));
    await withSockets(app, async (port, server) => {
      const { ready, over } = open(port, '/');
      await ready;
      const { sockets, forced } = await web.stop(server, { timeout: 150 });
      assert.deepEqual([sockets, forced], [undefined, 1]);
      assert.equal((await over).code, 1006);
    });
  });

  test('channels: publish each socket when it opens and when it has closed', async () => {
    const app = web().set('env', 'test');
    app.ws('/:id', socket => void socket.close(1000, 'done'));
    const seen: unknown[] = [];
    let own: unknown;
    const opened = (message: unknown): void => {
      const { req, socket } = message as { req: web.Request; socket: unknown };
      own = socket;
      seen.push(req.params);
    };
    const closed = (message: unknown): void => {
      const { socket, code, reason } = message as { socket: unknown; code: number; reason: string };
      // A socket of the previous test may still be closing.
      if (socket === own) seen.push([code, reason]);
    };
    subscribe('ristretto.websocket.open', opened);
    subscribe('ristretto.websocket.close', closed);
    await withSockets(app, async port => {
      await open(port, '/7').over;
      await until(() => seen.length === 2);
    });
    unsubscribe('ristretto.websocket.open', opened);
    unsubscribe('ristretto.websocket.close', closed);
    assert.deepEqual(seen, [{ id: '7' }, [1000, 'done']]);
  });

  test('memory: 1,000 sockets leave nothing behind', async () => {
    const app = web().set('env', 'test');
    const sockets: WeakRef<object>[] = [];
    app.ws('/', { maxConnectionsPerAddress: 1000 }, (socket, req) => {
      sockets.push(new WeakRef(socket), new WeakRef(req));
      socket.on('message', () => undefined);
    });
    await withSockets(app, async port => {
      for (let batch = 0; batch < 10; batch++) {
        const clients = Array.from({ length: 100 }, () => open(port, '/'));
        for (const { ready } of clients) assert.equal((await ready).status, undefined);
        for (const { socket } of clients) socket.close();
        for (const { over } of clients) await over;
      }
      await sleep(50);
      const { setFlagsFromString } = await import('node:v8');
      const { runInNewContext } = await import('node:vm');
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      await until(() => {
        collect();
        return sockets.filter(ref => ref.deref() !== undefined).length < 20;
      });
    });
  });
});
