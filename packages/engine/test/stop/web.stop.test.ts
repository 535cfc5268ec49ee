// runs: each
/** `web.stop`: connections, late requests, and a Node without a list of connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { Server } from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Response, StopReport } from 'ristretto';
import { Connection } from '../support/connection.js';
import { heldApp, NOTHING, started } from '../support/stopping.js';
import { until } from '../support/until.js';
import { portOf } from '../support/http.js';

/** Starts an application, and sends requests on one connection whose responses are held back. */
async function holding(...paths: string[]): Promise<{ server: Server; held: Response[]; kept: Connection }> {
  const { app, held } = heldApp();
  const { server, port } = await started(app);
  const kept = (await Connection.open(port)).get(...paths);
  await until(() => held.length === paths.length);
  return { server, held, kept };
}

/** Begins to stop a server, and resolves when it refuses connections. */
async function stopping(server: Server): Promise<{ stopped: Promise<StopReport> }> {
  const stopped = web.stop(server, { drain: 0 });
  await until(() => !server.listening);
  return { stopped };
}

describe('web.stop', () => {
  test('under load: 50 requests get a response with Connection: close, 150 idle connections are closed at once', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const idle = await Promise.all(Array.from({ length: 150 }, () => Connection.open(port)));
    await Promise.all(idle.map(connection => connection.get('/').until(/at once/)));
    const busy = await Promise.all(Array.from({ length: 50 }, () => Connection.open(port)));
    for (const connection of busy) connection.get('/held');
    await until(() => held.length === 50);
    const stopped = web.stop(server, { timeout: 5000 });
    await until(() => !server.listening);
    await Promise.all(idle.map(connection => connection.closed()));
    assert.equal(server.listening, false);
    assert.ok(busy.every(({ isClosed }) => !isClosed));
    for (const res of held) res.send('done');
    assert.deepEqual(await stopped, { ...NOTHING, completed: 50, idle: 150 });
    await Promise.all(busy.map(connection => connection.closed()));
    for (const { text, error } of [...idle, ...busy]) {
      assert.equal(error, undefined);
      assert.match(text, /\r\nConnection: (close\r\n.*done|keep-alive\r\n.*at once \/)$/s);
    }
    assert.ok(busy.every(({ text }) => text.includes('Connection: close')));
  });

  test('new connections: are refused once the server is closed', async () => {
    const { server, port } = await started(heldApp().app);
    assert.deepEqual(await web.stop(server), NOTHING);
    await assert.rejects(Connection.open(port), { code: 'ECONNREFUSED' });
  });

  test('connections that wait to be accepted: are served first', async () => {
    const { server, port } = await started(heldApp().app);
    const waiting = Array.from({ length: 5 }, () => new Connection(net.connect(port, '127.0.0.1')).get('/'));
    await new Promise(resolve => process.nextTick(resolve));
    const stopped = web.stop(server);
    await Promise.all(waiting.map(connection => connection.until(/at once/)));
    const { completed, idle } = await stopped;
    assert.equal(completed + idle, 5);
  });

  test('delay: requests are served as before until it is over', async () => {
    const { server, port } = await started(heldApp().app);
    const kept = await Connection.open(port);
    const stopped = web.stop(server, { delay: 60 });
    await kept.get('/a').until(/at once \/a/);
    const fresh = await Connection.open(port);
    await fresh.get('/b').until(/at once \/b/);
    assert.equal(server.listening, true);
    await stopped;
    assert.doesNotMatch(kept.text + fresh.text, /Connection: close/);
  });

  test('drain: keep-alive and unused connections are served until it is over, with Connection: close', async () => {
    const { app } = heldApp();
    const { server, port } = await started(app);
    const kept = await Connection.open(port);
    await kept.get('/a').until(/at once/);
    const fresh = await Connection.open(port);
    const stopped = web.stop(server, { drain: 60 });
    await until(() => !server.listening);
    await Promise.all([kept.get('/b').closed(), fresh.get('/c').closed()]);
    assert.match(kept.text, /Connection: close\r\n.*at once \/b$/s);
    assert.match(fresh.text, /Connection: close\r\n.*at once \/c$/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 2 });
  });

  test('drain: the last response to pipelined requests has Connection: close, and later requests are ignored', async () => {
    const { app, paths } = heldApp();
    const { server, port } = await started(app);
    const kept = await Connection.open(port);
    await kept.get('/').until(/at once/);
    const stopped = web.stop(server, { drain: 60 });
    await until(() => !server.listening);
    kept.get('/a', '/b', '/c');
    await until(() => paths.length === 4);
    kept.get('/late');
    await kept.closed();
    assert.match(kept.text, /keep-alive.*at once \/b.*Connection: close\r\n.*at once \/c$/s);
    assert.deepEqual(paths, ['/', '/a', '/b', '/c']);
    assert.equal((await stopped).completed, 1);
  });

  test('pipelined: requests that have been read all get a response', async () => {
    const { server, held, kept } = await holding('/held/1', '/held/2', '/held/3');
    const { stopped } = await stopping(server);
    for (const res of held.reverse()) res.send(`answer ${res.req.url}`);
    await kept.closed();
    assert.deepEqual(kept.text.match(/answer \S+?\d/g), [
      'answer /held/1',
      'answer /held/2',
      'answer /held/3',
    ]);
    assert.equal(kept.error, undefined);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('pipelined: the last response has Connection: close if its turn comes before it is created', async () => {
    const { server, held, kept } = await holding('/held/1', '/held/2');
    const { stopped } = await stopping(server);
    held[0]!.send('first');
    await kept.until(/first/);
    assert.doesNotMatch(kept.text, /Connection: close/);
    held[1]!.send('second');
    await kept.closed();
    assert.match(kept.text, /first.*Connection: close\r\n.*second$/s);
    assert.equal((await stopped).completed, 1);
  });

  test('responses that have begun: are completed, and the connection is closed after them', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const kept = await (await Connection.open(port)).get('/begun').until(/begun/);
    const { stopped } = await stopping(server);
    held[0]!.end('ended');
    await kept.closed();
    assert.match(kept.text, /ended\r\n0\r\n\r\n$/);
    assert.equal(kept.error, undefined);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('responses that wait for hooks: have Connection: close', async () => {
    let release: (() => void) | undefined;
    const waiting = new Promise<void>(resolve => (release = resolve));
    let isWaiting = false;
    const app = web().get('/', (_req, res) => {
      res.onSend(() => waiting);
      res.send('held');
      isWaiting = true;
    });
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/');
    await until(() => isWaiting);
    const { stopped } = await stopping(server);
    release!();
    await kept.closed();
    assert.match(kept.text, /Connection: close\r\n.*held$/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('responses that have announced keep-alive: the client may send one more request', async () => {
    const held: Response[] = [];
    const app = web().get('/', (_req, res) => {
      if (held.push(res) > 1) res.send('again');
      else res.writeHead(200, { 'Content-Length': '4' });
    });
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/');
    await until(() => held.length === 1);
    const stopped = web.stop(server, { drain: 1000, timeout: 60_000 });
    await until(() => !server.listening);
    await new Promise(resolve => setTimeout(resolve, 1050));
    held[0]!.end('done');
    await kept.until(/keep-alive.*done$/s);
    await kept.get('/').closed();
    assert.match(kept.text, /done.*Connection: close\r\n.*again$/s);
    assert.equal(kept.error, undefined);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('replaced members: a setHeader that throws does not end the process', async () => {
    const { server, held, kept } = await holding('/held');
    held[0]!.setHeader = () => {
      throw new Error('from the program');
    };
    const { stopped } = await stopping(server);
    held[0]!.end('done');
    await kept.closed();
    assert.match(kept.text, /Connection: close\r\n.*done$/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('unused connections: are closed like idle ones', async () => {
    const { server, port } = await started(heldApp().app);
    const unused = await Connection.open(port);
    const report = await web.stop(server);
    await unused.closed();
    assert.deepEqual(report, { ...NOTHING, idle: 1 });
  });

  test('twice: returns the same promise', async () => {
    const { server } = await started(heldApp().app);
    const first = web.stop(server);
    assert.equal(web.stop(server), first);
    await first;
  });

  test('afterwards: the server can listen and respond again, with the listeners it had', async () => {
    const { app } = heldApp();
    const { server } = await started(app);
    let seen = 0;
    server.once('request', () => seen++);
    await web.stop(server);
    assert.equal(server.listenerCount('request'), 2);
    server.listen(0, '127.0.0.1');
    const kept = await Connection.open(await portOf(server));
    await kept.get('/1').until(/at once \/1/);
    await kept.get('/2').until(/at once \/2/);
    assert.equal(seen, 1);
    await web.stop(server);
  });

  test('a server that was closed before, or never listened: is waited for', async () => {
    assert.deepEqual(await web.stop(http.createServer()), NOTHING);
    const { server, held, kept } = await holding('/held');
    server.close();
    const stopped = web.stop(server);
    await until(() => held[0]!.hasHeader('Connection'));
    held[0]!.send('done');
    await kept.closed();
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('cost: nothing is added to a server or its connections before it is stopped', async () => {
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    assert.deepEqual(
      server.eventNames().map(String).sort(),
      http.createServer(app).eventNames().map(String).sort(),
    );
    (await Connection.open(port)).get('/held');
    await until(() => held.length === 1);
    const plain = http.createServer((_req, res) => void held.push(res as Response)).listen(0, '127.0.0.1');
    (await Connection.open(await portOf(plain))).get('/');
    await until(() => held.length === 2);
    const listeners = (res: http.ServerResponse) => res.socket!.eventNames().map(String).sort();
    assert.deepEqual(listeners(held[0]!), listeners(held[1]!));
    held.forEach(res => res.end());
    await Promise.all([web.stop(server), web.stop(plain)]);
  });

  test('mistakes: an invalid server or time throws, with the value in the message', () => {
    const server = http.createServer();
    const refused = (options: object, message: RegExp): void =>
      assert.throws(() => void web.stop(server, options), message);
    assert.throws(() => void web.stop(web() as never), /^TypeError: Expected a server .*, got a function$/);
    assert.throws(() => void web.stop(undefined as never), /got undefined$/);
    refused(
      { timeout: 'ten' },
      /^TypeError: Expected milliseconds or .* for the timeout of web\.stop\(\), got 'ten'$/,
    );
    for (const timeout of ['10', ' 10', '-1.5 ', '.5']) {
      refused(
        { timeout },
        /^TypeError: Expected milliseconds or a string .*, got '[^']+': add a unit, or pass/,
      );
    }
    refused(
      { timeout: NaN },
      /^RangeError: Expected the timeout of web\.stop\(\) of 0 to 2147483647 milliseconds, got NaN$/,
    );
    refused({ delay: -1 }, /^RangeError: Expected the delay .* got -1$/);
    refused(
      { delay: '2s', timeout: 1 },
      /^RangeError: web\.stop\(\): timeout \(1\) must be longer than delay and drain together \(2000 and 0/,
    );
  });

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
    const { stopped } = await stopping(server);
    slow.socket.write('TP/1.1\r\nHost: x\r\n\r\n');
    await slow.closed();
    assert.match(slow.text, /Connection: close\r\n.*at once \/slow$/s);
    assert.deepEqual(await stopped, { ...NOTHING, completed: 1 });
  });

  test('clients that disconnect: are counted', async () => {
    const { server, kept } = await holding('/held');
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
    const { server, kept: waiting } = await holding('/held');
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
