/** examples/validation */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../validation/index.js');

describe('example validation', () => {
  test('passes on valid, cleaned input', async () => {
    const user = { email: 'Ada@Example.COM', age: '36', name: ' Ada ', admin: true };
    const res = await request(app).post('/users').send(user);
    assert.equal(res.status, 201);
    assert.deepEqual(res.body, { email: 'ada@example.com', age: 36, name: 'Ada' });
  });
  test('reports every mistake', async () => {
    const res = await request(app).post('/users').send({ email: 'x', age: 3, name: [] });
    assert.equal(res.status, 422);
    const fields = (res.body as { errors: { field: string; message: string }[] }).errors;
    assert.deepEqual([...new Set(fields.map(error => error.field))], ['email', 'age', 'name']);
    assert.equal(fields[1]?.message, 'must be 18 or more');
  });
  test('validates path and query', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    assert.deepEqual((await request(app).get(`/users/${id}?full=1`)).body, { id, full: true });
    assert.equal((await request(app).get('/users/7')).status, 422);
    assert.equal((await request(app).get(`/users/${id}?full=maybe`)).status, 422);
  });
});
