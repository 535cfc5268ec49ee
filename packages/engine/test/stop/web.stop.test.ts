// runs: each
/** `web.stop`: what happens to each connection of a server that is stopped. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { heldApp, NOTHING, started } from '../support/stopping.js';
import { until } from '../support/tree.js';

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
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/held/1', '/held/2', '/held/3');
    await until(() => held.length === 3);
    const stopped = web.stop(server, { drain: 0 });
    await until(() => !server.listening);
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
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/held/1', '/held/2');
    await until(() => held.length === 2);
    const stopped = web.stop(server, { drain: 0 });
    await until(() => !server.listening);
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
    const stopped = web.stop(server, { drain: 0 });
    await until(() => !server.listening);
    held[0]!.end('ended');
    await kept.closed();
    assert.match(kept.text, /ended\r\n0\r\n\r\n$/);
    assert.equal(kept.error, undefined);
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
    await once(server, 'listening');
    const kept = await Connection.open((server.address() as AddressInfo).port);
    await kept.get('/1').until(/at once \/1/);
    await kept.get('/2').until(/at once \/2/);
    assert.equal(seen, 1);
    await web.stop(server);
  });

  test('a server that was closed before, or never listened: is waited for', async () => {
    assert.deepEqual(await web.stop(http.createServer()), NOTHING);
    const { app, held } = heldApp();
    const { server, port } = await started(app);
    const kept = (await Connection.open(port)).get('/held');
    await until(() => held.length === 1);
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
    await once(plain, 'listening');
    (await Connection.open((plain.address() as AddressInfo).port)).get('/');
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
      { deadline: 1 },
      /^TypeError: web\.stop\(\): unknown option 'deadline'; the options are timeout,/,
    );
    refused(
      { delay: '2s', timeout: 1 },
      /^RangeError: web\.stop\(\): timeout \(1\) must be longer than delay and drain together \(2000 and 0/,
    );
  });
});
