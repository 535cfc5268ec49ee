/** The applications of examples/legacy, on Ristretto and on Express 3, for which they were written. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type web from 'ristretto3';
import request from 'supertest';

/** Loads an application of examples/legacy on Ristretto, or on Express 3, for which it was written. */
type Framework = 'ristretto3' | 'express3';

/** The order matters: Express 3 changes Node's own prototypes when it is loaded. */
const frameworks: Framework[] = ['ristretto3', 'express3'];
type Resolve = (request: string, ...rest: unknown[]) => string;

/** A function that the oracle calls, and that Node no longer has. */
Object.assign(os, { tmpDir: os.tmpdir });
process.on('deprecation', () => undefined);

/** Returns a fresh copy of an application. */
function load(name: string, framework: Framework): web.Application {
  const file = path.join(__dirname, '../legacy', name, 'app.js');
  const modules = Module as unknown as { _resolveFilename: Resolve };
  const resolve = modules._resolveFilename;
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'test';
  modules._resolveFilename = (request, ...rest) =>
    Reflect.apply(resolve, Module, [request === 'ristretto3' ? framework : request, ...rest]);
  const require = createRequire(__filename);
  try {
    Reflect.deleteProperty(require.cache, file);
    return require(file) as web.Application;
  } finally {
    modules._resolveFilename = resolve;
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Returns the token in a page's form. */
function tokenOf(html: string): string {
  return /name="_csrf" value="([^"]+)"/.exec(html)![1]!.replaceAll('&#43;', '+');
}

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

for (const framework of frameworks) {
  describe(`example legacy/blog on ${framework}`, () => {
    const app = load('blog', framework);

    test('lists and shows posts, in the format that the client accepts', async () => {
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

for (const framework of frameworks) {
  describe(`example legacy/board on ${framework}`, () => {
    const app = load('board', framework);

    test('writes as JSON and by form, and reads as JSON, text, script and page', async () => {
      const visitor = request.agent(app);
      const made = await visitor.post('/messages').send({ name: 'ada', text: ' <hi> ' });
      assert.deepEqual([made.status, made.body], [201, { id: 0, name: 'ada', text: '<hi>' }]);
      assert.equal((await visitor.post('/messages').send({ text: ' ' })).status, 400);
      const form = await visitor.post('/messages').type('form').send({ text: 'again' });
      assert.deepEqual([form.status, form.headers.location], [302, '/']);

      assert.equal(
        (await visitor.get('/messages.json?since=0')).text.replace(/\s/g, ''),
        '[{"id":1,"name":"ada","text":"again"}]',
      );
      const text = await visitor.get('/messages.txt');
      assert.deepEqual(
        [text.text, text.headers['content-type']],
        ['ada: <hi>\nada: again', 'text/plain; charset=utf-8'],
      );
      assert.match((await visitor.get('/messages?cb=show&since=1')).text, /show\(\[\]\);$/);
      assert.equal(text.headers['cache-control'], 'no-store');
      const page = await visitor.get('/');
      assert.match(page.text, /<b>ada<\/b> &lt;hi&gt;[^]*value="ada"/);
      assert.match(page.headers['x-response-time'] as string, /^[\d.]+ms$/);
    });

    test('keeps the name in a cookie until it is cleared', async () => {
      const visitor = request.agent(app);
      await visitor.post('/messages').type('form').send({ name: 'bob', text: 'x' });
      assert.match((await visitor.get('/')).text, /value="bob"/);
      const forgotten = await visitor.get('/forget').set('Referer', '/');
      assert.equal(forgotten.headers.location, '/');
      assert.match((await visitor.get('/')).text, /name="name" value=""/);
    });

    test('administration: requires the password, redirects within itself, and can close the board', async () => {
      assert.equal((await request(app).get('/admin')).status, 401);
      assert.equal((await request(app).get('/admin').auth('admin', 'wrong')).status, 401);
      const page = await request(app).get('/admin').auth('admin', 'secret');
      assert.match(page.text, /Board: admin[^]*action="\/admin\/messages\/0\/delete"/);
      const removed = await request(app).post('/admin/messages/0/delete').auth('admin', 'secret');
      assert.match(removed.headers.location!, /^\/admin\/messages\/0\/delete\/?/);
      assert.doesNotMatch((await request(app).get('/messages.txt')).text, /<hi>/);
      const closed = await request(app).post('/admin/close').auth('admin', 'secret');
      assert.equal(closed.headers.location, '/admin/closed');
      assert.equal(
        (await request(app).get('/admin/closed').auth('admin', 'secret')).text,
        'The board is closed.',
      );
      assert.equal((await request(app).post('/messages').send({ text: 'late' })).status, 404);
    });
  });
}
