/** The examples about pages and files. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import staticFiles = require('../static-files/index.js');
import viewsEjs = require('../views-ejs/index.js');
import { words } from '../../packages/engine/test/support/random';

describe('example views-ejs', () => {
  test('renders a page with partials and locals', async () => {
    const res = await request(viewsEjs).get('/');
    assert.equal(res.type, 'text/html');
    assert.match(res.text, /<title>Pets \| The Pet Shop<\/title>/);
    assert.match(res.text, /<li>Tobi, a ferret<\/li>/);
    assert.match(res.text, /<li>&lt;b&gt;Loki&lt;\/b&gt;, a cat<\/li>/);
    assert.match(res.text, /You are at \//);
  });
  test('renders a view without sending it', async () => {
    const res = await request(viewsEjs).get('/mail');
    assert.equal(res.type, 'text/plain');
    assert.match(res.text, /^Dear customer,\n\nTobi of The Pet Shop says hello\./);
  });
});

describe('example static-files', () => {
  test('serves a file with its type, caching and validators', async () => {
    const res = await request(staticFiles).get('/assets/site.css');
    assert.equal(res.status, 200);
    assert.equal(res.headers['content-type'], 'text/css; charset=UTF-8');
    assert.equal(res.headers['cache-control'], 'public, max-age=86400');
    assert.equal(res.text, 'body {\n  font-family: sans-serif;\n}\n');
    const again = await request(staticFiles)
      .get('/assets/site.css')
      .set('If-Modified-Since', String(res.headers['last-modified']));
    assert.equal(again.status, 304);
    const part = await request(staticFiles).get('/assets/site.css').set('Range', 'bytes=0-3');
    assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'body', 'bytes 0-3/36']);
  });
  test('serves the index, extensions and directories', async () => {
    assert.match((await request(staticFiles).get('/')).text, /Static files/);
    assert.equal((await request(staticFiles).get('/')).headers['cache-control'], 'no-cache');
    assert.match((await request(staticFiles).get('/about')).text, /About/);
    const redirect = await request(staticFiles).get('/guide');
    assert.deepEqual([redirect.status, redirect.headers.location], [301, '/guide/']);
    assert.match((await request(staticFiles).get('/guide/')).text, /Guide/);
  });
  test('hides files that are not public', async () => {
    for (const path of words('/.hidden /assets/ /%2e%2e/index.js /..%2findex.js /none /%2e%2e%5cindex.js')) {
      const res = await request(staticFiles).get(path);
      assert.deepEqual([res.status, res.text], [404, 'no such file'], path);
    }
  });
});
