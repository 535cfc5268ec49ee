/** examples/sub-apps */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../sub-apps/index.js');

describe('example sub-apps', () => {
  test('have their own settings and locals', async () => {
    const blog = await request(app).get('/news');
    assert.equal(blog.text, '{\n  "title": "The blog",\n  "mountedOn": "/news",\n  "path": "/blog,/news"\n}');
    const site = await request(app).get('/').set('Host', 'www.example.com:3000');
    assert.equal(site.text, '{"title":"The site","host":"www.example.com"}');
  });
  test('are selected by host', async () => {
    const api = await request(app).get('/broken').set('Host', 'api.example.com');
    assert.deepEqual([api.status, api.body], [500, { error: 'api' }]);
    assert.equal((await request(app).get('/broken')).status, 404);
  });
});
