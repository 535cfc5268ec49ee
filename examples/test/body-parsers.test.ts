/** examples/body-parsers */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import app = require('../body-parsers/index.js');

const post = (path: string) => request(app).post(path);

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
  test('forms', async () => {
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
