/** examples/rate-limit */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../rate-limit/index.js');

describe('example rate-limit', () => {
  test('sends the remaining limit', async () => {
    const res = await request(app).get('/api/time').set('X-Forwarded-For', '203.0.113.9, 198.51.100.7');
    assert.deepEqual(res.body, { ip: '198.51.100.7', time: '1970-01-01T00:00:00.000Z' });
    assert.match(String(res.headers.ratelimit), /r=99; t=60/);
    assert.match(String(res.headers['ratelimit-policy']), /q=100; w=60/);
  });
  test('limits failed logins for each client', async () => {
    const login = (client: string, password: string) =>
      request(app).post('/login').set('X-Forwarded-For', client).send({ password });
    assert.equal((await login('192.0.2.1', 'sesame')).status, 204);
    for (let attempt = 0; attempt < 3; attempt++) assert.equal((await login('192.0.2.1', 'x')).status, 401);
    const refused = await login('203.0.113.50, 192.0.2.1', 'sesame');
    assert.deepEqual([refused.status, refused.body], [429, { error: 'too many attempts' }]);
    assert.equal((await login('192.0.2.2', 'sesame')).status, 204);
  });
});
