/** examples/typescript */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app from '../typescript/index.js';

describe('example typescript', () => {
  test('parameters', async () => {
    assert.deepEqual((await request(app).get('/books/1-2/pages')).body, { isbn: '1-2', page: '1' });
    assert.deepEqual((await request(app).get('/books/1-2/pages/7')).body, { isbn: '1-2', page: '7' });
  });
  test('bodies', async () => {
    assert.deepEqual((await request(app).post('/books').send({ title: 'T', pages: 2 })).body, {
      title: 'T',
      pages: 2,
    });
    assert.equal((await request(app).post('/books').send({ title: 7 })).status, 400);
    assert.equal((await request(app).post('/books')).status, 400);
  });
  test('adds members to the request', async () => {
    assert.equal((await request(app).get('/me').set('X-User', 'ada')).text, 'Ada (admin)');
    const nobody = await request(app).get('/me');
    assert.deepEqual([nobody.status, nobody.text], [401, 'log in first']);
  });
});
