/** The examples about request bodies. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import bodyParsers = require('../body-parsers/index.js');
import openapi = require('../openapi/index.js');
import validation = require('../validation/index.js');

const post = (path: string) => request(bodyParsers).post(path);

describe('example body-parsers', () => {
  test('parses JSON within limits', async () => {
    assert.deepEqual((await post('/json').send({ a: [1, null] })).body, { got: { a: [1, null] } });
    const broken = await post('/json').type('json').send('{"a":');
    assert.deepEqual([broken.status, broken.body], [400, { error: 'entity.parse.failed' }]);
    const large = await post('/json').send({ a: 'x'.repeat(10_240) });
    assert.deepEqual([large.status, large.body], [413, { error: 'entity.too.large' }]);
    const charset = await post('/json').set('Content-Type', 'application/json; charset=klingon').send('{}');
    assert.deepEqual([charset.status, charset.body], [415, { error: 'charset.unsupported' }]);
  });
  test('parses forms', async () => {
    const res = await post('/form')
      .type('form')
      .send('pet[name]=Rex&pet[tags][]=a&pet[tags][]=b&ok=%E2%9C%93');
    assert.deepEqual(res.body, { got: { pet: { name: 'Rex', tags: ['a', 'b'] }, ok: '✓' } });
  });
  test('decodes text with its charset', async () => {
    const res = await post('/text')
      .set('Content-Type', 'text/plain; charset=utf-16le')
      .send(Buffer.from('café', 'utf16le').toString('latin1'));
    assert.equal(res.status, 200);
    assert.equal((await post('/text').type('text/plain').send('café')).text, '4 characters');
  });
  test('inflates compressed bytes', async () => {
    const bytes = gzipSync(Buffer.alloc(5000));
    const send = (body: Buffer) =>
      post('/bytes')
        .set('Content-Type', 'image/png')
        .set('Content-Encoding', 'gzip')
        .serialize(value => value as string)
        .send(body);
    assert.equal((await send(bytes)).text, '5000 bytes');
    assert.equal((await send(gzipSync(Buffer.alloc(2 ** 20 + 1)))).status, 413);
    assert.equal((await post('/bytes').type('text').send('x')).status, 415);
  });
  test('verifies a signature over the raw bytes', async () => {
    const body = '{ "event": "paid" }';
    const signature = createHmac('sha256', 'the shared secret').update(body).digest('hex');
    const hook = (value: string) => post('/hook').type('json').set('X-Signature', value).send(body);
    assert.equal((await hook(signature)).text, 'event paid');
    assert.equal((await hook('00')).status, 403);
  });
});

describe('example validation', () => {
  test('passes on valid, cleaned input', async () => {
    const user = { email: 'Ada@Example.COM', age: '36', name: ' Ada ', admin: true };
    const res = await request(validation).post('/users').send(user);
    assert.equal(res.status, 201);
    assert.deepEqual(res.body, { email: 'ada@example.com', age: 36, name: 'Ada' });
  });
  test('reports every mistake', async () => {
    const res = await request(validation).post('/users').send({ email: 'x', age: 3, name: [] });
    assert.equal(res.status, 422);
    const fields = (res.body as { errors: { field: string; message: string }[] }).errors;
    assert.deepEqual([...new Set(fields.map(error => error.field))], ['email', 'age', 'name']);
    assert.equal(fields[1]?.message, 'must be 18 or more');
  });
  test('validates path and query', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    assert.deepEqual((await request(validation).get(`/users/${id}?full=1`)).body, { id, full: true });
    assert.equal((await request(validation).get('/users/7')).status, 422);
    assert.equal((await request(validation).get(`/users/${id}?full=maybe`)).status, 422);
  });
});

describe('example openapi', () => {
  test('serves the described operations', async () => {
    const book = { isbn: '1-2', title: 'T' };
    assert.equal((await request(openapi).get('/books')).body.length, 1);
    assert.equal((await request(openapi).get('/books/9')).status, 404);
    assert.equal((await request(openapi).post('/books').send(book)).status, 401);
    const token = { Authorization: 'Bearer secret' };
    const added = await request(openapi).post('/books').set(token).send(book);
    assert.deepEqual([added.status, added.body], [201, book]);
    assert.equal((await request(openapi).post('/books').set(token).send({})).status, 400);
  });
  test('has an OpenAPI document without errors', async () => {
    const { text } = await request(openapi).get('/openapi.json');
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });
  test('serves a documentation page', async () => {
    assert.match((await request(openapi).get('/docs')).text, /<title>Books<\/title>/);
  });
});
