/** examples/openapi */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../openapi/index.js');

describe('example openapi', () => {
  test('serves the described operations', async () => {
    const book = { isbn: '1-2', title: 'T' };
    assert.equal((await request(app).get('/books')).body.length, 1);
    assert.equal((await request(app).get('/books/9')).status, 404);
    assert.equal((await request(app).post('/books').send(book)).status, 401);
    const token = { Authorization: 'Bearer secret' };
    const added = await request(app).post('/books').set(token).send(book);
    assert.deepEqual([added.status, added.body], [201, book]);
    assert.equal((await request(app).post('/books').set(token).send({})).status, 400);
  });
  test('has an OpenAPI document without errors', async () => {
    const { text } = await request(app).get('/openapi.json');
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });
  test('serves a documentation page', async () => {
    assert.match((await request(app).get('/docs')).text, /<title>Books<\/title>/);
  });
});
