// runs: built
/** docs/recipes/: testing, logging, sessions, uploads and event streams, in both forms. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { inEnvironment } from '../../packages/engine/test/support/environment';
import { until } from '../../packages/engine/test/support/until';
import { project, serving, temporaryFolder } from './recipes';
import type { Load } from './recipes';

interface Line {
  msg: string;
  level: number;
  requestId?: string;
  route?: string;
  order?: string;
  req?: { id: string; headers: Record<string, string> };
  err?: { message: string };
}

/** Returns the names of the files below a folder. */
const filesBelow = (folder: string) =>
  ['incoming', 'documents', 'backups'].flatMap(name => fs.readdirSync(path.join(folder, name)));

/** Returns a form with one file, as a browser sends it. */
function form(bytes: Uint8Array, name = 'document'): FormData {
  const data = new FormData();
  data.append(name, new Blob([bytes], { type: 'image/png' }), '../../evil.html');
  return data;
}

const PDF = Buffer.from('%PDF-1.7 and so on');

describe('recipes', () => {
  test('testing: its tests pass', async () => {
    const { node } = await project('recipes/testing');
    const output = await node(['--test', '--test-reporter=tap'], { NODE_ENV: 'test' });
    assert.match(output, /^# pass 4$/m);
    assert.match(output, /^# fail 0$/m);
  });

  test('logging: each line has the id of its request, also after a parser', async () => {
    const { load } = await project('recipes/logging');
    const { createApp } = await load<Load<[unknown]>>('app.js');
    const { createLog } = await load<{ createLog(stream: unknown): unknown }>('log.js');
    const lines: Line[] = [];
    const log = createLog({ write: (text: string) => void lines.push(JSON.parse(text) as Line) });
    await serving(createApp(log).set('env', 'test'), async url => {
      const pay = (id: number, amount: number) =>
        fetch(`${url}/orders/${id}/payment`, {
          method: 'POST',
          body: JSON.stringify({ amount }),
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer sesame' },
        });
      assert.equal((await fetch(`${url}/livez`)).status, 200);
      const [one, two] = await Promise.all([pay(1, 5), pay(2, 5)]);
      assert.deepEqual([one.status, two.status, (await pay(3, 0)).status], [204, 204, 500]);
      await until(() => lines.length === 6);
      for (const [order, res] of [one, two].entries()) {
        const id = res.headers.get('x-request-id') ?? '';
        const [charged, completed, ...others] = lines.filter(({ requestId }) => requestId === id);
        assert.deepEqual([charged?.msg, charged?.order], ['card charged', String(order + 1)]);
        assert.deepEqual([completed?.route, completed?.req?.id], ['/orders/:id/payment', id]);
        assert.equal(completed?.req?.headers.authorization, '[Redacted]');
        assert.deepEqual(others, []);
      }
      const unhandled = lines.find(({ msg }) => msg === 'unhandled request error');
      assert.deepEqual([unhandled?.level, unhandled?.err?.message], [50, 'nothing to pay']);
      assert.equal(unhandled?.req?.headers.authorization, '[Redacted]');
      assert.doesNotMatch(JSON.stringify(lines), /sesame/);
    });
  });

  test('sessions: a login creates a new session id, and a logout ends it', async () => {
    const { load } = await project('recipes/sessions');
    const authenticate = async (name: unknown, password: unknown) =>
      password === 'sesame' ? { id: 1, name: String(name) } : undefined;
    const { createApp } = await load<Load<[typeof authenticate, string]>>('app.js');
    const app = createApp(authenticate, 'a secret of the test');
    const login = (password: string) => app.inject({ url: '/login', body: { name: 'Ada', password } });
    assert.equal((await app.inject('/me')).status, 401);
    assert.equal((await login('guess')).status, 401);
    const [first, second] = [await login('sesame'), await login('sesame')];
    const [{ name, value, httpOnly } = { name: '', value: '' }] = first.cookies;
    assert.deepEqual([name, httpOnly], ['sid', true]);
    assert.notEqual(value, second.cookies[0]?.value);
    const again = await app.inject({
      url: '/login',
      cookies: { sid: value },
      body: { name: 'Bob', password: 'sesame' },
    });
    assert.notEqual(again.cookies[0]?.value, value);
    assert.equal((await app.inject({ url: '/me', cookies: { sid: value } })).status, 401);
    const cookies = { sid: again.cookies[0]?.value ?? '' };
    assert.deepEqual((await app.inject({ url: '/me', cookies })).json(), { name: 'Bob' });
    assert.equal((await app.inject({ method: 'POST', url: '/logout', cookies })).status, 204);
    assert.equal((await app.inject({ url: '/me', cookies })).status, 401);
  });

  test('sessions: cookies are secure in production behind a proxy that terminates TLS', async () => {
    const { load } = await project('recipes/sessions');
    const authenticate = async () => ({ id: 1, name: 'Ada' });
    await inEnvironment({ NODE_ENV: 'production' }, async () => {
      const { createApp } = await load<Load<[typeof authenticate, string]>>('app.js');
      const app = createApp(authenticate, 'a secret of the test');
      const headers = { 'X-Forwarded-Proto': 'https' };
      const res = await app.inject({ url: '/login', headers, body: {} });
      assert.deepEqual(
        res.cookies.map(({ name, secure, path: at }) => [name, secure, at]),
        [['__Host-sid', true, '/']],
      );
    });
  });

  test('uploads: files are stored under generated names, and nothing else remains', async () => {
    const { load } = await project('recipes/uploads');
    const { createApp } = await load<Load<[string]>>('app.js');
    const folder = temporaryFolder();
    await serving(createApp(folder).set('env', 'test'), async url => {
      const post = (body: FormData) => fetch(`${url}/documents`, { method: 'POST', body });
      const stored = await post(form(PDF));
      assert.equal(stored.status, 201);
      const served = await fetch(`${url}${stored.headers.get('location') ?? ''}`);
      assert.deepEqual(
        [served.headers.get('content-type'), served.headers.get('x-content-type-options')],
        ['application/pdf', 'nosniff'],
      );
      assert.deepEqual(Buffer.from(await served.arrayBuffer()), PDF);
      assert.equal((await post(form(Buffer.from('<script>')))).status, 415);
      assert.equal((await post(form(PDF, 'other'))).status, 400);
      assert.equal((await post(new FormData())).status, 400);
      assert.equal((await post(form(Buffer.alloc(5_000_001)))).status, 413);
      const broken = http.request(`${url}/documents`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '100000' },
      });
      broken.on('error', () => undefined);
      broken.write('--b\r\nContent-Disposition: form-data; name="document"; filename="a"\r\n\r\nbegins');
      await until(() => fs.readdirSync(path.join(folder, 'incoming')).length === 1);
      broken.destroy();
      await until(() => filesBelow(folder).length === 1);
    });
  });

  test('uploads: a body is stored only if it is complete and within its limit', async () => {
    const { load } = await project('recipes/uploads');
    const { createApp } = await load<Load<[string]>>('app.js');
    const folder = temporaryFolder();
    await serving(createApp(folder).set('env', 'test'), async url => {
      const body = Buffer.alloc(300_000, 'tar');
      const stored = await fetch(`${url}/backups/7`, { method: 'PUT', body });
      assert.equal(stored.status, 204);
      assert.deepEqual(fs.readFileSync(path.join(folder, 'backups/7.tar')), body);
      const broken = http.request(`${url}/backups/8`, {
        method: 'PUT',
        headers: { 'Content-Length': '100000' },
      });
      broken.on('error', () => undefined).write('the beginning');
      await until(() => fs.existsSync(path.join(folder, 'backups/8.tar.part')));
      broken.destroy();
      await until(() => filesBelow(folder).length === 1);
      assert.equal((await fetch(`${url}/documents/7.tar`)).status, 404);
    });
  });

  test('uploads: a body that is too large gets its 413 before it has been sent completely', async () => {
    const { load } = await project('recipes/uploads');
    const { createApp } = await load<Load<[string, number]>>('app.js');
    const folder = temporaryFolder();
    const app = web().set('env', 'test');
    const addresses: unknown[] = [];
    app.use((req, res, next) => {
      res.on('finish', () => addresses.push(req.ip));
      next();
    });
    app.use(createApp(folder, 1000));
    await serving(app, async url => {
      const req = http.request(`${url}/backups/9`, { method: 'PUT' });
      req.on('error', () => undefined).write(Buffer.alloc(5000));
      const [res] = (await once(req, 'response')) as [http.IncomingMessage];
      assert.equal(res.statusCode, 413);
      assert.deepEqual(addresses, ['127.0.0.1']);
      req.destroy();
      assert.deepEqual(filesBelow(folder), []);
    });
  });

  test('event streams: clients receive published events, including missed ones', async () => {
    const { load } = await project('recipes/event-streams');
    const { createApp } = await load<Load<[unknown]>>('app.js');
    const { Feed } = await load<{ Feed: new () => { size: number } }>('feed.js');
    const feed = new Feed();
    await serving(createApp(feed).set('env', 'test'), async url => {
      const publish = (amount: number) =>
        fetch(`${url}/prices`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ amount }),
        });
      const open = async (lastEventId?: string) => {
        const aborted = new AbortController();
        const headers: Record<string, string> = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
        const res = await fetch(`${url}/feed`, { signal: aborted.signal, headers });
        let text = '';
        const read = async () => {
          for await (const piece of res.body!.pipeThrough(new TextDecoderStream())) text += piece;
        };
        read().catch(() => undefined);
        return { text: () => text, close: () => aborted.abort() };
      };
      assert.equal((await publish(1)).status, 202);
      const first = await open();
      await until(() => feed.size === 1);
      await publish(2);
      await until(() => first.text().endsWith('\n\n'));
      assert.equal(first.text(), 'event: price\nid: 2\ndata: {"amount":2}\n\n');
      first.close();
      await until(() => feed.size === 0);
      await publish(3);
      const second = await open('2');
      await until(() => second.text().endsWith('\n\n'));
      assert.equal(second.text(), 'event: price\nid: 3\ndata: {"amount":3}\n\n');
      second.close();
      await until(() => feed.size === 0);
    });
  });
});
