// runs: built
/** docs/recipes/ about APIs and their environment: errors, pagination, versions, proxies, contexts, metrics. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import web from 'ristretto';
import type { Application } from 'ristretto';
import { until } from '../../packages/engine/test/support/until';
import { project, serving, temporaryFolder, writeFiles } from './recipes';
import type { Load } from './recipes';

interface Row {
  id: number;
  time: number;
  title: string;
}

/** A client of Prisma, as far as the page uses one. */
function fakePrisma() {
  const rows: { id: number; title: string; stock: number }[] = [];
  const book = {
    async create({ data }: { data: { title: string; stock: number } }) {
      if (rows.some(({ title }) => title === data.title))
        throw Object.assign(new Error('Unique constraint failed'), { code: 'P2002' });
      rows.push({ id: rows.length + 1, ...data });
      return rows.at(-1);
    },
    findUnique: async ({ where: { id } }: { where: { id: number } }) =>
      rows.find(row => row.id === id) ?? null,
    async updateMany({ where }: { where: { id: number; stock: { gt: number } } }) {
      const found = rows.filter(({ id, stock }) => id === where.id && stock > where.stock.gt);
      for (const row of found) row.stock -= 1;
      return { count: found.length };
    },
  };
  return { book, $queryRaw: async () => [1] };
}

