// runs: built
/** docs/recipes/: programs that listen and stop, WebSockets, databases and serverless hosts, in both forms. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Application } from 'ristretto';
import { WebSocket } from 'ws';
import { project } from './recipes';
import type { Project } from './recipes';
import { freshFolder } from './showcase';

/** Starts a server.js in a separate process; `stop` stops it. */
async function started({ folder }: Project, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = `http://localhost:${/(\d+)\n$/.exec(String(line))?.[1] ?? ''}`;
  const closed = once(child, 'close');
  return {
    url,
    /** Resolves with the exit code. */
    async stop(): Promise<unknown> {
      child.kill('SIGTERM');
      const [code] = (await closed) as [unknown];
      return code;
    },
  };
}

/** Serves PostgreSQL from this process on a port: PGlite handles one message after another. */
async function servePostgres(): Promise<{ url: string; connections(): number; close(): Promise<void> }> {
  const engine = await PGlite.create(path.join(await freshFolder(), 'postgres'));
  let queue = Promise.resolve();
  const sockets = new Set<net.Socket>();
  const server = net.createServer(socket => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', message => {
      queue = queue.then(async () => {
        const reply = await engine.execProtocolRaw(new Uint8Array(message));
        if (!socket.destroyed) socket.write(reply);
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `postgres://postgres:none@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    connections: () => sockets.size,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await queue;
      await engine.close();
    },
  };
}

const isWindows = process.platform === 'win32';

describe('recipes', () => {
  test('running an example: the server prints its address, and stops', { skip: isWindows }, async () => {
    const { url, stop } = await started(await project('recipes', 'recipes/serverless'));
    assert.equal((await fetch(url)).status, 200);
    assert.equal(await stop(), 0);
  });

  test('serverless: a fetch handler handles requests', async () => {
    const { load } = await project('recipes/serverless');
    const loaded = await load<{ default: { fetch: Application['fetch'] } }>('worker.js');
    const response = await loaded.default.fetch(new Request('https://api.example/'));
    assert.deepEqual(await response.json(), { host: 'api.example', secure: true });
  });

  test('serverless: what Vercel gets is a function, without the members by which it recognizes other handlers', async () => {
    const { load } = await project('recipes/serverless');
    const { default: handler } = await load<{ default: http.RequestListener & { fetch?: unknown } }>(
      'vercel.js',
    );
    assert.equal(handler.fetch, undefined);
    const server = http.createServer(handler).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.match(((await response.json()) as { ip: string }).ip, /127\.0\.0\.1$/);
    server.close();
  });

  test('serverless: Lambda events become requests, and responses become results', async () => {
    const { load } = await project('recipes/serverless');
    interface Result {
      statusCode: number;
      headers: Record<string, string>;
      cookies: string[];
      body: string;
      isBase64Encoded: boolean;
    }
    const { handler } = await load<{ handler(event: unknown): Promise<Result> }>('lambda.js');
    const event = (method: string, rawPath: string, more: object = {}) => ({
      version: '2.0',
      rawPath,
      rawQueryString: '',
      headers: { host: 'x.lambda-url.example', 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'http' },
      requestContext: {
        domainName: 'x.lambda-url.example',
        http: { method, path: rawPath, sourceIp: '203.0.113.9' },
      },
      isBase64Encoded: false,
      ...more,
    });
    const textOf = ({ body }: Result) => Buffer.from(body, 'base64').toString();
    const got = await handler(event('GET', '/'));
    assert.equal(got.statusCode, 200);
    assert.equal(got.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(JSON.parse(textOf(got)), {
      ip: '203.0.113.9',
      host: 'x.lambda-url.example',
      secure: true,
    });
    const body = '{"text":"ü"}';
    const headers = { 'content-type': 'application/json' };
    for (const sent of [
      { headers, body },
      { headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true, cookies: ['a=1'] },
    ]) {
      const echoed = await handler(event('POST', '/echo', sent));
      assert.equal(textOf(echoed), body);
      assert.deepEqual(echoed.cookies, ['seen=1; Path=/', 'last=echo; Path=/']);
      assert.equal('set-cookie' in echoed.headers, false);
    }
    assert.equal((await handler(event('GET', '/nowhere'))).statusCode, 404);
  });

  test(
    'WebSockets: only logged-in users from the same origin connect, and a stop closes the connections',
    { skip: isWindows },
    async () => {
      const chat = await started(await project('recipes/websockets'), {
        SESSION_SECRET: 'a secret of the test',
      });
      const login = await fetch(`${chat.url}/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"name":"Ada"}',
      });
      const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
      const open = (at: string, headers: Record<string, string>) => {
        const client = new WebSocket(chat.url.replace('http', 'ws') + at, { headers });
        client.on('error', () => undefined);
        return client;
      };
      const refused = async (at: string, headers: Record<string, string>) => {
        const [, res] = (await once(open(at, headers), 'unexpected-response')) as [
          unknown,
          http.IncomingMessage,
        ];
        return res.statusCode;
      };
      const origin = chat.url;
      assert.equal(await refused('/other', { cookie, origin }), 404);
      assert.equal(await refused('/rooms/1', { cookie, origin: 'http://evil.example' }), 403);
      assert.equal(await refused('/rooms/1', { origin }), 401);
      const [one, two] = [open('/rooms/1', { cookie, origin }), open('/rooms/1', { cookie, origin })];
      await Promise.all([once(one, 'open'), once(two, 'open')]);
      const received = Promise.all([once(one, 'message'), once(two, 'message')]);
      one.send('hello');
      for (const [data] of await received)
        assert.deepEqual(JSON.parse(String(data)), { from: 'Ada', text: 'hello' });
      const closed = Promise.all([once(one, 'close'), once(two, 'close')]);
      assert.equal(await chat.stop(), 0);
      assert.deepEqual(
        (await closed).map(([code]) => code as number),
        [1001, 1001],
      );
    },
  );
});

