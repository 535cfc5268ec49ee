/** examples/showcase: the JSON interface, uploads, the administrator, and the program as a whole. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import request from 'supertest';

const config = { cookieSecret: 'secret', adminPassword: 'sesame', proxies: 0 };

/** A fresh guest book, and a visitor with a browser that keeps cookies. */
async function visit() {
  const { makeApp } = await import('../showcase/app.js');
  const app = makeApp(config);
  return { app, visitor: request.agent(app) };
}

describe('showcase JSON interface', () => {
  test('write, read one, read all', async () => {
    const { app } = await visit();
    const added = await request(app).post('/api/messages').send({ name: 'Ada', text: 'Hello' });
    assert.deepEqual([added.status, added.headers.location], [201, '/api/messages/1']);
    const one = await request(app).get('/api/messages/1');
    assert.deepEqual(one.body, added.body);
    await request(app).post('/api/messages').send({ name: 'Bob', text: 'Hi' });
    const all = await request(app).get('/api/messages?limit=1');
    const { total, messages } = all.body as { total: number; messages: { id: number; name: string }[] };
    assert.deepEqual([total, messages.length, messages[0]?.id, messages[0]?.name], [2, 1, 2, 'Bob']);
    const again = await request(app)
      .get('/api/messages?limit=1')
      .set('If-None-Match', String(all.headers.etag));
    assert.equal(again.status, 304);
  });
  test('what is wrong is said', async () => {
    const { app } = await visit();
    const post = (body: string, type = 'application/json') =>
      request(app).post('/api/messages').set('Content-Type', type).send(body);
    const invalid = await post('{"name":["x"],"__proto__":{"text":"y"}}');
    assert.equal(invalid.status, 422);
    assert.deepEqual(Object.keys((invalid.body as { fields: object }).fields), ['name', 'text']);
    assert.equal((await post('{"name":')).status, 400);
    assert.equal((await post('"text"')).status, 400);
    assert.equal((await post('name=a', 'text/plain')).status, 415);
    assert.equal((await post(JSON.stringify({ text: 'x'.repeat(20_000) }))).status, 413);
    assert.equal((await request(app).get('/api/messages/9')).status, 404);
    assert.equal((await request(app).get('/api/messages?limit=1e9')).status, 400);
    const method = await request(app).delete('/api/messages');
    assert.deepEqual([method.status, method.headers.allow], [405, 'GET, HEAD, POST']);
  });
});

describe('showcase texts', () => {
  test('a plain body', async () => {
    const { app } = await visit();
    const res = await request(app)
      .post('/texts?title=Notes')
      .set('Content-Type', 'text/plain')
      .send('<script>no</script>');
    assert.deepEqual([res.status, res.body], [201, { id: 1, title: 'Notes', address: '/texts/1' }]);
    const shown = await request(app).get('/texts/1');
    assert.equal(shown.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(shown.headers['x-content-type-options'], 'nosniff');
    assert.equal(shown.text, '<script>no</script>');
    const saved = await request(app).get('/texts/1/download');
    assert.equal(saved.headers['content-disposition'], 'attachment; filename="Notes.txt"');
    assert.match((await request(app).get('/texts')).text, /<a href="\/texts\/1">Notes<\/a>/);
  });
  test('a form', async () => {
    const { app } = await visit();
    const res = await request(app)
      .post('/texts')
      .type('form')
      .send({ title: 'A "b"\n', content: 'é'.repeat(30_000) });
    assert.deepEqual([res.status, res.headers.location], [303, '/texts/1']);
    const saved = await request(app).get('/texts/1/download');
    assert.equal(saved.headers['content-disposition'], 'attachment; filename="A \\"b\\".txt"');
    assert.equal(saved.text.length, 30_000);
  });
  test('within limits', async () => {
    const { app } = await visit();
    const send = (type: string, body: string) =>
      request(app).post('/texts').set('Content-Type', type).send(body);
    assert.equal((await send('text/plain', 'x'.repeat(65_536))).status, 201);
    const large = await send('text/plain', 'x'.repeat(65_537));
    assert.deepEqual(
      [large.status, large.body],
      [413, { error: 'That is too large: at most 65536 bytes, please.' }],
    );
    assert.equal(
      (await send('application/x-www-form-urlencoded', `content=${'x'.repeat(65_537)}`)).status,
      413,
    );
    assert.equal((await send('text/plain', '')).status, 422);
    assert.equal((await send('image/png', 'x')).status, 415);
    assert.equal((await request(app).get('/texts/2')).status, 404);
  });
});

describe('showcase administrator', () => {
  test('nothing without the password', async () => {
    const { visitor } = await visit();
    const page = await visitor.get('/admin');
    assert.deepEqual([page.status, page.headers.location], [303, '/admin/login']);
    assert.equal((await visitor.post('/admin/messages/1/remove')).headers.location, '/admin/login');
    const wrong = await visitor.post('/admin/login').type('form').send({ password: 'wrong' });
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /That is not the password/);
    assert.equal((await visitor.post('/admin/login')).status, 401);
    assert.equal((await visitor.get('/ADMIN/')).status, 303);
    const stale = await visitor.get('/admin').set('Cookie', 'admin=99999999999999');
    assert.equal(stale.status, 303);
  });
  test('in, removing, and out', async () => {
    const { visitor } = await visit();
    await visitor.post('/').type('form').send({ name: 'Eve', text: 'Buy <cheap> watches' });
    const login = await visitor.post('/admin/login').type('form').send({ password: 'sesame' });
    assert.deepEqual([login.status, login.headers.location], [303, '/admin']);
    assert.match(String(login.headers['set-cookie']), /Path=\/admin; .*HttpOnly; SameSite=Strict/);
    const page = await visitor.get('/admin');
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.match(page.text, /Guest book administration/);
    assert.match(page.text, /Buy &lt;cheap&gt; watches/);
    assert.equal((await visitor.post('/admin/messages/1/remove')).status, 303);
    assert.doesNotMatch((await visitor.get('/')).text, /watches/);
    const missing = await visitor.get('/admin/nothing').set('Accept', 'text/html');
    assert.equal(missing.status, 404);
    assert.match(missing.text, /<title>Not Found \| Guest book<\/title>/);
    await visitor.post('/admin/logout');
    assert.equal((await visitor.get('/admin')).status, 303);
  });
  test('guessing is slow', async () => {
    const { app } = await visit();
    const guess = () => request(app).post('/admin/login').type('form').send({ password: 'x' });
    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await guess()).status, 401);
    assert.equal((await guess()).status, 429);
  });
});

describe('showcase program', () => {
  const program = path.join(__dirname, '../showcase');

  test(
    'tells its address, answers, and stops gracefully',
    { skip: process.platform === 'win32' },
    async () => {
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, PORT: '0', ADMIN_PASSWORD: '' },
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const next = async () => String((await lines.next()).value);
      const address = /http:\/\/localhost:\d+/.exec(await next())?.[0] ?? '';
      assert.match(await next(), /^The password of \/admin is .{12}$/);
      assert.equal((await request(address).get('/')).status, 200);
      child.kill('SIGTERM');
      assert.match(await next(), /^SIGTERM/);
      assert.equal(await next(), 'Bye');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    },
  );
  test('a bad environment is refused', async () => {
    const child = spawn(process.execPath, [program], { env: { ...process.env, PORT: 'http' } });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(text, /PORT must be a whole number, not "http"/);
  });
});
