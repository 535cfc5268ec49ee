// runs: slow, each
/** `web.stopOnSignals`: processes that receive a signal exit after sending their last response. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { Connection } from '../support/connection.js';

/** The beginning of every program. `/slow` takes 300 ms, `/never` does not respond. */
const BEGIN = `
  const web = require('ristretto');
  const app = web();
  app.get('/', (req, res) => res.send('at once'));
  app.get('/slow', (req, res) => setTimeout(() => res.send('slow'), 300));
  app.get('/never', () => {});
  const print = value => console.log(JSON.stringify(value));
  const server = app.listen(0, '127.0.0.1', () => print(server.address().port));
`;

/** Runs a program in a separate process: its port, its output, and how it ends. */
async function run(program: string) {
  const child = spawn(process.execPath, ['-e', BEGIN + program], {
    cwd: path.join(__dirname, '../../../ristretto'),
  });
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece));
  let out = '';
  const printed = (count: number): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const lines = out.split('\n').slice(0, -1);
        if (lines.length >= count) resolve(lines.map(line => JSON.parse(line) as unknown));
      };
      child.stdout.on('data', look);
      child.on('close', () => reject(new Error(`ended: ${out} ${errors}`)));
      look();
    });
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  const [port] = (await printed(1)) as [number];
  return { child, ended, port, printed };
}

describe('web.stopOnSignals: uncaught', () => {
  for (const [kind, fails] of [
    ['an error', "setTimeout(() => { throw new Error('broken'); }, 100)"],
    ['a rejection', "setTimeout(() => Promise.reject(new Error('broken')), 100)"],
  ] as const) {
    test(`uncaught: ${kind} is reported, in-flight requests get their response, and the process exits with code 1 at once`, async () => {
      const program = `
        web.stopOnSignals(server, { timeout: 60_000, uncaught: error => print(error.message) }).then(report => {
          print([report.signal, report.completed]);
        });
        app.get('/fails', () => {});
        process.once('SIGUSR2', () => ${fails});
      `;
      const { child, port, printed, ended } = await run(program);
      const response = fetch(`http://127.0.0.1:${String(port)}/slow`);
      const began = performance.now();
      child.kill('SIGUSR2');
      assert.equal(await (await response).text(), 'slow');
      const [code] = await ended;
      assert.equal(code, 1);
      assert.ok(performance.now() - began < 30_000);
      assert.deepEqual((await printed(3)).slice(1), ['broken', ['uncaughtException', 1]]);
    });
  }
});

