/** examples/legacy/board */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import { frameworks, load } from './legacy.js';

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
