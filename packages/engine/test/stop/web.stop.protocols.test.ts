// runs: each
/** `web.stop` on servers of every kind, and with event streams. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import type { Server } from 'node:net';
import { describe, test } from 'node:test';
import tls from 'node:tls';
import web from 'ristretto';
import type { Application, EventStream } from 'ristretto';
import { Connection } from '../support/connection.js';
import { parseEvents } from '../support/event-source.js';
import { certificate } from '../support/http2.js';
import { NOTHING, started } from '../support/stopping.js';
import { until } from '../support/until.js';
import { portOf } from '../support/http.js';

const identity = certificate();

const listen = (server: Server): Promise<number> => portOf(server.listen(0, '127.0.0.1'));

async function secure(port: number): Promise<Connection> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return new Connection(socket);
}

/** Holds the response to `/held` back until the test sends it; responds to everything else at once. */
function holding(): { held: http.ServerResponse[]; handler: http.RequestListener } {
  const held: http.ServerResponse[] = [];
  return {
    held,
    handler: (req, res) => {
      if (req.url === '/held') held.push(res);
      else res.end('at once');
    },
  };
}

/** Sends a request on an HTTP/2 session; resolves with the body. */
function stream(session: http2.ClientHttp2Session, target: string): Promise<string> {
  const request = session.request({ ':path': target });
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  return new Promise((resolve, reject) => request.on('end', () => resolve(body)).on('error', reject));
}

