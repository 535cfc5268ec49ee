/** examples/esm */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import web from 'ristretto';

describe('example esm', () => {
  test('works like the CommonJS examples', async () => {
    const { app } = await import('../esm/index.mjs');
    assert.match((await request(app).get('/')).text, /^Hello from /);
    assert.deepEqual((await request(app).post('/api/echo').send({ a: 1 })).body, { a: 1 });
  });
  test('loads the same copy', async () => {
    const { app } = await import('../esm/index.mjs');
    assert.equal(Object.getPrototypeOf(app.request), web.request);
  });
});
