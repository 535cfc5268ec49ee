/** examples/security */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import example = require('../security/index.js');

const silent = example.makeApp(() => true);

describe('example security', () => {
  test('sends security headers', async () => {
    const res = await request(silent).get('/');
    assert.match(String(res.headers['content-security-policy']), /default-src 'self'/);
    assert.equal(res.headers['x-content-type-options'], 'nosniff');
    assert.equal(res.headers['x-powered-by'], undefined);
  });
  test('allows configured origins', async () => {
    const preflight = await request(silent)
      .options('/shared')
      .set({ Origin: 'https://partner.example', 'Access-Control-Request-Method': 'PUT' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET,PUT');
    assert.equal(preflight.headers['access-control-max-age'], '600');
    const page = await request(silent).get('/');
    assert.equal(page.headers['access-control-allow-origin'], undefined);
  });
  test('compresses large responses', async () => {
    const large = await request(silent).get('/shared').set('Accept-Encoding', 'gzip');
    assert.equal(large.headers['content-encoding'], 'gzip');
    assert.match(String(large.headers.vary), /Accept-Encoding/);
    assert.equal((large.body as { text: string }).text.length, 7000);
    const small = await request(silent).get('/').set('Accept-Encoding', 'gzip');
    assert.equal(small.headers['content-encoding'], undefined);
  });
  test('writes the access log', async () => {
    const line = new Promise<string>(resolve => {
      const app = example.makeApp((text: string) => {
        resolve(text);
        return true;
      });
      void request(app).get('/?x=1').then();
    });
    assert.equal(await line, 'GET /?x=1 200 56\n');
  });
});
