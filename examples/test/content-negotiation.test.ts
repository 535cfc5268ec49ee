/** examples/content-negotiation */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../content-negotiation/index.js');

describe('example content-negotiation', () => {
  test('sends the format that the client prefers', async () => {
    const as = (accept: string) => request(app).get('/users').set('Accept', accept);
    assert.equal((await as('text/html')).text, '<ul><li>Ada</li><li>Grace</li></ul>');
    assert.equal((await as('text/html;q=0.5, application/json')).text, '[{"name":"Ada"},{"name":"Grace"}]');
    assert.equal((await as('text/csv')).text, 'name\nAda\nGrace');
    assert.equal((await as('text/csv')).headers.vary, 'Accept');
    assert.equal((await as('*/*')).type, 'text/html');
    assert.equal((await as('image/png')).status, 406);
  });
  test('sends the language that the client prefers', async () => {
    const res = await request(app).get('/hello').set('Accept-Language', 'it, fr;q=0.8, en;q=0.2');
    assert.equal(res.text, 'Bonjour');
    assert.equal(res.headers['content-language'], 'fr');
    assert.equal(res.headers.vary, 'Accept-Language');
    assert.equal((await request(app).get('/hello').set('Accept-Language', 'it')).text, 'Hello');
  });
  test('checks the type that the client sends', async () => {
    assert.equal((await request(app).post('/users').send({ name: 'x' })).status, 201);
    assert.equal((await request(app).post('/users').type('text').send('x')).status, 415);
  });
});
