/** examples/middleware-order */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../middleware-order/index.js');

describe('example middleware-order', () => {
  test('runs middleware in the order of registration until one responds', async () => {
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
  test('sends 404 if no middleware responds', async () => {
    const res = await request(app).get('/shop');
    assert.equal(res.status, 404);
    assert.deepEqual(res.body, {
      trace: ['first', 'shop sees /', 'second', 'third', 'fourth', 'too late'],
      missing: '/shop',
    });
  });
});
