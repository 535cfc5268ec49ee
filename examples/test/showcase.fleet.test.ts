// runs: built, ci
/** The showcase with its fleet of processes, its databases and servers. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import request from 'supertest';
import { until } from '../../packages/engine/test/support/until';
import type { FleetState } from '../showcase/src/fleet/state.js';
import { freePorts, missingServers, startServers } from './servers';
import { freshFolder, home, makeBoard, member } from './showcase';
import { each } from '../../packages/engine/test/support/http';

const root = path.join(home, '../..');

/** Without the build before it, which the tests have done. */
const NPM = ['npm', 'start', '--ignore-scripts'];

const start = (
  folder: string,
  [program = process.execPath, ...args]: string[] = [],
  more: NodeJS.ProcessEnv = {},
) =>
  spawn(program, args.length > 0 ? args : [path.join(home, 'dist/fleet/primary.js')], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: '0', WORKERS: '2', DATA_DIR: folder, ADMIN_PASSWORD: 'open sesame' },
      ...{ DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'warn', NODE_ENV: '' },
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** examples/showcase as `npm start` runs it: several processes on one port, over the database of the primary one. */
describe('showcase fleet', { skip: process.platform === 'win32' }, () => {
  let address = '';
  let stop: () => Promise<unknown>;
  /** The newest state, as a panel receives it. */
  let state: (FleetState & { pid: number }) | undefined;
  const closePanel = new AbortController();
  let folder = '';
  let METRICS_PORT = '';
  let child: ReturnType<typeof start> | undefined;
  after(() => {
    closePanel.abort();
    child?.kill('SIGKILL');
  });

  /** Starts the board; resolves when it has printed its address, while the second process is starting. */
  async function open(command: string[] = []) {
    const program = (child = start(folder, command, { METRICS_PORT }));
    program.stderr.pipe(process.stderr);
    let output = '';
    for await (const chunk of program.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += String(chunk);
      if (output.includes('The data is in')) break;
    }
    address = /http:\/\/localhost:\d+/.exec(output)![0];
    stop = () => {
      closePanel.abort();
      program.kill('SIGTERM');
      return once(program, 'exit');
    };
  }

  before(async () => {
    METRICS_PORT = String((await freePorts(1))[0]);
    folder = await freshFolder();
    await open();
    void watch();
  });

  /** Opens panels until the test ends: each is closed when its process is. */
  async function watch() {
    while (!closePanel.signal.aborted) {
      try {
        const res = await fetch(`${address}/live/events`, { signal: closePanel.signal });
        let text = '';
        for await (const chunk of res.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          const data = [...text.matchAll(/^data: (.*)\n\n/gm)].at(-1)?.[1];
          if (data) state = JSON.parse(data) as typeof state;
          text = text.slice(text.lastIndexOf('\n\n') + 2);
        }
      } catch {
        // The process was killed, or the test is over.
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
  }

  const running = () =>
    (state?.members ?? []).filter(member => member.state === 'running').map(({ pid }) => pid);
  const send = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { method: 'POST', headers, redirect: 'manual' });

  test('is seeded, and shares sessions, posts and live updates between its processes', async () => {
    await until(() => running().length === 2);
    const guest = request.agent(address);
    await guest.post('/guest');
    assert.equal((await guest.post('/posts').field('text', 'to all processes')).status, 303);
    // Each new connection goes to the next process.
    const pages = await Promise.all(
      Array.from({ length: 4 }, () => guest.get('/').set('Connection', 'close')),
    );
    for (const { text } of pages) {
      assert.match(text, /class="who">\w+ \w+ \d+<[^]*to all processes[^]*Tenth attempt at a rosetta/);
    }
    const picture = /src="(\/pictures\/[^"]+)"/.exec(pages[0]!.text)![1]!;
    assert.equal((await guest.get(picture)).type, 'image/webp');
  });
  test('the requests that its README shows succeed', t => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed');
    const readme = fs.readFileSync(path.join(home, 'README.md'), 'utf8');
    // The last one is the stream of events, which does not end.
    const lines = (readme.match(/^curl .*$/gm) ?? []).slice(0, -1);
    const responses = lines.map(line => {
      const command = line.replace('curl localhost:3000', `curl --silent --show-error --fail ${address}`);
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
      return stderr || stdout;
    });
    assert.match(responses[0]!, /"posts":\[/);
    assert.match(responses.at(-2)!, /"name":"Ada"/);
    assert.match(responses.at(-1)!, /"text":"Hello"/);
  });
  test('only obeys requests from this computer, even from an administrator', async () => {
    const [pid] = running();
    const foreign: Record<string, string>[] = [
      { 'X-Forwarded-For': '192.0.2.1' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    const refused = await Promise.all(foreign.map(headers => send(`/live/${pid}/kill`, headers)));
    const elsewhere = await request(address).post(`/live/${pid}/kill`).set('Host', 'board.example');
    assert.deepEqual(each([...refused, elsewhere], 'status'), [403, 403, 403]);
    assert.equal((await send('/live/1/kill')).status, 404);
    const admin = request.agent(address);
    await admin.post('/login').type('form').send({ name: 'admin', password: 'open sesame' });
    const page = await admin.get('/live').set('Host', 'board.example');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /action="\/live\//);
    const asked = await admin.post(`/live/${pid}/kill`).set('Host', 'board.example');
    assert.equal(asked.status, 403);
    assert.ok(running().includes(pid!));
  });
  test('loses no request while a process is restarted, and while one is killed', async () => {
    for (const how of ['restart', 'kill']) {
      // Visitors reach both, so that ending one shows something.
      await until(() => running().length === 2 && state!.members.every(({ requests }) => requests > 1));
      const pid = running().find(each => each !== state!.pid)!;
      assert.equal((await send(`/live/${pid}/${how}`)).status, 303);
      await until(() => !state!.members.some(member => member.pid === pid) && running().length === 2);
    }
    const { sent } = state!.load;
    await until(() => state!.load.sent > sent);
    assert.equal(state!.load.lost, 0);
    assert.match(state!.log.map(({ text }) => text).join('\n'), /ended with SIGKILL/);
  });
  test('each process has a port for its metrics, the lowest that is free', async () => {
    await until(() => running().length === 2);
    const slots = state!.members.map(({ slot }) => slot);
    assert.equal(new Set(slots).size, 2);
    for (const slot of slots) {
      assert.ok(slot < 3, `${slot}`);
      const metrics = await fetch(`http://127.0.0.1:${Number(METRICS_PORT) + slot}/metrics`);
      assert.match(await metrics.text(), /^ristretto_stopping 0$/m);
    }
  });
  test('stops with all its processes', async () => {
    const pids = state!.members.map(({ pid }) => pid);
    assert.deepEqual(await stop(), [0, null]);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
  test('stops while its processes are starting', async () => {
    await open();
    assert.deepEqual(await stop(), [0, null]);
  });
  test('npm start passes SIGTERM on: no process stays behind', async () => {
    await open(NPM);
    await stop();
    await until(() =>
      fetch(address).then(
        () => false,
        () => true,
      ),
    );
  });
  test('ends with code 1 if its port is in use', async () => {
    const other = net.createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    child = start(folder, [], { PORT: String(port) });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', piece => (output += String(piece)));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    other.close();
    assert.equal(
      output,
      `Port ${port} is in use by another program. Choose another one: PORT=3001 npm start\n`,
    );
  });
});

/**
 * examples/showcase on a PostgreSQL server and Redis: two applications share everything, and survive a restart of
 * either. Skipped if these are not installed.
 */
describe('showcase on servers', { skip: missingServers() ?? false }, () => {
  const stops: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  test('applications share data, sessions, limits and events, and wait while services restart', async () => {
    const { postgres, redis, ...config } = await startServers();
    stops.push(
      () => postgres.stop(),
      () => redis.stop(),
    );
    // Both start at once: one creates the tables while the other waits.
    const [one, two] = await Promise.all([makeBoard(config), makeBoard(config)]);
    stops.push(one.services.close, two.services.close);
    const [first, second] = [one.app(), two.app()];

    const server = second.listen(0);
    await once(server, 'listening');
    stops.push(async () => (server.closeAllConnections(), server.close()));
    const port = (server.address() as AddressInfo).port;
    const stream = await fetch(`http://127.0.0.1:${port}/events`);
    const events = stream.body!.pipeThrough(new TextDecoderStream()).getReader();

    const ada = await member(first, 'Ada');
    const cookie = String(
      (await ada.post('/login').type('form').send({ name: 'Ada', password: 'correct horse' })).headers[
        'set-cookie'
      ],
    ).split(';', 1)[0]!;
    const elsewhere = () => request(second).get('/').set('Cookie', cookie);
    assert.match((await elsewhere()).text, /Log out <span class="who">Ada/);
    assert.equal((await ada.post('/posts').field('text', 'seen by all')).status, 303);
    let seen = '';
    while (!seen.includes('seen by all')) seen += (await events.read()).value ?? '';
    assert.match((await elsewhere()).text, /seen by all/);

    for (let attempt = 0; attempt < 10; attempt++) {
      const app = attempt % 2 === 0 ? first : second;
      await request(app).post('/login').type('form').send({ name: 'nobody', password: 'x' });
    }
    assert.equal((await request(second).post('/login').type('form').send({ name: 'x' })).status, 429);

    // Requests have time limits, while a migration may take as long as it needs.
    const limit = ({ sql }: Pick<typeof one.services.db, 'sql'>) =>
      sql<{ text: string }>`select current_setting('statement_timeout') as text`;
    const { db } = one.services;
    assert.deepEqual(
      [await limit(db), await db.transaction(limit), await db.migration(limit)].map(([row]) => row!.text),
      ['4s', '4s', '0'],
    );

    await postgres.stop();
    const away = await request(first).get('/').set('Accept', 'text/html');
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '5']);
    assert.equal((await request(first).get('/livez')).status, 200);
    await postgres.start();
    await until(async () => (await elsewhere()).text.includes('Log out <span class="who">Ada'));

    // Freezes the server: connections stay open, and nothing replies.
    for (const [service, limit] of [
      [redis, 2000],
      [postgres, 5000],
    ] as const) {
      service.stall();
      stops.push(async () => service.resume());
      const began = performance.now();
      const res = await elsewhere().timeout(20_000);
      const took = performance.now() - began;
      assert.deepEqual([res.status, res.headers['retry-after']], [503, '5']);
      assert.ok(took < limit + 5000, `${took} ms`);
      service.resume();
      await until(async () => (await elsewhere()).status === 200);
    }

    await redis.stop('SIGTERM');
    await until(async () => (await elsewhere()).status === 503);
    assert.equal((await request(first).get('/dependencies')).status, 503);
    assert.equal((await request(first).get('/readyz')).status, 200);
    await redis.start();
    await until(async () => (await request(first).get('/dependencies')).status === 200);
    assert.equal((await elsewhere()).status, 200);
    await until(async () => (await request(first).get('/dependencies')).status === 200);
    const guess = await request(first).post('/login').type('form').send({ name: 'nobody', password: 'x' });
    assert.equal(guess.status, 429);
  });

  test('a process that starts while both are unavailable waits, logs each once, and opens no port', async () => {
    const { postgres, redis, databaseUrl, redisUrl } = await startServers();
    stops.push(
      () => postgres.stop(),
      () => redis.stop(),
    );
    const [PORT] = (await freePorts(1)).map(String);
    const env = { PORT, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ADMIN_PASSWORD: 'open sesame' };
    const start = () => {
      const child = spawn(process.execPath, [home], {
        env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      stops.push(async () => child.kill('SIGKILL'));
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
      return { child, lines: () => log.split('\n').filter(Boolean) };
    };
    const isReady = async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok;
    // Redis is asked after PostgreSQL.
    for (const [service, text] of [
      [postgres, /PostgreSQL connection failed; trying again/],
      [redis, /Redis connection failed; trying again/],
    ] as const) {
      await service.stop('SIGTERM');
      const { child, lines } = start();
      await until(async () => lines().length > 0);
      // Several attempts later.
      const later = performance.now() + 2000;
      await until(async () => performance.now() > later);
      await assert.rejects(isReady());
      assert.equal(lines().length, 1);
      assert.match(lines()[0]!, text);
      await service.start();
      await until(isReady);
      assert.equal(lines().length, 1);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    }
  });
});
