// runs: slow, each
/**
 * Slow clients: Node's timeouts send 408 in time, parsers are notified once, and other clients are served meanwhile.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer } from '../support/http.js';
import { until } from '../support/tree.js';

/**
 * Opens fifty connections that send part of a request, and lets the server's timeouts expire once it has read all
 * parts: a server that responds earlier would reset the connection during the client's write, and lose its 408.
 */
async function fiftySlow(handler: http.RequestListener, part: string): Promise<Connection[]> {
  const server = http.createServer({ connectionsCheckingInterval: 20 }, handler);
  const sockets: Socket[] = [];
  server.on('connection', socket => void sockets.push(socket));
  return withServer(server, async port => {
    const all = await Promise.all(Array.from({ length: 50 }, () => Connection.open(port)));
    for (const { socket } of all) socket.write(part);
    await until(
      () => sockets.length === all.length && sockets.every(({ bytesRead }) => bytesRead === part.length),
    );
    server.headersTimeout = server.requestTimeout = 1;
    await Promise.all(all.map(connection => connection.closed()));
    return all;
  });
}

describe('slow clients', () => {
  test('headers: responds with 408 in time and closes the connection', async () => {
    const all = await fiftySlow(web(), 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
    assert.ok(all.every(connection => connection.statuses()[0] === 408));
  });

  test('bodies: responds with 408 in time; the parser passes on request.aborted once per request', async () => {
    const errors: string[] = [];
    const app = web().set('env', 'test');
    app.use(web.json());
    app.use(
      (err: { type: string }, _req: Request, _res: Response, _next: unknown) => void errors.push(err.type),
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
    const all = await fiftySlow(app, `${head}{"a`);
    assert.ok(all.every(connection => connection.statuses()[0] === 408));
    await until(() => errors.length >= all.length);
    assert.deepEqual(
      errors,
      Array.from({ length: 50 }, () => 'request.aborted'),
    );
  });

  test('readers: a response that is not read does not delay others', async () => {
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