describe('web.stopOnSignals', { skip: process.platform === 'win32' }, () => {
  test('SIGTERM: 50 of 50 requests get a response, 150 idle connections close, none is reset, the process exits', async () => {
    const { child, ended, port, printed } = await run('web.stopOnSignals(server).then(print);');
    const open = (count: number) => Promise.all(Array.from({ length: count }, () => Connection.open(port)));
    const idle = await open(150);
    await Promise.all(idle.map(connection => connection.get('/').until(/at once/)));
    const busy = await open(50);
    for (const connection of busy) connection.get('/slow');
    // A response on another connection shows that the server has read everything before it.
    await (await Connection.open(port)).get('/').until(/at once/);
    child.kill('SIGTERM');
    await Promise.all([...idle, ...busy].map(connection => connection.closed()));
    const [, report] = await printed(2);
    assert.deepEqual(await ended, [0, null]);
    assert.equal(busy.filter(({ text }) => /Connection: close\r\n.*slow$/s.test(text)).length, 50);
    assert.equal([...idle, ...busy].filter(({ error }) => error !== undefined).length, 0);
    const firstBusy = Math.min(...busy.map(({ closedAt }) => closedAt));
    assert.ok(idle.every(({ closedAt }) => closedAt < firstBusy));
    const counts = { completed: 50, idle: 151, aborted: 0, forced: 0, refused: 0 };
    assert.deepEqual(report, { signal: 'SIGTERM', ...counts });
  });

  test('timeout: a connection that hangs is closed', async () => {
    const { child, ended, port, printed } = await run(
      'web.stopOnSignals(server, { timeout: 250 }).then(print);',
    );
    const hung = (await Connection.open(port)).get('/', '/never');
    await hung.until(/at once/);
    const began = performance.now();
    child.kill('SIGINT');
    const [, report] = await printed(2);
    assert.deepEqual(await ended, [0, null]);
    const took = performance.now() - began;
    assert.ok(took > 200, `${took} ms`);
    assert.deepEqual(report, {
      signal: 'SIGINT',
      ...{ completed: 0, idle: 0, aborted: 0, forced: 1, refused: 0 },
    });
    hung.socket.destroy();
  });

  test('again: the same signal twice at once counts once, another after half a second closes connections', async () => {
    const { child, ended, port, printed } = await run('web.stopOnSignals(server).then(print);');
    const hung = await (await Connection.open(port)).get('/', '/never').until(/at once/);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    child.kill('SIGINT');
    await new Promise(resolve => setTimeout(resolve, 600));
    assert.equal(child.exitCode, null);
    child.kill('SIGTERM');
    const [, report] = await printed(2);
    assert.equal((report as { forced: number }).forced, 1);
    assert.deepEqual(await ended, [0, null]);
    hung.socket.destroy();
  });

  test('onStop: is called with the signal as soon as it arrives, before the stop is over', async () => {
    const program = `web.stopOnSignals(server, { signals: ['SIGUSR2'], onStop: print }).then(({ signal }) => print('over ' + signal));`;
    const { child, ended, printed } = await run(program);
    child.kill('SIGUSR2');
    assert.deepEqual((await printed(3)).slice(1), ['SIGUSR2', 'over SIGUSR2']);
    assert.deepEqual(await ended, [0, null]);
  });

  for (const onStop of [
    `() => { throw new Error('mistake'); }`,
    `() => Promise.reject(new Error('mistake'))`,
  ]) {
    test(`onStop: an error is reported, and in-flight requests get their response (${onStop})`, async () => {
      for (const uncaught of ['', 'uncaught: ({ message }) => print(message)']) {
        const program = `web.stopOnSignals(server, { onStop: ${onStop}, ${uncaught} }).then(print);`;
        const { child, ended, port, printed } = await run(program);
        const slow = (await Connection.open(port)).get('/slow');
        await new Promise(resolve => setTimeout(resolve, 100));
        child.kill('SIGTERM');
        await slow.until(/slow$/);
        const [, ...lines] = await printed(uncaught === '' ? 2 : 3);
        if (uncaught !== '') assert.equal(lines.shift(), 'mistake');
        assert.equal((lines[0] as { completed: number }).completed, 1);
        assert.deepEqual(await ended, [1, null]);
      }
    });
  }

  test('several servers: all are stopped, and their counts are added up', async () => {
    const { child, ended, port, printed } = await run(`
      const second = require('node:http').createServer(app).listen(0, '127.0.0.1', () => print(second.address().port));
      web.stopOnSignals([server, second]).then(print);
    `);
    const [, secondPort] = (await printed(2)) as number[];
    for (const each of [port, secondPort!]) await (await Connection.open(each)).get('/').until(/at once/);
    child.kill('SIGTERM');
    assert.equal(((await printed(3))[2] as { idle: number }).idle, 2);
    assert.deepEqual(await ended, [0, null]);
  });

  test('afterwards: the signals end the process again', async () => {
    const { child, ended, printed } = await run(`
      setInterval(() => {}, 1000);
      web.stopOnSignals(server).then(print);
    `);
    child.kill('SIGTERM');
    await printed(2);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [null, 'SIGTERM']);
  });

  test('mistakes: throw immediately, with the value in the message', () => {
    const server = http.createServer();
    const refused = (servers: unknown, options: object | undefined, message: RegExp): void =>
      assert.throws(() => void web.stopOnSignals(servers as http.Server, options), message);
    refused([server, web()], undefined, /^TypeError: Expected a server .*, got a function$/);
    for (const name of ['SIGNONE', 'SIGKILL', 'SIGSTOP'] as const) {
      refused(
        server,
        { signals: [name] },
        /^TypeError: web\.stopOnSignals\(\): signals must be an array of names .* got \[ 'SIG[A-Z]+' \]$/,
      );
    }
    refused(server, { timeout: -1 }, /^RangeError: Expected the timeout /);
    assert.equal(process.listenerCount('SIGTERM'), 0);
  });
});
