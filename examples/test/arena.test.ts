// runs: once, ci, built
/** The entries for public arenas, started as their images start them, with every endpoint that a board loads. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { until } from '../../packages/engine/test/support/until';
import { root } from './deploy';
import { freePorts, missingPostgres, program, startPostgres } from './servers';
import { temporaryFolder } from './showcase';

const arena = path.join(root, 'proofs/bench/arena');

/** Starts an entry, and waits until a request gets a response; its workers end with it. */
async function start(file: string, env: Record<string, string>, url: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.join(arena, file)], {
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    const ready = until(async () => (await fetch(url)).ok);
    await Promise.race([ready, ended.then(([code]) => assert.fail(`${file} ended with ${code}`))]);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

const missing = missingPostgres();

/** Starts PostgreSQL with the table of the entry. */
async function startDatabase() {
  const { postgres, databaseUrl } = await startPostgres();
  execFileSync(program('psql')!, ['-q', '-f', path.join(arena, 'ristretto/items.sql'), databaseUrl]);
  return { DATABASE_URL: databaseUrl, stop: () => postgres.stop() };
}

describe('arena entries', () => {
  let [port, tlsPort, http2Port]: (number | undefined)[] = [];
  let stop: (() => Promise<void>) | undefined;
  let stopDatabase: (() => Promise<void>) | undefined;
  const get = async (target: string, init?: RequestInit) => {
    const response = await fetch(`http://localhost:${port}${target}`, init);
    return {
      type: response.headers.get('content-type'),
      status: response.status,
      body: await response.text(),
    };
  };
  const plain = (body: string) => ({ type: 'text/plain; charset=utf-8', status: 200, body });

  before(async () => {
    [port, tlsPort, http2Port] = await freePorts(3);
    const folder = temporaryFolder();
    const items = [1, 2, 3].map(id => ({ id, price: 10 * id, quantity: 2 }));
    fs.writeFileSync(path.join(folder, 'dataset.json'), JSON.stringify(items));
    fs.mkdirSync(path.join(folder, 'static'));
    fs.writeFileSync(path.join(folder, 'static/app.js'), 'let a;');
    for (const [from, to] of [
      ['localhost-key.pem', 'server.key'],
      ['localhost-cert.pem', 'server.crt'],
    ] as const)
      fs.copyFileSync(path.join(root, 'examples/https', from), path.join(folder, to));
    const ports = { PORT: String(port), TLS_PORT: String(tlsPort), HTTP2_PORT: String(http2Port) };
    const settings: Record<string, string> = { ...ports, DATA: folder, CERTIFICATES: folder };
    if (missing === undefined) {
      const { DATABASE_URL, stop: end } = await startDatabase();
      Object.assign(settings, { DATABASE_URL });
      stopDatabase = end;
    }
    stop = await start('ristretto/server.cjs', settings, `http://localhost:${port}/pipeline`);
  });
  after(async () => {
    await stop?.();
    await stopDatabase?.();
  });

  test('HttpArena: responds to sums, text, uploads and files over HTTP/1.1', async () => {
    assert.deepEqual(await get('/pipeline'), plain('ok'));
    assert.deepEqual(await get('/baseline11?a=13&b=42'), plain('55'));
    assert.deepEqual(await get('/baseline11?a=13&b=42', { method: 'POST', body: '20' }), plain('75'));
    const body = Buffer.alloc(1024 * 1024);
    assert.deepEqual(await get('/upload', { method: 'POST', body }), plain(String(body.length)));
    assert.deepEqual(await get('/static/app.js'), {
      ...{ type: 'application/javascript; charset=UTF-8', status: 200 },
      body: 'let a;',
    });
  });

  test('HttpArena: JSON with computed totals, compressed for clients that accept it, and over TLS', async () => {
    const expected = {
      items: [
        { id: 1, price: 10, quantity: 2, total: 60 },
        { id: 2, price: 20, quantity: 2, total: 120 },
      ],
      count: 2,
    };
    const { body } = await get('/json/2?m=3');
    assert.deepEqual(JSON.parse(body), expected);
    const options = { port: tlsPort, path: '/json/2?m=3', rejectUnauthorized: false, agent: false as const };
    const [response] = await once(https.get(options), 'response');
    assert.deepEqual(JSON.parse(await text(response)), expected);
  });

  const json = async (target: string, method = 'GET', body?: unknown) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`http://localhost:${port}${target}`, {
      method,
      headers: body === undefined ? {} : headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      value: (text && JSON.parse(text)) as Record<string, unknown>,
    };
  };

  test('HttpArena: multiplies by the factor in the body, for the profiles api-4 and api-16', async () => {
    const { status, value } = await json('/json/1', 'POST', { m: 5 });
    assert.equal(status, 200);
    assert.deepEqual(value, { items: [{ id: 1, price: 10, quantity: 2, total: 100 }], count: 1 });
  });

  test('HttpArena: a WebSocket echoes text and bytes', async () => {
    const socket = new WebSocket(`ws://localhost:${port}/ws`);
    try {
      await once(socket, 'open');
      for (const message of ['text', Buffer.from([0, 255])]) {
        socket.send(message);
        const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
        assert.deepEqual(isBinary ? data : data.toString(), message);
      }
    } finally {
      socket.terminate();
    }
  });

  test('HttpArena: runs several queries for one response', { skip: missing }, async () => {
    const { status, value } = await json('/async-db?min=10&max=50&limit=5');
    const { items, count, total, newest } = value as {
      items: { price: number }[];
      newest: { id: number };
    } & typeof value;
    assert.equal(status, 200);
    assert.deepEqual([items.length, count, total, newest.id], [5, 5, 820, 10_000]);
    assert.ok(items.every(({ price }) => price >= 10 && price <= 50));
    assert.equal((await json('/async-db?limit=51')).status, 400);
    assert.equal((await json('/async-db?min=x')).status, 400);
  });

  test('HttpArena: items are created, read, listed, changed and removed', { skip: missing }, async () => {
    const given = { name: 'Pot', category: 'kitchen', price: 12, quantity: 3 };
    const item = { ...given, active: true, tags: [], rating: { score: 0, count: 0 } };
    const created = await json('/crud/items', 'POST', given);
    const target = String(created.headers.get('location'));
    const { id } = created.value;
    assert.equal(target, `/crud/items/${String(id)}`);
    assert.deepEqual([created.status, created.value], [201, { id, ...item }]);
    assert.equal(created.headers.get('cache-control'), 'no-store');
    assert.deepEqual((await json(target)).value, { id, ...item });
    assert.deepEqual((await json('/crud/items?category=kitchen&page=1&limit=5')).value, {
      items: [{ id, ...item }],
      ...{ page: 1, limit: 5 },
    });
    const changed = await json(target, 'PUT', { ...given, price: 13 });
    assert.deepEqual([changed.status, changed.value.price], [200, 13]);
    assert.equal((await json(target, 'DELETE')).status, 204);
    for (const method of ['GET', 'DELETE']) assert.equal((await json(target, method)).status, 404);
    assert.equal((await json(target, 'PUT', given)).status, 404);
  });

  test('HttpArena: invalid items and numbers are refused', { skip: missing }, async () => {
    const error = async (...request: Parameters<typeof json>) => {
      const { status, value } = await json(...request);
      return [status, value.error];
    };
    const wrong = { name: '', category: 7, price: 1.5, quantity: -1 };
    assert.deepEqual(await error('/crud/items', 'POST', wrong), [
      400,
      'invalid: name, category, price, quantity',
    ]);
    assert.deepEqual(await error('/crud/items/1', 'PUT', {}), [
      400,
      'invalid: name, category, price, quantity',
    ]);
    assert.deepEqual(await error('/crud/items/x'), [400, 'invalid: id']);
    assert.deepEqual(await error('/crud/items?page=0'), [400, 'invalid: category, page or limit']);
  });

  test('HttpArena: responds to sums and files over HTTP/2', async () => {
    const client = http2.connect(`https://localhost:${http2Port}`, { rejectUnauthorized: false });
    try {
      const bodyOf = (target: string) => text(client.request({ ':path': target }));
      assert.equal(await bodyOf('/baseline2?a=1&b=2'), '3');
      assert.equal(await bodyOf('/static/app.js'), 'let a;');
    } finally {
      client.close();
    }
  });

  test('HttpArena: meta.json has a type of the board, which is production only with default settings', () => {
    const read = (name: string) => fs.readFileSync(path.join(arena, 'ristretto', name), 'utf8');
    const { type } = JSON.parse(read('meta.json')) as { type: string };
    assert.ok(['production', 'tuned', 'engine'].includes(type));
    const isChanged = /\.(?:disable|enable|set)\('/.test(read('app.cjs'));
    assert.equal(type, isChanged ? 'tuned' : 'production');
  });

  test('web-frameworks: sends an empty page, a parameter, and an empty response to a POST', async () => {
    const [own] = await freePorts(1);
    const url = `http://localhost:${own}`;
    const stopIt = await start('web-frameworks/app.cjs', { PORT: String(own) }, url);
    try {
      const bodyOf = async (target: string, method = 'GET') => {
        const response = await fetch(url + target, { method });
        return `${response.status} ${await response.text()}`;
      };
      assert.deepEqual(await Promise.all([bodyOf('/'), bodyOf('/user/7'), bodyOf('/user', 'POST')]), [
        '200 ',
        '200 7',
        '200 ',
      ]);
    } finally {
      await stopIt();
    }
  });
});
