/** The examples about routing, middleware and errors. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import errorHandling = require('../error-handling/index.js');
import hello = require('../hello/index.js');
import routing = require('../routing/index.js');
import subApps = require('../sub-apps/index.js');

describe('example hello', () => {
  test('greets', async () => {
    const res = await request(hello).get('/');
    assert.equal(res.status, 200);
    assert.equal(res.text, 'Hello World');
    assert.equal(res.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(res.headers['x-powered-by'], 'Ristretto');
    assert.match(String(res.headers.etag), /^W\/"b-/);
  });
  test('sends HEAD, 304 and 404 responses', async () => {
    const head = await request(hello).head('/');
    assert.equal(head.headers['content-length'], '11');
    const again = await request(hello).get('/').set('If-None-Match', String(head.headers.etag));
    assert.equal(again.status, 304);
    const missing = await request(hello).get('/<nothing>');
    assert.equal(missing.status, 404);
    assert.match(missing.text, /Cannot GET \/%3Cnothing%3E/);
  });
});

/** Returns status and body of a GET; the body is parsed if it is JSON. */
async function get(path: string): Promise<[number, unknown]> {
  const res = await request(routing).get(path);
  return [res.status, res.type === 'application/json' ? res.body : res.text];
}

describe('example routing', () => {
  routing.set('env', 'test'); // Prints no stacks on the console

  test('decodes parameters, and rejects malformed ones', async () => {
    assert.deepEqual(await get('/users/7/books/8'), [200, { user: '7', book: '8' }]);
    assert.deepEqual(await get('/users/a%2Fb/books/%C3%A9'), [200, { user: 'a/b', book: 'é' }]);
    assert.deepEqual(await get('/orders/12'), [200, { number: 12, format: 'html' }]);
    assert.deepEqual(await get('/orders/12/pdf'), [200, { number: 12, format: 'pdf' }]);
    assert.equal((await get('/orders/x'))[0], 404);
    assert.equal((await get('/users/%E0%A4%A/books/1'))[0], 400);
    assert.deepEqual(await get('/flights/LAX-SFO'), [200, { from: 'LAX', to: 'SFO' }]);
  });
  test('matches patterns and regular expressions', async () => {
    assert.deepEqual(await get('/color'), [200, 'both spellings']);
    assert.deepEqual(await get('/colour/'), [200, 'both spellings']);
    assert.deepEqual(await get('/files/a/b.txt'), [200, 'file a/b.txt']);
    assert.deepEqual(await get('/v4.50'), [200, { major: '4', minor: '50' }]);
    assert.deepEqual(await get('/imprint'), await get('/about'));
  });
  test('responds to each method of a route', async () => {
    const put = await request(routing).put('/note');
    assert.equal(put.text, 'written');
    assert.equal(put.headers['x-note'], 'PUT');
    assert.equal((await request(routing).delete('/note')).status, 204);
    const options = await request(routing).options('/about');
    assert.equal(options.headers.allow, 'GET,HEAD');
  });
  test("skips the other handlers of a route on next('route')", async () => {
    assert.deepEqual(await get('/greet/Ada'), [200, 'Hello, Ada']);
    assert.deepEqual(await get('/greet/admin'), [200, 'Greetings, administrator']);
  });
});

describe('example sub-apps', () => {
  test('have their own settings and locals', async () => {
    const blog = await request(subApps).get('/news');
    assert.equal(blog.text, '{\n  "title": "The blog",\n  "mountedOn": "/news",\n  "path": "/blog,/news"\n}');
    const site = await request(subApps).get('/').set('Host', 'www.example.com:3000');
    assert.equal(site.text, '{"title":"The site","host":"www.example.com"}');
  });
  test('are selected by host', async () => {
    const api = await request(subApps).get('/broken').set('Host', 'api.example.com');
    assert.deepEqual([api.status, api.body], [500, { error: 'api' }]);
    assert.equal((await request(subApps).get('/broken')).status, 404);
  });
});

describe('example error-handling', () => {
  test('handles thrown, passed and rejected errors alike', async t => {
    const log = t.mock.method(console, 'error', () => undefined);
    for (const path of ['/thrown', '/passed', '/rejected']) {
      const res = await request(errorHandling).get(path);
      assert.equal(res.status, 500);
      assert.deepEqual(res.body, { error: 'something went wrong' });
    }
    assert.deepEqual(
      log.mock.calls.map(call => call.arguments[0] as unknown),
      ['thrown', 'passed on', 'rejected'],
    );
  });
  test('sends the status of the error', async () => {
    const res = await request(errorHandling).get('/teapot');
    assert.equal(res.status, 418);
    assert.deepEqual(res.body, { error: 'short and stout' });
  });
  test('closes the connection on an error after the response has begun', async t => {
    t.mock.method(console, 'error', () => undefined);
    await assert.rejects(request(errorHandling).get('/half').then(), /aborted|hang up/);
  });
});
