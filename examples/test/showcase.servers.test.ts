/**
 * examples/showcase on a PostgreSQL server and Redis: two applications share everything, and survive a restart of
 * either. Skipped where these are not installed; as root, PostgreSQL is run as its own user, since it refuses root.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { makeBoard, member, temporaryFolder } from './showcase';

/** A program of the PATH, or of Debian's PostgreSQL, which does not put its programs there. */
function program(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versions.map(v => `${debian}/${v}/bin`),
  ];
  return folders.map(folder => path.join(folder, name)).find(file => fs.existsSync(file));
}

/** The user to run PostgreSQL as: undefined for ourselves, null if there is none. */
function unprivileged(): { uid: number; gid: number } | undefined | null {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo().catch(() => false)) return;
    await sleep(50);
  }
  assert.fail('it did not come to be in 10 seconds');
}

const accepts = (port: number) => async () => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  return true;
};

/** A service that can be started again on its port, with its data. */
function service(
  port: number,
  file: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
) {
  let child: ChildProcess | undefined;
  return {
    async start() {
      child = spawn(file, args, { ...options, stdio: 'ignore' });
      await until(accepts(port));
    },
    async stop() {
      const ended = child && once(child, 'exit');
      // PostgreSQL: immediately, without waiting for clients.
      child?.kill('SIGQUIT');
      await ended;
      child = undefined;
    },
  };
}

const tools = { initdb: program('initdb'), postgres: program('postgres'), redis: program('redis-server') };
const user = unprivileged();
const missing = Object.entries(tools).find(([, file]) => file === undefined)?.[0];
const skip = missing ? `${missing} is not installed` : user === null ? 'there is no user postgres' : false;

describe('showcase on servers', { skip }, () => {
  const stops: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  test('applications share data, sessions, limits and events, and wait for services that are restarted', async () => {
    const data = temporaryFolder();
    if (user) fs.chownSync(data, user.uid, user.gid);
    const options = { cwd: data, ...user };
    execFileSync(tools.initdb!, ['-D', data, '-U', 'board', '-A', 'trust', '-N', '--no-instructions'], {
      ...options,
      stdio: 'pipe',
    });
    const [pgPort, redisPort] = [await freePort(), await freePort()];
    const flags = ['-D', data, '-p', String(pgPort), '-h', '127.0.0.1', '-k', data, '-F'];
    const postgres = service(pgPort, tools.postgres!, flags, options);
    const redis = service(
      redisPort,
      tools.redis!,
      ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''],
      {
        cwd: temporaryFolder(),
      },
    );
    await Promise.all([postgres.start(), redis.start()]);
    stops.push(postgres.stop, redis.stop);

    const config = {
      databaseUrl: `postgres://board@127.0.0.1:${pgPort}/postgres`,
      redisUrl: `redis://127.0.0.1:${redisPort}`,
    };
    // Both at once: one of them makes the tables, the other waits for it.
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

    await postgres.stop();
    const away = await request(first).get('/').set('Accept', 'text/html');
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '5']);
    assert.equal((await request(first).get('/livez')).status, 200);
    await postgres.start();
    await until(async () => (await elsewhere()).text.includes('Log out <span class="who">Ada'));

    await redis.stop();
    await until(async () => (await elsewhere()).status === 503);
    assert.equal((await request(first).get('/readyz')).status, 503);
    await redis.start();
    await until(async () => (await request(first).get('/readyz')).status === 200);
    assert.equal((await elsewhere()).status, 200);
    await until(async () => (await request(first).get('/readyz')).status === 200);
    const guess = await request(first).post('/login').type('form').send({ name: 'nobody', password: 'x' });
    assert.equal(guess.status, 401);
  });
});
