/** How to test an application: requests without a port, and a fresh store for each test. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import { makeApp } from './index.js';

describe('example testing-with-supertest', () => {
  test('sends 404 for a missing key', async () => {
    await request(makeApp(new Map()))
      .get('/keys/a')
      .expect(404, { error: 'no such key' })
      .expect('Content-Type', /json/);
  });

  test('reads a written value', async () => {
    const store = new Map();
    const app = makeApp(store);
    await request(app).put('/keys/a').send({ value: 1 }).expect(201);
    await request(app).put('/keys/a').send({ value: 2 }).expect(204);
    await request(app).get('/keys/a').expect(200, { value: 2 });
    assert.deepEqual([...store], [['a', 2]]);
  });

  test('an agent keeps cookies from one request to the next', async () => {
    const agent = request.agent(makeApp(new Map()));
    await agent.put('/keys/b').send({ value: true }).expect(201);
    await agent.get('/keys/b').expect(200, { value: true });
  });
});
