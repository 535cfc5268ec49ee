/** examples/auth-passport */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../auth-passport/index.js');

const credentials = { username: 'ada', password: 'difference engine' };

describe('example auth-passport', () => {
  test('logs in and out', async () => {
    const visitor = request.agent(app);
    assert.equal((await visitor.get('/me')).headers.location, '/login');
    const login = await visitor.post('/login').type('form').send(credentials);
    assert.deepEqual([login.status, login.headers.location], [302, '/me']);
    assert.deepEqual((await visitor.get('/me')).body, { name: 'Ada Lovelace' });
    await visitor.post('/logout');
    assert.equal((await visitor.get('/me')).headers.location, '/login');
  });
  test('rejects wrong passwords', async () => {
    for (const wrong of [{ ...credentials, password: 'x' }, { username: '__proto__', password: 'x' }, {}]) {
      const visitor = request.agent(app);
      const login = await visitor.post('/login').type('form').send(wrong);
      assert.equal(login.headers.location, '/login?failed');
      assert.equal((await visitor.get('/login?failed')).status, 401);
      assert.equal((await visitor.get('/me')).headers.location, '/login');
    }
  });
});
