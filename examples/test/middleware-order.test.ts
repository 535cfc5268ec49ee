/** examples/middleware-order */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../middleware-order/index.js');

describe('example middleware-order', () => {
  test('in the order of registration, until somebody answers', async () => {
    assert.deepEqual((await request(app).get('/shop/cart')).body, [
      'first',
      'shop sees /cart',
      'second',
      'third',
      'fourth',
      'only here',
    ]);
    assert.deepEqual((await request(app).get('/shopping')).body, ['first', 'second', 'third', 'fourth']);
  });
  test('what nobody answered', async () => {
    const res = await request(app).get('/shop');
    assert.equal(res.status, 404);
    assert.deepEqual(res.body, {
      trace: ['first', 'shop sees /', 'second', 'third', 'fourth', 'too late'],
      missing: '/shop',
    });
  });
});
