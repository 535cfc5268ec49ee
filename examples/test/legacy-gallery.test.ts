/** examples/legacy/gallery */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, test } from 'node:test';
import request from 'supertest';
import { frameworks, load } from './legacy.js';

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

for (const framework of frameworks) {
  describe(`example legacy/gallery on ${framework}`, () => {
    const app = load('gallery', framework);
    const uploads = app.get('uploads') as string;
    after(() => fs.rmSync(uploads, { recursive: true, force: true }));

    test('uploads, shows, downloads and lists pictures', async () => {
      const sent = await request(app).post('/').attach('picture', PIXEL, 'pixel.GIF');
      assert.equal(sent.status, 302);
      const url = sent.headers.location!;
      assert.match(url, /^\/pictures\/[\w-]+\.gif$/i);
      const shown = await request(app).get(url);
      assert.deepEqual(shown.body, PIXEL);
      assert.deepEqual(
        [shown.headers['content-type'], shown.headers['cache-control']],
        ['image/gif', 'public, max-age=1'],
      );
      const download = await request(app).get(`${url}/download`);
      assert.match(download.headers['content-disposition']!, /^attachment; filename="picture\.gif"/i);
      assert.ok((await request(app).get('/')).text.includes(`src="${url}"`));
      const name = url.slice('/pictures/'.length);
      assert.deepEqual((await request(app).get('/raw').set('Accept', 'application/json')).body, [name]);
      assert.equal((await request(app).get(`/raw/${name}`)).status, 200);
    });

    test('does not keep files that are not pictures', async () => {
      const before = fs.readdirSync(uploads).length;
      assert.equal(
        (await request(app).post('/').attach('picture', Buffer.from('<script>'), 'a.html')).status,
        415,
      );
      assert.equal((await request(app).post('/').type('form').send({ picture: 'none' })).status, 400);
      assert.equal(fs.readdirSync(uploads).length, before);
    });

    test('serves nothing outside the gallery', async () => {
      for (const path of ['/pictures/..%2f..%2fetc%2fpasswd', '/pictures/none.gif', '/pictures/a/b']) {
        assert.equal((await request(app).get(path)).status, 404);
      }
      assert.equal((await request(app).get('/style.css')).status, 200);
      assert.equal((await request(app).get('/favicon.ico')).status, 200);
    });
  });
}
