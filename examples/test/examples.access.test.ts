/** The examples about cookies, logins and security. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import authPassport = require('../auth-passport/index.js');
import cookiesSigned = require('../cookies-signed/index.js');
import example = require('../security/index.js');

const credentials = { username: 'ada', password: 'difference engine' };

describe('example auth-passport', () => {
  test('logs in and out', async () => {
    const visitor = request.agent(authPassport);
    assert.equal((await visitor.get('/me')).headers.location, '/login');
    const login = await visitor.post('/login').type('form').send(credentials);
    assert.deepEqual([login.status, login.headers.location], [302, '/me']);
    assert.deepEqual((await visitor.get('/me')).body, { name: 'Ada Lovelace' });
    await visitor.post('/logout');
    assert.equal((await visitor.get('/me')).headers.location, '/login');
  });
  test('rejects wrong passwords', async () => {
    for (const wrong of [{ ...credentials, password: 'x' }, { username: '__proto__', password: 'x' }, {}]) {
      const visitor = request.agent(authPassport);
      const login = await visitor.post('/login').type('form').send(wrong);
      assert.equal(login.headers.location, '/login?failed');
      assert.equal((await visitor.get('/login?failed')).status, 401);
      assert.equal((await visitor.get('/me')).headers.location, '/login');
    }
  });
});

describe('example cookies-signed', () => {
  test('remembers and forgets the visitor', async () => {
    const visitor = request.agent(cookiesSigned);
    assert.match((await visitor.get('/')).text, /^Who are you/);
    const login = await visitor.get('/login').query({ name: 'Ada & <Co>' });
    assert.equal(login.headers.location, '/');
    assert.match(
      String(login.headers['set-cookie']),
      /^name=s%3AAda.+; Max-Age=86400; .*HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await visitor.get('/')).text, 'Welcome back, Ada & <Co>');
    await visitor.get('/logout');
    assert.match((await visitor.get('/')).text, /^Who are you/);
  });
  test('rejects forged cookies', async () => {
    const login = await request(cookiesSigned).get('/login').query({ name: 'Ada' });
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    assert.equal((await request(cookiesSigned).get('/').set('Cookie', cookie)).text, 'Welcome back, Ada');
    const forged = cookie.replace('Ada', 'Eve');
    assert.match((await request(cookiesSigned).get('/').set('Cookie', forged)).text, /^Who are you/);
  });
});

const silent = example.makeApp(() => true);

describe('example security', () => {
  test('sends security headers', async () => {
    const res = await request(silent).get('/');
    assert.match(String(res.headers['content-security-policy']), /default-src 'self'/);
    assert.equal(res.headers['x-content-type-options'], 'nosniff');
    assert.equal(res.headers['x-powered-by'], undefined);
  });
  test('allows configured origins', async () => {
    const preflight = await request(silent)
      .options('/shared')
      .set({ Origin: 'https://partner.example', 'Access-Control-Request-Method': 'PUT' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET,PUT');
    assert.equal(preflight.headers['access-control-max-age'], '600');
    const page = await request(silent).get('/');
    assert.equal(page.headers['access-control-allow-origin'], undefined);
  });
  test('compresses large responses', async () => {
    const large = await request(silent).get('/shared').set('Accept-Encoding', 'gzip');
    assert.equal(large.headers['content-encoding'], 'gzip');
    assert.match(String(large.headers.vary), /Accept-Encoding/);
    assert.equal((large.body as { text: string }).text.length, 7000);
    const small = await request(silent).get('/').set('Accept-Encoding', 'gzip');
    assert.equal(small.headers['content-encoding'], undefined);
  });
  test('writes the access log', async () => {
    const line = new Promise<string>(resolve => {
      const app = example.makeApp((text: string) => {
        resolve(text);
        return true;
      });
      void request(app).get('/?x=1').then();
    });
    assert.equal(await line, 'GET /?x=1 200 56\n');
  });
});