/** `web.stop` on servers of every kind: HTTPS, HTTP/2, and servers created with an application as their handler. */
describe('web.stop', () => {
  test('http.createServer(app): is stopped like the server of app.listen', async () => {
    const { held, handler } = holding();
    const server = http.createServer(web().use(handler));
    const port = await listen(server);
    const kept = (await Connection.open(port)).get('/held');
    await until(() => held.length === 1);
    const stopped = web.stop(server);
    await until(() => !server.listening);
    held[0]!.end('done');
    await kept.closed();
    assert.match(kept.text, /Connection: close\r\n.*done/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('https: busy, idle and unused connections are stopped', async () => {
    const { held, handler } = holding();
    const server = https.createServer(identity, web().use(handler));
    const port = await listen(server);
    const [busy, idle, unused] = await Promise.all([secure(port), secure(port), secure(port)]);
    await idle.get('/').until(/at once/);
    busy.get('/held');
    await until(() => held.length === 1);
    const stopped = web.stop(server, { timeout: 5000 });
    await until(() => !server.listening);
    await Promise.all([idle.closed(), unused.closed()]);
    held[0]!.end('done');
    await busy.closed();
    assert.match(busy.text, /Connection: close\r\n.*done/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1, idle: 2 });
  });

  test('https, http2: handshakes that have not begun, or are incomplete, are closed at once', async () => {
    for (const make of [https.createServer, http2.createSecureServer]) {
      const server = (make as typeof https.createServer)(identity, web());
      const port = await listen(server);
      const silent = await Connection.open(port);
      const begun = await Connection.open(port);
      begun.socket.write(Buffer.from([22, 3, 1]));
      await until(() => countOf(server) === 2);
      assert.deepEqual(await web.stop(server, { timeout: 30_000 }), NOTHING);
      await Promise.all([silent.closed(), begun.closed()]);
    }
  });

  test('https: a handshake that ends after the others have been closed is closed', async () => {
    const server = https.createServer(identity, web());
    const port = await listen(server);
    const late = tls.connect({ port, rejectUnauthorized: false }).on('error', () => {});
    const accepted = once(server, 'connection') as Promise<[net.Socket]>;
    const [connection] = await accepted;
    await until(() => connection.bytesWritten > 0);
    await web.stop(server, { drain: 0, timeout: 30_000 });
    if (!late.closed) await once(late, 'close');
  });

  test('http2: sessions get GOAWAY, and in-flight streams are completed', async () => {
    const { held, handler } = holding();
    const server = http2.createServer(handler as never);
    const port = await listen(server);
    // Sessions are tracked only after a call of `web.stopOnSignals` or `web.stop`.
    void web.stopOnSignals(server, { signals: [] });
    const busy = http2.connect(`http://127.0.0.1:${port}`);
    const idle = http2.connect(`http://127.0.0.1:${port}`);
    const away = [once(busy, 'goaway'), once(idle, 'goaway')];
    assert.equal(await stream(idle, '/'), 'at once');
    const answer = stream(busy, '/held');
    await until(() => held.length === 1);
    const stopped = web.stop(server, { timeout: 5000 });
    await Promise.all(away);
    await assert.rejects(async () => stream(busy, '/late'), { code: 'ERR_HTTP2_GOAWAY_SESSION' });
    held[0]!.end('done');
    assert.equal(await answer, 'done');
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1, idle: 1 });
  });

  test('http2: sessions without a request and connections without a preface are closed at once', async () => {
    const app = web().set('env', 'test');
    const server = app.listen({ http2: true, port: 0, host: '127.0.0.1' } as never) as unknown as Server;
    const port = await portOf(server);
    const session = http2.connect(`http://127.0.0.1:${port}`);
    await once(session, 'remoteSettings');
    const connection = net.connect(port, '127.0.0.1');
    await until(() => countOf(server) === 2);
    const started = performance.now();
    assert.deepEqual(await web.stop(server, { timeout: 10_000 }), { ...NOTHING, idle: 2 });
    assert.ok(performance.now() - started < 5000);
    connection.destroy();
    if (!session.closed) await once(session, 'close');
  });

  test('http2.createServer: connections without a preface are closed at once before the first request', async () => {
    const server = http2.createServer(web() as never);
    const connection = net.connect(await listen(server), '127.0.0.1');
    await until(() => countOf(server) === 1);
    const started = performance.now();
    const { forced } = await web.stop(server, { timeout: 10_000 });
    assert.ok(performance.now() - started < 5000);
    assert.equal(forced, 0);
    connection.destroy();
  });

  test('http2: a session whose client disconnects during a response counts as aborted, one after the timeout as forced', async () => {
    const { held, handler } = holding();
    const server = http2.createServer(handler as never);
    const port = await listen(server);
    void web.stopOnSignals(server, { signals: [] });
    const [aborting, waiting] = [1, 2].map(() => http2.connect(`http://127.0.0.1:${port}`));
    for (const session of [aborting!, waiting!]) session.request({ ':path': '/held' }).on('error', () => {});
    await until(() => held.length === 2);
    const stopped = web.stop(server, { timeout: 300 });
    await until(() => !server.listening);
    aborting!.destroy();
    assert.deepEqual(await stopped, { ...NOTHING, aborted: 1, forced: 1 });
    waiting!.destroy();
  });

  test('http2: a session first seen with a late request is closed after it, and unknown ones after the timeout', async () => {
    const { held, handler } = holding();
    const server = http2.createSecureServer({ ...identity, allowHTTP1: true }, handler as never);
    const port = await listen(server);
    const options = { rejectUnauthorized: false };
    const seen = http2.connect(`https://127.0.0.1:${port}`, options);
    const unknown = http2.connect(`https://127.0.0.1:${port}`, options);
    const kept = await secure(port);
    const first = [stream(seen, '/held'), stream(unknown, '/')];
    await first[1];
    await until(() => held.length === 1);
    const stopped = web.stop(server, { drain: 60, timeout: 200 });
    await until(() => !server.listening);
    // From version 24 on, Node itself notifies sessions when their server closes.
    const isTold = Number(process.versions.node.split('.')[0]) >= 24;
    if (!isTold) assert.equal(await stream(seen, '/in-time'), 'at once');
    held[0]!.end('done');
    assert.equal(await first[0], 'done');
    await Promise.all([kept.closed(), once(seen, 'close')]);
    assert.deepEqual(await stopped, {
      ...NOTHING,
      completed: 1,
      idle: isTold ? 2 : 1,
      forced: isTold ? 0 : 1,
    });
    if (!unknown.closed) await once(unknown, 'close');
  });

  test('Node without a list of connections: the documented functions are used', async () => {
    const { held, handler } = holding();
    const server = http.createServer(handler);
    const port = await listen(server);
    const key = Object.getOwnPropertySymbols(server).find(
      ({ description }) => description === 'http.server.connections',
    )!;
    const list = (server as unknown as Record<symbol, { all?: unknown; idle: unknown }>)[key]!;
    Object.defineProperty(list, 'all', { configurable: true, value: undefined });
    const { _getActiveHandles: handles } = process as unknown as Record<string, unknown>;
    Reflect.deleteProperty(process, '_getActiveHandles');
    try {
      const idle = await (await Connection.open(port)).get('/').until(/at once/);
      const waiting = (await Connection.open(port)).get('/held');
      await until(() => held.length === 1);
      const stopped = web.stop(server, { timeout: 100 });
      await idle.closed();
      Reflect.deleteProperty(list, 'all');
      assert.deepEqual(await stopped, { ...NOTHING, forced: 1 });
      await waiting.closed();
    } finally {
      Object.assign(process, { _getActiveHandles: handles });
    }
  });

  test('a connection that cannot be found: is not waited for beyond the timeout', async () => {
    const server = net.createServer();
    const port = await listen(server);
    const accepted = once(server, 'connection') as Promise<[net.Socket]>;
    const client = await Connection.open(port);
    const [socket] = await accepted;
    socket.unref();
    const report = await web.stop(server, { timeout: 30 });
    assert.deepEqual(report, NOTHING);
    socket.destroy();
    await client.closed();
  });
});

