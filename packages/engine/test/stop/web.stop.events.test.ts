// runs: each
/** `web.stop` and event streams, which would otherwise delay it until its timeout. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import tls from 'node:tls';
import web from 'ristretto';
import type { Application, EventStream } from 'ristretto';
import { Connection } from '../support/connection.js';
import { parseEvents } from '../support/event-source.js';
import { NOTHING, started } from '../support/stopping.js';
import { until } from '../support/tree.js';

const certificates = path.join(__dirname, '../../../../examples/https');
const identity = {
  key: fs.readFileSync(path.join(certificates, 'localhost-key.pem')),
  cert: fs.readFileSync(path.join(certificates, 'localhost-cert.pem')),
};

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

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
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
