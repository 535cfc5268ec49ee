/** The timer of idle connections, and all other uses of `socket.setTimeout`: behave as in Node. */
import assert from 'node:assert/strict';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { kinds, onBoth } from './support/beside-runtime.js';
import { Connection } from './support/connection.js';
import { withServer } from './support/http.js';

type NotingHandler = (req: IncomingMessage, res: ServerResponse, note: (what: string) => void) => void;

/** Node adds this to the timeout announced to the client, in milliseconds. */
const BUFFER = 1000;

/**
 * Requests `paths` one after another on one connection, and waits for `wait` milliseconds; returns what was recorded
 * with Node and with this framework.
 */
async function noted(
  handler: NotingHandler,
  wait: number,
  { paths = ['/1', '/2', '/3'], configure = (_server: Server): void => undefined } = {},
): Promise<{ bare: string[]; ours: string[] }> {
  return onBoth(async make => {
    const notes: string[] = [];
    const server = make((req, res) => handler(req, res, what => notes.push(`${req.url!} ${what}`)));
    server.keepAliveTimeout = 100;
    configure(server);
    await withServer(server, async port => {
      const connection = await Connection.open(port);
      for (const [i, path] of paths.entries()) {
        await connection.get(path).until(new RegExp(`(answer[^]*){${String(i + 1)}}`));
      }
      await sleep(wait);
      notes.push(connection.isClosed ? 'closed' : 'open');
    });
    return notes;
  });
}

describe('idle timer', () => {
  test('idle: closes a connection after the timeout, counted from the last response', async () => {
    for (const count of [1, 2, 4]) {
      const server = kinds.ours((_req, res) => res.end('answer'));
      server.keepAliveTimeout = 50;
      await withServer(server, async port => {
        const connection = await Connection.open(port);
        for (let i = 1; i <= count; i++) {
          await connection.get('/').until(new RegExp(`(answer[^]*){${String(i)}}`));
          if (i < count) await sleep(400);
        }
        const answeredAt = performance.now();
        await connection.closed();
        const idle = connection.closedAt - answeredAt;
        assert.ok(idle > 50 + BUFFER - 50 && idle < 50 + BUFFER + 500, `closed after ${String(idle)} ms`);
      });
    }
  });

  test('long requests: are not aborted, and the connection is idle from the end of their response', async () => {
    const { bare, ours } = await noted(
      (req, res) => {
        if (req.url === '/2') setTimeout(() => res.end('answer'), BUFFER + 400);
        else res.end('answer');
      },
      BUFFER - 300,
      { paths: ['/1', '/2', '/3', '/2'] },
    );
    assert.deepEqual(ours, bare);
    assert.deepEqual(ours, ['open']);
  });

  test('socket.timeout: is the timeout in effect', async () => {
    const { bare, ours } = await noted((req, res, note) => {
      const { socket } = req;
      note(String(socket.timeout));
      res.on('close', () => note(`afterwards ${String(socket.timeout)}`));
      res.end('answer');
    }, 20);
    assert.deepEqual(ours, bare);
    assert.match(String(ours), /\/3 0,\/3 afterwards 1100/);
  });

  const scenarios: Record<string, NotingHandler> = {
    'req.setTimeout': (req, res, note) => {
      if (req.url !== '/2') return void res.end('answer');
      req.setTimeout(60, () => note('heard'));
      res.on('timeout', () => note('res heard'));
      setTimeout(() => res.end('answer'), 150);
    },
    'res.setTimeout': (req, res, note) => {
      if (req.url === '/2') {
        res.setTimeout(60, () => {
          note('heard');
          res.end('answer');
        });
      } else res.end('answer');
    },
    'socket.setTimeout with a callback, removed': (req, res, note) => {
      const listener = (): void => note('heard');
      if (req.url === '/2') req.socket.setTimeout(40, listener);
      if (req.url === '/3') req.socket.setTimeout(0, listener);
      res.on('timeout', () => res.end('answer'));
      if (req.url !== '/2') setTimeout(() => res.end('answer'), 80);
    },
    'Socket.prototype.setTimeout called on the socket': (req, res, note) => {
      if (req.url !== '/2') return void res.end('answer');
      Socket.prototype.setTimeout.call(req.socket, 60);
      res.on('timeout', () => {
        note('heard');
        res.end('answer');
      });
    },
    'socket.setTimeout(0) twice': (req, res) => {
      req.socket.setTimeout(0);
      req.socket.setTimeout(0);
      setTimeout(() => res.end('answer'), 30);
    },
    'socket.setTimeout before the first request, removed later': (req, res) => {
      if (req.url === '/2') req.socket.setTimeout(0);
      setTimeout(() => res.end('answer'), req.url === '/2' ? 250 : 0);
    },
    'socket.setTimeout to the same time as when idle': (req, res, note) => {
      req.socket.setTimeout(100 + BUFFER);
      note(String(req.socket.timeout));
      res.end('answer');
    },
    'socket.setTimeout with an invalid time': (req, res, note) => {
      for (const time of ['soon', -1, NaN]) {
        try {
          req.socket.setTimeout(time as number);
        } catch (error) {
          note(String((error as NodeJS.ErrnoException).code));
        }
      }
      res.end('answer');
    },
  };

  for (const [name, handler] of Object.entries(scenarios)) {
    test(`${name}: behaves as in Node`, async () => {
      const configure = (server: Server): void => {
        if (name.includes('before')) server.on('connection', (socket: Socket) => socket.setTimeout(200));
      };
      const { bare, ours } = await noted(handler, 200, { configure });
      assert.deepEqual(ours, bare);
    });
  }

  test('server.timeout: applies while a request is served, also when it is set later', async () => {
    const { bare, ours } = await noted(
      (req, res, note) => {
        const { server } = req.socket as unknown as { server: Server };
        if (req.url === '/2') server.timeout = 80;
        res.on('timeout', () => note('heard'));
        setTimeout(() => res.end('answer'), 150);
      },
      20,
      { paths: ['/1', '/2', '/3'] },
    );
    assert.deepEqual(ours, bare);
    assert.deepEqual(ours, ['/3 heard', 'open']);
  });

  test('keepAliveTimeout: may be 0, or change from one request to the next', async () => {
    const { bare, ours } = await noted((req, res, note) => {
      const { server } = req.socket as unknown as { server: Server };
      server.keepAliveTimeout = req.url === '/2' ? 0 : 200;
      res.on('close', () => note(String(req.socket.timeout)));
      res.end('answer');
    }, 20);
    assert.deepEqual(ours, bare);
    assert.deepEqual(ours, ['/1 1200', '/2 0', '/3 1200', 'open']);
  });

  test('closed under a request: leaves no timer', async () => {
    let socket: Socket | undefined;
    const server = kinds.ours((req, res) => {
      socket = req.socket;
      if (req.url === '/last') res.write('part');
      else res.end('answer');
    });
    await withServer(server, async port => {
      const connection = await Connection.open(port);
      await connection.get('/1').until(/answer/);
      await connection.get('/2').until(/answer[^]*answer/);
      await connection.get('/last').until(/part/);
      const aside = (): unknown => {
        const symbol = Object.getOwnPropertySymbols(socket!).find(
          ({ description }) => description === 'idle timer, put aside',
        );
        return symbol && Reflect.get(socket!, symbol);
      };
      assert.notEqual(aside(), undefined);
      connection.socket.destroy();
      while (!socket!.closed) await sleep(1);
      await sleep(1);
      assert.equal(aside(), undefined);
    });
  });
});
