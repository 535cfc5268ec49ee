/** examples/legacy/blog */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import { frameworks, load, tokenOf } from './legacy.js';

for (const framework of frameworks) {
  describe(`example legacy/blog on ${framework}`, () => {
    const app = load('blog', framework);

    test('reading', async () => {
      const page = await request(app).get('/').set('Accept', 'text/html');
      assert.match(page.text, /<title>The blog<\/title>[^]*<a href="\/posts\/0">First post<\/a>/);
      const { body } = await request(app).get('/').set('Accept', 'application/json');
      assert.equal((body as { author: string }[])[0]!.author, 'ada');
      assert.match((await request(app).get('/posts/0')).text, /<p>Hello &amp; welcome<\/p>/);
      const none = await request(app).get('/posts/99');
      assert.deepEqual([none.status, none.text.includes('There is no such page')], [404, true]);
    });

    test('logs in, writes, deletes and logs out', async () => {
      const ada = request.agent(app);
      const closed = await ada.get('/posts/new');
      assert.deepEqual([closed.status, closed.headers.location], [302, '/login']);
      const login = await ada.get('/login');
      assert.match(login.text, /Please log in first\./);
      const credentials = { name: 'ada', password: 'engine' };
      const send = (url: string, page: { text: string }, fields: object) =>
        ada
          .post(url)
          .type('form')
          .send({ ...fields, _csrf: tokenOf(page.text) });

      const welcome = await send('/login', login, credentials);
      assert.deepEqual([welcome.status, welcome.headers.location], [302, '/']);
      assert.match((await ada.get('/').set('Accept', 'text/html')).text, /Welcome, ada\.[^]*Log out ada/);
      const form = await ada.get('/posts/new');
      assert.equal((await send('/posts', form, { body: 'x' })).status, 400);
      const posted = await send('/posts', form, { title: '<b>Two</b>', body: 'text' });
      assert.equal(posted.headers.location, '/posts/1');
      const post = await ada.get('/posts/1');
      assert.match(post.text, /&lt;b&gt;Two&lt;\/b&gt;/);
      assert.equal((await send('/posts/1', post, { _method: 'delete' })).headers.location, '/');
      assert.equal((await ada.get('/posts/1')).status, 404);
      await send('/logout', post, {});
      assert.equal((await ada.get('/posts/new')).headers.location, '/login');
    });

    test('requires the right password and the token', async () => {
      const visitor = request.agent(app);
      const login = await visitor.get('/login');
      for (const name of ['ada', '__proto__']) {
        const fields = { name, password: 'wrong', _csrf: tokenOf(login.text) };
        const failed = await visitor.post('/login').set('Referer', '/login').type('form').send(fields);
        assert.equal(failed.headers.location, '/login');
        assert.match((await visitor.get('/login')).text, /Login failed\./);
      }
      assert.equal(
        (await visitor.post('/login').type('form').send({ name: 'ada', password: 'engine' })).status,
        403,
      );
    });
  });
}