describe('recipes', () => {
  test('errors: are problem details, and only server errors are logged', async () => {
    const { load } = await project('recipes/errors');
    const { createApp } = await load<Load<[object]>>('app.js');
    const logged: unknown[] = [];
    const app = createApp({ log: (error: unknown) => void logged.push(error) });
    app.set('env', 'production');
    const missing = await app.inject('/nowhere?a=b');
    assert.equal(missing.headers['content-type'], 'application/problem+json');
    const type = 'about:blank';
    assert.deepEqual(missing.json(), {
      type,
      title: 'Not Found',
      status: 404,
      detail: 'Cannot GET /nowhere',
      code: 'path.unknown',
    });
    assert.equal((await app.inject('/stock/tea')).json().code, 'coffee.missing');
    const order = () => app.inject({ url: '/orders', body: { name: 'espresso' } });
    assert.equal((await order()).status, 201);
    assert.deepEqual((await order()).json(), {
      type,
      title: 'Conflict',
      status: 409,
      detail: 'Out of stock',
      code: 'stock.empty',
      coffee: 'espresso',
    });
    const malformed = await app.inject({
      url: '/orders',
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    assert.equal(malformed.status, 400);
    assert.equal(logged.length, 0);
    const fail = (): number => {
      throw new Error('connect ECONNREFUSED 10.0.0.7');
    };
    const broken = createApp({ log: (error: unknown) => void logged.push(error), stock: { get: fail } });
    broken.set('env', 'production');
    const problem = { type, title: 'Internal Server Error', status: 500 };
    assert.deepEqual((await broken.inject('/stock/tea')).json(), problem);
    assert.equal(logged.length, 1);
  });

  test('errors: a custom format has the error codes, and hides details of server errors', async () => {
    const { load } = await project('recipes/errors');
    const { notFound, sendError } =
      await load<Record<string, (...args: unknown[]) => never>>('own-format.js');
    const logged: unknown[] = [];
    const app = web();
    app.get('/broken', () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7');
    });
    app.use(
      notFound!,
      sendError!((error: unknown) => void logged.push(error)),
    );
    const unknown = { error: { code: 'path.unknown', message: 'Cannot GET /nowhere' } };
    assert.deepEqual((await app.inject('/nowhere')).json(), unknown);
    assert.deepEqual((await app.inject('/broken')).json(), { error: { message: 'failed' } });
    assert.equal(logged.length, 1);
  });

  test('pagination: cursors lead through the whole list, and are checked', async () => {
    const { load } = await project('recipes/pagination');
    const { createApp } = await load<Load<[object]>>('app.js');
    const rows: Row[] = Array.from({ length: 5 }, (_, n) => ({
      id: 5 - n,
      time: 10,
      title: `post ${5 - n}`,
    }));
    const list = async ({ after, limit }: { after?: Row; limit: number }) =>
      rows.filter(({ id }) => !after || id < after.id).slice(0, limit);
    const app = createApp({ list }).set('env', 'test');
    const seen: number[] = [];
    let url: string | undefined = '/posts?limit=2';
    while (url !== undefined) {
      const res = await app.inject(url);
      const { posts, next } = res.json() as { posts: Row[]; next?: string };
      seen.push(...posts.map(({ id }) => id));
      assert.equal(res.headers.link, next && `<${next}>; rel="next"`);
      url = next;
    }
    assert.deepEqual(seen, [5, 4, 3, 2, 1]);
    for (const after of ['x', 'e30', Buffer.from('["1",2]').toString('base64url')])
      assert.equal((await app.inject(`/posts?after=${after}`)).status, 400);
    assert.equal((await app.inject('/posts?limit=1000')).status, 400);
  });

  test('versions: are selected by path and by media type', async () => {
    const { load } = await project('recipes/versions');
    const { createApp } = await load<Load<[Map<string, object>]>>('app.js');
    const book = { title: 'Coffee', authors: ['Ada', 'Bob'] };
    const app = createApp(new Map([['1', book]]));
    const first = await app.inject('/v1/books/1');
    assert.deepEqual(first.json(), { title: 'Coffee', author: 'Ada' });
    assert.deepEqual(
      [first.headers.deprecation, first.headers.sunset, first.headers.link],
      ['@1767225600', 'Fri, 01 Jan 2027 00:00:00 GMT', '</v2>; rel="successor-version"'],
    );
    assert.deepEqual((await app.inject('/v2/books/1')).json(), book);
    const headers = { Accept: 'application/vnd.books.v2+json' };
    const negotiated = await app.inject({ url: '/books/1', headers });
    assert.deepEqual([negotiated.json(), negotiated.headers.vary], [book, 'Accept']);
    assert.deepEqual((await app.inject('/books/1')).json().authors, book.authors);
    assert.equal((await app.inject({ method: 'DELETE', url: '/v1/books/1' })).status, 204);
    assert.equal((await app.inject('/v2/books/1')).status, 404);
  });

  test('single-page: pages get index.html, and everything else that is missing gets a 404', async () => {
    const { load } = await project('recipes/single-page');
    const { createApp } = await load<Load<[string]>>('app.js');
    const dist = temporaryFolder();
    writeFiles(dist, [
      { name: 'index.html', code: '<div id="app"></div>' },
      { name: 'assets/index-1a2b.js', code: 'start()' },
      { name: 'robots.txt', code: 'User-agent: *' },
    ]);
    const app = createApp(dist).set('env', 'test');
    const get = (url: string, Accept = 'text/html') => app.inject({ url, headers: { Accept } });
    const page = await get('/accounts/7');
    assert.deepEqual([page.text(), page.headers['cache-control']], ['<div id="app"></div>', 'no-cache']);
    const asset = await get('/assets/index-1a2b.js', '*/*');
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await get('/robots.txt')).text(), 'User-agent: *');
    assert.equal((await get('/users/john.doe')).text(), '<div id="app"></div>');
    const missing = ['/assets/index-old.js', '/api/nothing', '/favicon.svg'];
    for (const url of missing) assert.equal((await get(url, '*/*')).status, 404, url);
    assert.equal((await get('/accounts/7', 'application/json')).status, 404);
    assert.equal((await app.inject({ method: 'POST', url: '/accounts/7' })).status, 404);
  });

  test('reverse-proxy: trusts its proxy, and forwards bodies both ways', async () => {
    const { load } = await project('recipes/reverse-proxy');
    const { createApp } = await load<Load<[object]>>('app.js');
    const behind = web().set('env', 'test');
    let aborted = 0;
    behind.post('/echo', (req, res) => {
      const { 'x-forwarded-for': ip, 'x-hop': hop, 'x-forwarded-proto': protocol } = req.headers;
      res.set({
        'X-Seen': `${String(ip)} ${String(protocol)} ${String(hop)}`,
        Connection: 'X-Own',
        'X-Own': '1',
      });
      req.pipe(res);
    });
    behind.get('/slow', (req, res) => void res.on('close', () => (aborted += 1)));
    await serving(behind, async legacy => {
      const app = createApp({ legacy }).set('env', 'test');
      const who = await app.inject({
        url: '/whoami',
        headers: {
          'X-Forwarded-For': '6.6.6.6, 203.0.113.9',
          'X-Forwarded-Proto': 'https',
          Host: 'a.example',
        },
      });
      assert.deepEqual(who.json(), { ip: '203.0.113.9', protocol: 'https', host: 'a.example' });
      await serving(app, async url => {
        const body = 'x'.repeat(200_000);
        const res = await new Promise<http.IncomingMessage>((resolve, reject) => {
          const headers = { Connection: 'close, X-Hop', 'X-Hop': '1' };
          http
            .request(`${url}/legacy/echo`, { method: 'POST', headers }, resolve)
            .on('error', reject)
            .end(body);
        });
        assert.equal(res.headers['x-seen'], '127.0.0.1 http undefined');
        assert.equal(res.headers['x-own'], undefined);
        assert.equal((await res.toArray()).join('').length, body.length);
        const req = http.get(`${url}/legacy/slow`).on('error', () => undefined);
        await once(behind, 'never', { signal: AbortSignal.timeout(100) }).catch(() => undefined);
        req.destroy();
        await until(() => aborted === 1);
      });
    });
    const down = createApp({ legacy: 'http://127.0.0.1:1' }).set('env', 'test');
    assert.equal((await down.inject('/legacy/x')).status, 502);
  });

  test('multipart-openapi: the document describes the form that is validated', async () => {
    const { load } = await project('recipes/multipart-openapi');
    const { createApp } = await load<Load<[]>>('app.js');
    const app = createApp().set('env', 'test');
    const { paths, components } = (await app.inject('/openapi.json')).json();
    const body = paths['/documents'].post.requestBody;
    assert.deepEqual([Object.keys(body.content), body.required], [['multipart/form-data'], true]);
    const { properties, required } = body.content['multipart/form-data'].schema;
    assert.deepEqual(required, ['title', 'file']);
    assert.equal(properties.file.$ref, '#/components/schemas/File');
    assert.deepEqual(components.schemas.File, { type: 'string', format: 'binary' });
    const send = (fill: (form: FormData) => void) => {
      const form = new FormData();
      fill(form);
      return app.inject({ url: '/documents', body: form });
    };
    const stored = await send(form => {
      form.append('title', 'Notes');
      form.append('file', new Blob(['12345']), 'notes.txt');
    });
    assert.deepEqual([stored.status, stored.json()], [201, { title: 'Notes', bytes: 5 }]);
    assert.equal((await send(form => form.append('title', 'Notes'))).status, 400);
    const tooLarge = (form: FormData) => form.append('file', new Blob(['x'.repeat(1_000_001)]), 'notes.txt');
    assert.equal((await send(tooLarge)).status, 413);
  });

  test('orm: Drizzle on PostgreSQL sells the last book once', async () => {
    const { load } = await project('recipes/orm');
    const { createApp } = await load<Load<[unknown]>>('app.js');
    const db = drizzle(await PGlite.create());
    await db.execute(sql`create table books (
        id integer primary key generated always as identity, title text not null, stock integer not null default 0
      )`);
    await sellsOnce(createApp(db));
  });

  test('orm: the application for Prisma sends 409 for a duplicate', async () => {
    const { load } = await project('recipes/orm');
    const { createApp } = await load<Load<[unknown]>>('prisma-app.js');
    const app = createApp(fakePrisma());
    await sellsOnce(app);
    assert.equal((await app.inject({ url: '/books', body: { title: 'Coffee', stock: 1 } })).status, 409);
  });

  test('orm: the database is closed after the last request', async () => {
    const { folder, node } = await project('recipes/orm');
    const code = `import { once } from 'node:events';
import web from 'ristretto';
import { serve } from './main.js';
const app = web().get('/', (req, res) => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => res.send('responded'), 100);
});
const { server, stopped } = serve(app, 0, () => console.log('closed'));
await once(server, 'listening');
const res = await fetch(\`http://localhost:\${server.address().port}/\`);
console.log(await res.text());
await stopped;
`;
    writeFiles(folder, [{ name: 'stop.mjs', code }]);
    assert.equal(await node(['stop.mjs']), 'responded\nclosed\n');
  });

  test('request-context: each request has its own context, also after a body parser', async () => {
    const { load } = await project('recipes/request-context');
    const { createApp } = await load<Load<[(line: string) => void]>>('app.js');
    const lines: string[] = [];
    await serving(
      createApp(line => void lines.push(line)),
      async url => {
        const headers = { 'Content-Type': 'application/json' };
        const all = await Promise.all(
          Array.from({ length: 5 }, async (_, n) => {
            const get = await fetch(`${url}/reports/${n}`);
            const post = await fetch(`${url}/reports`, {
              method: 'POST',
              headers,
              body: `{"name":"${n}"}`,
            });
            const { request: ofPost } = (await post.json()) as { request: string };
            assert.equal(ofPost, post.headers.get('x-request-id'));
            const { request: ofGet } = (await get.json()) as { request: string };
            return [get.headers.get('x-request-id'), ofGet];
          }),
        );
        for (const [id, request] of all) {
          assert.equal(id, request);
          assert.ok(lines.some(line => line.startsWith(`${id} loads `)));
        }
      },
    );
  });

  test('metrics: requests are counted by pattern, and none stays in flight', async () => {
    const { load } = await project('recipes/metrics');
    const { createApp } = await load<{
      createApp(options: object): Record<'app' | 'metrics', ReturnType<typeof web>>;
    }>('app.js');
    const { app, metrics } = createApp({ listen: undefined });
    app.set('env', 'test');
    const lend = (id: string) => app.inject({ method: 'POST', url: `/branches/east/books/${id}/loans` });
    for (const id of ['1', '2']) assert.equal((await lend(id)).status, 201);
    for (const url of ['/broken', '/nowhere']) await app.inject(url);
    const { text } = await web().use(metrics).inject('/metrics');
    const count = (method: string, route: string, status: string) => {
      const labels = `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
      const [, figure] = text().split(`http_server_request_duration_seconds_count{${labels}} `);
      return figure?.split('\n')[0];
    };
    assert.equal(count('POST', '/branches/:branch/books/:id/loans', '201'), '2');
    assert.equal(count('GET', '/broken', '500'), '1');
    assert.match(text(), /^books_lent_total\{branch="east"\} 2$/m);
    assert.match(text(), /^process_cpu_\w*seconds_total /m);
  });

  test('env: an invalid environment prevents the start, and prints the missing names without values', async () => {
    const { folder, load, node } = await project('recipes/env');
    const { readConfig } = await load<{ readConfig(env: object): object }>('config.js');
    const SESSION_SECRET = '0123456789abcdef0123456789abcdef';
    const env = { DATABASE_URL: 'postgres://localhost/app', SESSION_SECRET, PORT: '0' };
    const read = readConfig(env);
    assert.deepEqual(read, { ...env, NODE_ENV: 'development', PORT: 0, TRUST_PROXY: 0 });
    assert.ok(Object.isFrozen(read));
    assert.throws(
      () => readConfig({ SESSION_SECRET: 'too short', PORT: 'http' }),
      ({ message }: Error) =>
        ['DATABASE_URL', 'SESSION_SECRET: at least 32', 'PORT'].every(part => message.includes(part)) &&
        !message.includes('too short'),
    );
    const print = "require('./config.js'); process.stdout.write(process.env.DATABASE_URL)";
    fs.writeFileSync(path.join(folder, '.env'), `DATABASE_URL=${env.DATABASE_URL}\n`);
    fs.writeFileSync(path.join(folder, 'print.cjs'), print);
    assert.equal(await node(['--env-file=.env', 'print.cjs']), env.DATABASE_URL);
  });
});

/** Creates a book with one copy in stock, and sells it. */
async function sellsOnce(app: Application): Promise<void> {
  app.set('env', 'test');
  assert.equal((await app.inject('/readyz')).status, 200);
  const created = await app.inject({ url: '/books', body: { title: 'Coffee', stock: 1 } });
  assert.deepEqual([created.status, created.json()], [201, { id: 1, title: 'Coffee', stock: 1 }]);
  assert.deepEqual((await app.inject('/books/1')).json(), created.json());
  assert.equal((await app.inject('/books/2')).status, 404);
  const sell = async () => (await app.inject({ method: 'POST', url: '/books/1/sale' })).status;
  assert.deepEqual((await Promise.all([sell(), sell()])).sort(), [204, 409]);
  assert.equal((await app.inject({ url: '/books', body: { title: '', stock: 1 } })).status, 400);
  assert.equal((await app.inject('/books/x')).status, 400);
}
