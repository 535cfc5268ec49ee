/** examples/cookies-signed */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../cookies-signed/index.js');

describe('example cookies-signed', () => {
  test('remembers and forgets the visitor', async () => {
    const visitor = request.agent(app);
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
    const login = await request(app).get('/login').query({ name: 'Ada' });
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    assert.equal((await request(app).get('/').set('Cookie', cookie)).text, 'Welcome back, Ada');
    const forged = cookie.replace('Ada', 'Eve');
    assert.match((await request(app).get('/').set('Cookie', forged)).text, /^Who are you/);
  });
});
