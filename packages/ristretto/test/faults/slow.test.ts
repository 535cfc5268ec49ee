/** Slow clients: the runtime's timeouts answer 408 in time, parsers are told once, and others are served meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer } from '../support/http.js';
import { until } from '../support/tree.js';

const timeouts = (milliseconds: number) => ({
  headersTimeout: milliseconds,
  requestTimeout: milliseconds,
  connectionsCheckingInterval: 20,
});

describe('slow clients', () => {
  test('headers: 408 in time, and the connection is closed', async () => {
    await withServer(http.createServer(timeouts(60), web()), async port => {
      const all = await Promise.all(Array.from({ length: 50 }, () => Connection.open(port)));
      for (const { socket } of all) socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
      await Promise.all(all.map(connection => connection.closed()));
      assert.ok(all.every(connection => connection.statuses()[0] === 408));
    });
  });

  test('bodies: 408 in time; each parser is told once that the request was cut off', async () => {
    const told: string[] = [];
    const app = web().set('env', 'test');
    app.use(web.json());
    app.use(
      (err: { type: string }, _req: Request, _res: Response, _next: unknown) => void told.push(err.type),
    );
    await withServer(http.createServer(timeouts(300), app), async port => {
      const head =
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
      const all = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const connection = await Connection.open(port);
          connection.socket.write(`${head}{"a`);
          return connection;
        }),
      );
      await Promise.all(all.map(connection => connection.closed()));
      await until(() => told.length >= 50);
      assert.ok(all.every(connection => connection.statuses()[0] === 408));
    });
    assert.deepEqual(
      told,
      Array.from({ length: 50 }, () => 'request.aborted'),
    );
  });

  test('readers: an answer that nobody reads does not keep others waiting', async () => {
    const app = web();
    app.get('/large', (_req, res) => void res.send(Buffer.alloc(8 * 1024 * 1024)));
    app.get('/small', (_req, res) => void res.send('small'));
    await withServer(app, async (port, server) => {
      const deaf = await Promise.all(Array.from({ length: 10 }, () => Connection.open(port)));
      for (const connection of deaf) {
        connection.socket.pause();
        const asked = once(server, 'request');
        connection.get('/large');
        await asked;
      }
      await (await Connection.open(port)).get('/small').until(/small/);
      for (const { socket } of deaf) socket.destroy();
    });
  });
});
