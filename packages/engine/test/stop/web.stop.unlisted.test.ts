// runs: each
/** `web.stop` on a Node that keeps no list of a server's connections. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { Connection } from '../support/connection.js';
import { heldApp, NOTHING, started } from '../support/stopping.js';
import { until } from '../support/tree.js';

const DEADLINE = 5000;

/**
 * Hides a server's connection list from everything except Node's own functions, and also the handles of the process.
 */
function hideConnections(server: Server): () => void {
  const isList = ({ description }: symbol): boolean => description === 'http.server.connections';
  const symbol = Object.getOwnPropertySymbols(server).find(isList)!;
  const list = Object.getOwnPropertyDescriptor(server, symbol)!;
  Reflect.deleteProperty(server, symbol);
  Object.setPrototypeOf(
    server,
    Object.create(Object.getPrototypeOf(server) as object, { [symbol]: list }) as object,
  );
  const handles = Object.getOwnPropertyDescriptor(process, '_getActiveHandles')!;
  Reflect.deleteProperty(process, '_getActiveHandles');
  return () => Object.defineProperty(process, '_getActiveHandles', handles);
}

describe('web.stop without a list of connections', () => {
  test('completes in-flight requests, closes idle connections, refuses new ones, and ends with the last response', async t => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    t.after(hideConnections(server));
    const idle = await Connection.open(port);
    await idle.get('/').until(/at once/);
    const [waiting, begun] = [await Connection.open(port), await Connection.open(port)];
    waiting.get('/held');
    await begun.get('/begun').until(/begun/);
    await until(() => held.length === 2);
    const start = performance.now();
    const stopped = web.stop(server, { timeout: DEADLINE });
    await idle.closed();
    await assert.rejects(Connection.open(port), { code: 'ECONNREFUSED' });
    assert.ok(!waiting.isClosed && !begun.isClosed);
    for (const res of held) res.end('done');
    const report = await stopped;
    assert.ok(performance.now() - start < DEADLINE / 2);
    await Promise.all([waiting.closed(), begun.closed()]);
    assert.match(waiting.text, /done$/);
    assert.match(begun.text, /begun\r\n.*done\r\n0\r\n\r\n$/s);
    // It is not known how these connections ended: they were open before the stop.
    assert.deepEqual(report, NOTHING);
  });

  test('refuses a late request, and counts its connection', async t => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    t.after(hideConnections(server));
    const connection = await Connection.open(port);
    await connection.get('/begun').until(/begun/);
    const stopped = web.stop(server, { timeout: DEADLINE });
    await new Promise(resolve => setTimeout(resolve, 100));
    connection.get('/late');
    held[0]!.end('done');
    await connection.closed();
    assert.deepEqual(connection.statuses(), [200, 503]);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1, refused: 1 });
  });

  test('closes connections that are still open after the timeout', async t => {
    const { server, port } = await started(heldApp().app);
    t.after(hideConnections(server));
    const connection = await Connection.open(port);
    await connection.get('/begun').until(/begun/);
    assert.deepEqual(await web.stop(server, { timeout: 100 }), { ...NOTHING, forced: 1 });
    await connection.closed();
    assert.doesNotMatch(connection.text, /done/);
  });
});
