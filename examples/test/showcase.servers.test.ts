// runs: built, ci
/**
 * examples/showcase on a PostgreSQL server and Redis: two applications share everything, and survive a restart of
 * either. Skipped if these are not installed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { spawn } from 'node:child_process';
import request from 'supertest';
import { freePorts, missingServers, startServers, until } from './servers';
import { home, makeBoard, member } from './showcase';

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
