/** examples/showcase: the guest book as its visitors see it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';

const config = { cookieSecret: 'secret', adminPassword: 'sesame', proxies: 0 };

/** A fresh guest book, and a visitor with a browser that keeps cookies. */
async function visit() {
  const { makeApp } = await import('../showcase/app.js');
  const app = makeApp(config);
  return { app, visitor: request.agent(app) };
}

const sign = (visitor: ReturnType<typeof request.agent>, name: string, text: string) =>
  visitor.post('/').type('form').send({ name, text });

describe('showcase pages', () => {
  test('signing, and being remembered', async () => {
    const { app, visitor } = await visit();
    const before = await visitor.get('/');
    assert.equal(before.type, 'text/html');
    assert.match(before.text, /<h1>Sign the guest book<\/h1>/);
    assert.match(before.text, /Nobody has written yet/);

    const post = await sign(visitor, ' Ada <b> ', 'Hello\n<script>alert(1)</script>');
    assert.deepEqual([post.status, post.headers.location], [303, '/']);
    assert.match(String(post.headers['set-cookie']), /^visitor=s%3AAda.*HttpOnly; SameSite=Lax$/);

    const after = await visitor.get('/');
    assert.match(after.text, /Welcome back, Ada &lt;b&gt;/);
    assert.match(after.text, /Hello\n&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.match(after.text, /One message/);
    assert.match((await request(app).get('/')).text, /We have not met/);

    await visitor.post('/forget-me');
    assert.match((await visitor.get('/')).text, /We have not met/);
  });
  test('mistakes come back with what was typed', async () => {
    const { visitor } = await visit();
    const res = await sign(visitor, '"Ada"', '');
    assert.equal(res.status, 422);
    assert.match(res.text, /value="&#34;Ada&#34;"/);
    assert.match(res.text, /The text is missing/);
    assert.match((await sign(visitor, 'x'.repeat(41), 'y')).text, /At most 40 characters/);
    assert.equal((await visitor.post('/').type('form').send('name[a]=b&__proto__=c&text=d')).status, 422);
    assert.equal(
      (
        await visitor
          .post('/')
          .type('form')
          .send(`text=${'x'.repeat(20_000)}`)
      ).status,
      413,
    );
  });
  test('a forged cookie is nobody', async () => {
    const { app } = await visit();
    for (const cookie of [
      'visitor=Ada',
      'visitor=s%3AAda.forged',
      'visitor=s%3A',
      'visitor=%',
      'visitor=j%3A{}',
    ]) {
      assert.match((await request(app).get('/').set('Cookie', cookie)).text, /We have not met/, cookie);
    }
  });
  test('security headers, and no forms of other sites', async () => {
    const { app } = await visit();
    const res = await request(app).get('/');
    assert.match(String(res.headers['content-security-policy']), /default-src 'self'.*script-src 'self';/);
    assert.equal(res.headers['x-content-type-options'], 'nosniff');
    assert.equal(res.headers['x-powered-by'], undefined);
    const post = (origin: string) =>
      request(app).post('/').set({ Origin: origin, Host: 'book.example' }).type('form').send('name=a&text=b');
    assert.equal((await post('http://book.example')).status, 303);
    for (const origin of [
      'http://evil.example',
      'http://book.example.evil.example',
      'null',
      'http://book.example:81',
    ]) {
      assert.equal((await post(origin)).status, 403, origin);
    }
  });
  test('static files', async () => {
    const { app } = await visit();
    const css = await request(app).get('/style.css');
    assert.equal(css.type, 'text/css');
    assert.equal(css.headers['cache-control'], 'public, max-age=3600');
    assert.equal((await request(app).get('/cup.svg')).type, 'image/svg+xml');
    assert.equal((await request(app).get('/..%2fpackage.json')).status, 404);
  });
});

describe('showcase errors', () => {
  test('a page, JSON or text, as the client prefers', async () => {
    const { app } = await visit();
    const page = await request(app).get('/<nothing>').set('Accept', 'text/html');
    assert.equal(page.status, 404);
    assert.match(page.text, /<h1>Not Found<\/h1>\s*<p>There is nothing at \/%3Cnothing%3E\.<\/p>/);
    const json = await request(app).get('/nothing').set('Accept', 'application/json');
    assert.deepEqual([json.status, json.body], [404, { error: 'There is nothing at /nothing.' }]);
    const text = await request(app).get('/nothing').set('Accept', 'text/plain');
    assert.equal(text.text, '404 Not Found: There is nothing at /nothing.\n');
  });
  test('malformed paths are nothing', async () => {
    const { app } = await visit();
    for (const path of ['/%', '/texts/%ff', '/texts/1%', '/%00', '/..%5c..%5cetc']) {
      assert.equal((await request(app).get(path)).status, 404, path);
    }
  });
  test('our own mistakes are logged and not told', async t => {
    const { makeApp } = await import('../showcase/app.js');
    const { makeStore } = await import('../showcase/store.js');
    const store = makeStore();
    t.mock.method(store.messages, 'latest', () => {
      throw new Error('the disk is on fire');
    });
    const log = t.mock.method(console, 'error', () => undefined);
    const res = await request(makeApp(config, store)).get('/').set('Accept', 'text/html');
    assert.equal(res.status, 500);
    assert.match(res.text, /Something went wrong on our side/);
    assert.doesNotMatch(res.text, /disk/);
    assert.equal(log.mock.callCount(), 1);
  });
});
