// runs: each
/** `web.stop`: requests that arrive late, and connections that do not end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { Connection } from '../support/connection.js';
import { heldApp, NOTHING, started } from '../support/stopping.js';
import { until } from '../support/tree.js';

describe('web.stop', () => {
  test('late requests: on a busy connection get 503 with Retry-After, and never run', async () => {
    const { app, held, paths } = heldApp();
    const { server, port } = await started(app);
    const unused = await Connection.open(port);
    const kept = await (await Connection.open(port)).get('/begun').until(/begun/);
    const stopped = web.stop(server, { drain: 0 });
    // Once this one is closed, so are all idle connections: any later request is late.
    await unused.closed();
    kept.get('/late');
    // The server has read the request by then.
    await new Promise(resolve => server.once('request', () => setImmediate(resolve)));
    held[0]!.end();
    await kept.closed();
    assert.deepEqual(kept.statuses(), [200, 503]);
    assert.match(kept.text, /503 Service Unavailable\r\nConnection: close\r\n.*Retry-After: 1\r\n/s);
    assert.deepEqual(paths, ['/begun']);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1, idle: 1, refused: 1 });
  });

  test('partial request: is waited for and gets a response', async () => {
    const { server, port } = await started(heldApp().app);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const slow = await Connection.open(port);
    const [socket] = await accepted;
    slow.socket.write('GET /slow HT');
    await until(() => socket.bytesRead > 0);
    const stopped = web.stop(server, { drain: 0 });
    await until(() => !server.listening);
    slow.socket.write('TP/1.1\r\nHost: x\r\n\r\n');
    await slow.closed();
    assert.match(slow.text, /Connection: close\r\n.*at once \/slow$/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('clients that disconnect: are counted', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/held');
    await until(() => held.length === 1);
    const stopped = web.stop(server);
    await until(() => !server.listening);
    kept.socket.destroy();
    assert.deepEqual(await stopped, { ...NOTHING, aborted: 1 });
  });

  test('timeout: a client that never reads, a handler that never responds and an upgraded connection are closed', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    server.on('upgrade', (_req, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      socket.on('error', () => undefined);
    });
    const deaf = (await Connection.open(port)).get('/endless');
    deaf.socket.pause();
    const waiting = (await Connection.open(port)).get('/held');
    const upgraded = await Connection.open(port);
    upgraded.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await upgraded.until(/101/);
    await until(() => held.length === 1);
    const began = performance.now();
    const report = await web.stop(server, { timeout: 200 });
    const took = performance.now() - began;
    assert.ok(took >= 195, `${took} ms`);
    assert.deepEqual(report, { ...NOTHING, forced: 3 });
    await Promise.all([waiting.closed(), upgraded.closed()]);
    deaf.socket.destroy();
  });

  test('timeout: 0 closes connections immediately', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const waiting = (await Connection.open(port)).get('/held');
    await until(() => held.length === 1);
    assert.deepEqual(await web.stop(server, { timeout: 0 }), { ...NOTHING, forced: 1 });
    await waiting.closed();
  });

  test('Expect: 100-continue: a late request is refused before it sends its body', async () => {
    const { app, held, paths } = heldApp();
    const { server, port } = await started(app);
    server.on('checkContinue', (req: http.IncomingMessage, res: http.ServerResponse) => {
      res.writeContinue();
      server.emit('request', req, res);
    });
    const unused = await Connection.open(port);
    const kept = await (await Connection.open(port)).get('/begun').until(/begun/);
    const stopped = web.stop(server, { drain: 0 });
    // Once this one is closed, so are all idle connections: any later request is late.
    await unused.closed();
    kept.socket.write('POST /late HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
    await new Promise(resolve => server.once('checkContinue', () => setImmediate(resolve)));
    held[0]!.end();
    await kept.closed();
    assert.deepEqual(kept.statuses(), [200, 503]);
    assert.deepEqual(paths, ['/begun']);
    assert.equal((await stopped).refused, 1);
  });
});
