/** examples/hello */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../hello/index.js');

describe('example hello', () => {
  test('greets', async () => {
    const res = await request(app).get('/');
    assert.equal(res.status, 200);
    assert.equal(res.text, 'Hello World');
    assert.equal(res.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(res.headers['x-powered-by'], 'Ristretto');
    assert.match(String(res.headers.etag), /^W\/"b-/);
  });
  test('sends HEAD, 304 and 404 responses', async () => {
    const head = await request(app).head('/');
    assert.equal(head.headers['content-length'], '11');
    const again = await request(app).get('/').set('If-None-Match', String(head.headers.etag));
    assert.equal(again.status, 304);
    const missing = await request(app).get('/<nothing>');
    assert.equal(missing.status, 404);
    assert.match(missing.text, /Cannot GET \/%3Cnothing%3E/);
  });
});
