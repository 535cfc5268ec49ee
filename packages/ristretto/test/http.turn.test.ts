/** The turn of a response on its connection: behaves as in Node. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { kinds, onBoth } from './support/beside-runtime.js';
import type { Handler } from './support/beside-runtime.js';
import { Connection } from './support/connection.js';
import { exchangeRaw, withServer } from './support/http.js';

interface TurnFunctions {
  assignSocket(socket: Socket): void;
  detachSocket(socket: Socket): void;
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('turns of responses on a connection', () => {
  for (const cutAt of [1, 2, 3]) {
    test(`aborted: request ${String(cutAt)} of a connection emits close once`, async () => {
      const { bare, ours } = await onBoth(async make => {
        const noted: string[] = [];
        let count = 0;
        let close: () => void;
        const closed = new Promise<void>(resolve => (close = resolve));
        const server = make((req, res) => {
          count++;
          const name = String(count);
          req.on('close', () => noted.push(`${name} req close`)).on('error', () => undefined);
          res
            .on('finish', () => noted.push(`${name} finish`))
            .on('close', () => {
              noted.push(`${name} close ${String(res.destroyed)} ${String(res.writableFinished)}`);
              if (!res.writableFinished) setImmediate(close);
            });
          if (count < cutAt) res.end('answer');
          else res.write('part');
        });
        await withServer(server, async port => {
          const connection = await Connection.open(port);
          for (let i = 1; i < cutAt; i++)
            await connection.get('/').until(new RegExp(`(answer[^]*){${String(i)}}`));
          await connection.get('/').until(/part/);
          connection.socket.destroy();
          await closed;
        });
        return noted;
      });
      assert.deepEqual(ours, bare);
      assert.equal(ours.filter(line => line.startsWith(`${String(cutAt)} close true false`)).length, 1);
    });
  }

  test('listeners: do not accumulate on the connection, and none is called for another request', async () => {
    const numbers: number[] = [];
    let closes = 0;
    const server = kinds.ours((req, res) => {
      numbers.push(req.socket.listenerCount('close'));
      res.on('close', () => closes++);
      res.end('answer');
    });
    await withServer(server, async port => {
      const connection = await Connection.open(port);
      for (let i = 1; i <= 6; i++) await connection.get('/').until(new RegExp(`(answer[^]*){${String(i)}}`));
      await turn();
      assert.equal(closes, 6);
      connection.socket.destroy();
      await turn();
    });
    assert.equal(closes, 6);
    assert.deepEqual(new Set(numbers.slice(2)), new Set([numbers[2]]));
  });

  test('pipelined: sends each response in its turn, and emits the event for listeners', async () => {
    const { bare, ours } = await onBoth(async make => {
      const held: ServerResponse[] = [];
      const noted: string[] = [];
      const server = make((req, res) => {
        res.on('socket', socket => noted.push(`${req.url!} ${String(socket === req.socket)}`));
        held.push(res);
        if (held.length < 3) return;
        for (const [i, one] of held.reverse().entries()) one.end(`answer ${String(3 - i)};`);
      });
      await withServer(server, async port => {
        const connection = await Connection.open(port);
        await connection.get('/1', '/2', '/3').until(/answer 3;/);
        noted.push(connection.text.replace(/Date: .*|ETag: .*|X-Powered-By: .*\r\n/g, ''));
      });
      return noted;
    });
    assert.deepEqual(ours, bare);
    assert.match(String(ours), /answer 1;[^]*answer 2;[^]*answer 3;/);
    assert.match(String(ours), /^\/2 true,\/3 true/);
  });

  test('an occupied connection: rejects a second response, as Node does', async () => {
    const codes: unknown[] = [];
    const server = kinds.ours((req, res) => {
      try {
        const other = new (res.constructor as typeof ServerResponse)(req);
        Object.setPrototypeOf(other, Object.getPrototypeOf(res) as object);
        other.assignSocket(req.socket);
      } catch (error) {
        codes.push((error as NodeJS.ErrnoException).code);
      }
      try {
        const other = Object.create(res, { socket: { writable: true, value: null } }) as ServerResponse;
        other.detachSocket(req.socket);
      } catch (error) {
        codes.push((error as NodeJS.ErrnoException).code);
      }
      res.end('answer');
    });
    await withServer(server, async port => {
      const connection = await Connection.open(port);
      await connection.get('/', '/').until(/(answer[^]*){2}/);
    });
    const refused = ['ERR_HTTP_SOCKET_ASSIGNED', 'ERR_INTERNAL_ASSERTION'];
    assert.deepEqual(codes, [...refused, ...refused]);
  });

  for (const name of ['assignSocket', 'detachSocket'] as const) {
    test(`patches: a replaced ${name}() is called for each response, and not once it is restored`, async t => {
      const runtime = ServerResponse.prototype as TurnFunctions;
      const listeners: number[] = [];
      const server = kinds.ours((req, res) => {
        listeners.push(req.socket.listenerCount('close'));
        res.end('answer');
      });
      await withServer(server, async port => {
        const connection = await Connection.open(port);
        await connection.get('/', '/').until(/(answer[^]*){2}/);
        const mock = t.mock.method(runtime, name);
        await connection.get('/').until(/(answer[^]*){3}/);
        await connection.get('/').until(/(answer[^]*){4}/);
        await turn();
        assert.equal(mock.mock.callCount(), 2);
        mock.mock.restore();
        await connection.get('/').until(/(answer[^]*){5}/);
        assert.equal(mock.mock.callCount(), 2);
        // while it is patched, Node's own listener is added and removed with each response
        assert.deepEqual(listeners.slice(2, 4), [listeners[1]! + 1, listeners[1]! + 1]);
        assert.equal(listeners[4], listeners[1]);
      });
    });
  }

  test('upgrade: leaves the connection to the upgrade listener', async () => {
    const noted: string[] = [];
    const server = kinds.ours((_req, res) => res.end('answer'));
    server.on('upgrade', (_req: IncomingMessage, socket: Socket) => {
      socket.on('close', () => noted.push('close'));
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nraw');
    });
    await withServer(server, async port => {
      const connection = await Connection.open(port);
      await connection.get('/').until(/answer/);
      connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
      await connection.until(/raw/);
      connection.socket.end();
      await once(connection.socket, 'close');
      await turn();
    });
    assert.deepEqual(noted, ['close']);
  });

  test('two handlers: responses of Node and of Ristretto alternate on one connection', async () => {
    const app = web().use((_req, res) => void res.send('ours;'));
    const server = createServer((req, res) => {
      if (req.url === '/app') (app as unknown as Handler)(req, res);
      else res.end('bare;');
    });
    await withServer(server, async port => {
      const paths = ['/app', '/app', '/bare', '/app', '/bare'];
      const requests = paths.map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n`).join('\r\n');
      const text = (await exchangeRaw(port, requests + 'Connection: close\r\n\r\n')).toString();
      assert.deepEqual(text.match(/(ours|bare);/g), ['ours;', 'ours;', 'bare;', 'ours;', 'bare;']);
    });
  });
});