describe('recipes with a database', () => {
  let database: Awaited<ReturnType<typeof servePostgres>>;
  before(async () => {
    database = await servePostgres();
  });
  after(() => database.close());

  test('databases: transfers are atomic, and the pool closes last', { skip: isWindows }, async () => {
    const files = await project('recipes/databases');
    const { createPool } = await files.load<{
      createPool(url: string): { query(text: string): Promise<unknown>; end(): Promise<void> };
    }>('database.js');
    const pool = createPool(database.url);
    await pool.query('drop table if exists accounts');
    await pool.query('create table accounts (id int primary key, balance int check (balance >= 0))');
    await pool.query('insert into accounts values (1, 100), (2, 0)');
    await pool.end();

    const { url, stop } = await started(files, { DATABASE_URL: database.url, STOP_DELAY: '0' });
    const transfer = (amount: unknown) =>
      fetch(`${url}/transfers`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ from: 2, to: 1, amount }),
      }).then(({ status }) => status);
    const balances = () =>
      Promise.all([1, 2].map(id => fetch(`${url}/accounts/${id}`).then(res => res.json())));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await fetch(`${url}/accounts/9`)).status, 404);
    assert.equal(await transfer('all'), 400);
    assert.equal(await transfer(10), 409);
    assert.deepEqual(await balances(), [
      { id: 1, balance: 100 },
      { id: 2, balance: 0 },
    ]);
    const back = await fetch(`${url}/transfers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ from: 1, to: 2, amount: 30 }),
    });
    assert.equal(back.status, 204);
    assert.deepEqual(await balances(), [
      { id: 1, balance: 70 },
      { id: 2, balance: 30 },
    ]);
    assert.ok(database.connections() > 0);
    // Idle connections keep the process running for ten seconds if the pool is not closed.
    assert.equal(await Promise.race([stop(), sleep(8000, undefined, { ref: false })]), 0);
  });

  test('databases: readiness fails while the database cannot be reached', async () => {
    const { load } = await project('recipes/databases');
    const { createApp } = await load<{ createApp(pool: unknown): Application }>('app.js');
    const app = createApp({ query: () => Promise.reject(new Error('no connection')) });
    app.set('env', 'test');
    assert.equal((await app.inject('/readyz')).status, 503);
    assert.equal((await app.inject('/livez')).status, 200);
  });
  test('databases: a connection that fails in a transaction is removed from the pool', async () => {
    const { load } = await project('recipes/databases');
    const { transaction } = await load<{
      transaction(pool: unknown, work: () => Promise<never>): Promise<unknown>;
    }>('database.js');
    const released: unknown[] = [];
    const broken = new Error('the connection is gone');
    const client = {
      query: async (text: string) => {
        if (text === 'rollback') throw broken;
      },
      release: (error: unknown) => released.push(error),
    };
    const work = () => Promise.reject(new Error('of the work'));
    await assert.rejects(transaction({ connect: async () => client }, work), /of the work/);
    assert.deepEqual(released, [broken]);
  });
});
