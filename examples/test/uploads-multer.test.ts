/** examples/uploads-multer */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../uploads-multer/index.js');

const text = { filename: 'a.txt', contentType: 'text/plain' };

describe('example uploads-multer', () => {
  test('stores one file with a field', async () => {
    const res = await request(app)
      .post('/one')
      .field('title', 'A')
      .attach('document', Buffer.from('hello'), text);
    assert.deepEqual(res.body, {
      title: 'A',
      name: 'a.txt',
      size: 5,
      digest: createHash('sha256').update('hello').digest('hex'),
    });
  });
  test('several', async () => {
    const res = await request(app)
      .post('/many')
      .attach('documents', Buffer.from('1'), text)
      .attach('documents', Buffer.from('2'), { ...text, filename: 'b.txt' });
    assert.deepEqual(res.body, ['a.txt', 'b.txt']);
  });
  test('rejects files over the limits', async () => {
    const large = await request(app).post('/one').attach('document', Buffer.alloc(102_401), text);
    assert.deepEqual([large.status, large.body], [413, { error: 'LIMIT_FILE_SIZE' }]);
    const other = await request(app).post('/one').attach('surprise', Buffer.from('x'), text);
    assert.deepEqual([other.status, other.body], [400, { error: 'LIMIT_UNEXPECTED_FILE' }]);
    const image = { filename: 'a.png', contentType: 'image/png' };
    assert.equal((await request(app).post('/one').attach('document', Buffer.from('x'), image)).status, 415);
  });
});