function countOf(server: Server): number {
  let found = 0;
  server.getConnections((_error, count) => (found = count));
  return Math.max(found, (server as unknown as { _connections: number })._connections);
}

/** Milliseconds within which even a busy machine performs a test's actions during a stop. */
const DELAY = 2000;

/** No stop may take this long. */
const DEADLINE = 60_000;

/** Returns an application whose event streams stay open. */
function streamingApp(): { app: Application; streams: EventStream[] } {
  const streams: EventStream[] = [];
  const app = web().set('env', 'test');
  app.get('/events', (_req, res) => {
    const events = res.sse();
    void events.send('hello');
    streams.push(events);
  });
  app.get('/slow', (_req, res) => {
    setTimeout(() => res.send('slow'), 60);
  });
  return { app, streams };
}

/** Requests events on a session; resolves with all of them when the stream closes. */
function eventsOf(session: http2.ClientHttp2Session): { events: Promise<unknown>; begun: Promise<unknown> } {
  const stream = session.request({ ':path': '/events' });
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  return {
    begun: once(stream, 'data'),
    events: once(stream, 'close').then(() => [stream.rstCode, parseEvents(text).map(({ data }) => data)]),
  };
}

/** `web.stop` and event streams, which would otherwise delay it until its timeout. */
describe('web.stop', () => {
  test('event streams: are ended when the stop begins, as complete responses', async () => {
    const { app, streams } = streamingApp();
    const { server, port } = await started(app);
    const connections = await Promise.all([Connection.open(port), Connection.open(port)]);
    for (const connection of connections) await connection.get('/events').until(/hello/);
    const report = await web.stop(server, { timeout: DEADLINE });
    assert.deepEqual(report, { ...NOTHING, completed: 2 });
    for (const connection of connections) {
      await connection.closed();
      assert.match(connection.text, /0\r\n\r\n$/);
    }
    assert.deepEqual(
      streams.map(({ closed }) => closed),
      [true, true],
    );
  });

  test('event streams: continue during delay', async () => {
    const { app, streams } = streamingApp();
    const { server, port } = await started(app);
    const connection = await (await Connection.open(port)).get('/events').until(/hello/);
    const stopped = web.stop(server, { delay: DELAY, timeout: DEADLINE });
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(await streams[0]!.send('still there'), true);
    await connection.until(/still there/);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('event streams: end immediately if they begin during the stop', async () => {
    const { app, streams } = streamingApp();
    const { server, port } = await started(app);
    const connection = await (await Connection.open(port)).get('/slow').until(/slow$/);
    const stopped = web.stop(server, { drain: DELAY, timeout: DEADLINE });
    await until(() => !server.listening);
    await connection.get('/events').closed();
    assert.match(connection.text, /text\/event-stream[^]*0\r\n\r\n$/);
    assert.equal(streams[0]!.closed, true);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('event streams: work as before on a server that listens again after its stop', async () => {
    const { app, streams } = streamingApp();
    const { server } = await started(app);
    await web.stop(server);
    const port = await listen(server);
    await (await Connection.open(port)).get('/events').until(/hello/);
    assert.equal(streams[0]!.closed, false);
    assert.deepEqual(await web.stop(server), { ...NOTHING, completed: 1 });
  });

  test('event streams over TLS: are ended', async () => {
    const { app } = streamingApp();
    const server = https.createServer(identity, app);
    const port = await listen(server);
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    await new Connection(socket).get('/events').until(/hello/);
    assert.deepEqual(await web.stop(server, { timeout: DEADLINE }), { ...NOTHING, completed: 1 });
  });

  test('event streams over HTTP/2: are ended before the session', async () => {
    const { app, streams } = streamingApp();
    const server = http2.createServer(app as never);
    const port = await listen(server);
    const session = http2.connect(`http://127.0.0.1:${String(port)}`);
    const first = eventsOf(session);
    await first.begun;
    const second = eventsOf(session);
    await second.begun;
    const { forced } = await web.stop(server, { timeout: DEADLINE });
    assert.equal(forced, 0);
    assert.deepEqual(await Promise.all([first.events, second.events]), [
      [0, ['hello']],
      [0, ['hello']],
    ]);
    assert.ok(streams.every(({ closed }) => closed));
    session.destroy();
  });

  test('event streams over app.fetch: have no server whose stop would end them', async () => {
    const { app, streams } = streamingApp();
    const { body } = await app.fetch(new Request('http://a.example/events'));
    assert.equal(streams[0]!.closed, false);
    await body!.cancel();
    await until(() => streams[0]!.closed);
  });
});
