/** examples/error-handling */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../error-handling/index.js');

describe('example error-handling', () => {
  test('handles thrown, passed and rejected errors alike', async t => {
    const log = t.mock.method(console, 'error', () => undefined);
    for (const path of ['/thrown', '/passed', '/rejected']) {
      const res = await request(app).get(path);
      assert.equal(res.status, 500);
      assert.deepEqual(res.body, { error: 'something went wrong' });
    }
    assert.deepEqual(
      log.mock.calls.map(call => call.arguments[0] as unknown),
      ['thrown', 'passed on', 'rejected'],
    );
  });
  test('sends the status of the error', async () => {
    const res = await request(app).get('/teapot');
    assert.equal(res.status, 418);
    assert.deepEqual(res.body, { error: 'short and stout' });
  });
  test('closes the connection on an error after the response has begun', async t => {
    t.mock.method(console, 'error', () => undefined);
    await assert.rejects(request(app).get('/half').then(), /aborted|hang up/);
  });
});
