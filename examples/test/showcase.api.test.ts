// runs: built, ci
/** examples/showcase: the JSON API, whose requests and responses are checked by schemas. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import request from 'supertest';
import { makeBoard, password } from './showcase';

let board: Awaited<ReturnType<typeof makeBoard>>;
before(async () => {
  board = await makeBoard();
  await board.services.users.add('Ada', password);
});
after(() => board.services.close());

describe('showcase API', () => {
  test('logs in, posts, reads, pages and deletes', async () => {
    const app = board.app();
    const ada = request.agent(app);
    assert.equal((await ada.get('/api/session')).status, 401);
    const session = await ada.post('/api/session').send({ name: 'ada', password });
    assert.deepEqual([session.status, session.body.name, session.body.role], [201, 'Ada', 'member']);
    assert.deepEqual((await ada.get('/api/session')).body, session.body);

    const added = await ada.post('/api/posts').send({ text: ' Hello ' });
    assert.deepEqual([added.status, added.body.text, added.body.author], [201, 'Hello', 'Ada']);
    const address = String(added.headers.location);
    assert.equal(address, `/api/posts/${added.body.id}`);
    assert.deepEqual((await request(app).get(address)).body, added.body);
    await ada.post('/api/posts').send({ text: 'Bye' });
    const page = await request(app).get('/api/posts?limit=1');
    assert.deepEqual([page.body.posts.length, page.body.posts[0].text], [1, 'Bye']);
    const next = await request(app).get('/api/posts').query({ limit: 1, before: page.body.next });
    assert.deepEqual(next.body, { posts: [added.body] });
    const found = await request(app).get('/api/posts?q=hello');
    assert.deepEqual(found.body.posts, [added.body]);

    assert.equal((await request(app).delete(address)).status, 401);
    assert.equal((await ada.delete(address)).status, 204);
    assert.equal((await ada.delete(address)).status, 404);
    assert.equal((await ada.delete('/api/session')).status, 204);
    assert.equal((await ada.post('/api/posts').send({ text: 'x' })).status, 401);
  });
  test('adds a post with an Idempotency-Key once for each user, however often it is sent', async () => {
    const app = board.app();
    const [ada, eva] = [request.agent(app), request.agent(app)];
    await board.services.users.add('Eva', password);
    await ada.post('/api/session').send({ name: 'Ada', password });
    await eva.post('/api/session').send({ name: 'Eva', password });
    const send = (agent: typeof ada, text: string, key = 'a key') =>
      agent.post('/api/posts').set('Idempotency-Key', key).send({ text });
    assert.equal((await send(ada, 'once')).status, 400);
    const first = await send(ada, 'once', '"7"');
    assert.equal(first.status, 201);
    assert.deepEqual((await send(ada, 'once', '"7"')).body, first.body);
    const others = [
      await send(ada, 'once', '"8"'),
      await send(ada, 'twice', '"7"'),
      await send(eva, 'once', '"7"'),
    ];
    assert.deepEqual(new Set([first, ...others].map(({ body }) => body.id)).size, 4);
  });
  test('edits, replies and likes', async () => {
    const app = board.app();
    const ada = request.agent(app);
    await ada.post('/api/session').send({ name: 'Ada', password });
    const { id } = (await ada.post('/api/posts').send({ text: 'first' })).body;
    const edited = await ada.patch(`/api/posts/${id}`).send({ text: 'second' });
    assert.deepEqual([edited.status, edited.body.text, typeof edited.body.edited], [200, 'second', 'string']);
    const reply = await ada.post('/api/posts').send({ text: 'a reply', parent: id });
    assert.deepEqual([reply.status, reply.body.parent], [201, id]);
    const deeper = await ada.post('/api/posts').send({ text: 'to the reply', parent: reply.body.id });
    assert.equal(deeper.body.parent, id);
    assert.equal((await ada.put(`/api/posts/${id}/like`)).status, 204);
    const { body } = await request(app).get(`/api/posts/${id}`);
    assert.deepEqual([body.replies, body.likes], [2, 1]);
    await ada.delete(`/api/posts/${id}/like`);
    assert.equal((await request(app).get(`/api/posts/${id}`)).body.likes, 0);
    assert.equal((await ada.patch('/api/posts/2147483647').send({ text: 'x' })).status, 404);
    assert.equal((await ada.put('/api/posts/2147483647/like')).status, 404);
    assert.equal((await ada.post('/api/posts').send({ text: 'x', parent: 2147483647 })).status, 404);
  });
  test('sends errors as problem details', async () => {
    const app = board.app();
    const ada = request.agent(app);
    await ada.post('/api/session').send({ name: 'Ada', password });
    const empty = await ada.post('/api/posts').send({ text: '' });
    assert.deepEqual([empty.status, empty.type], [400, 'application/problem+json']);
    assert.deepEqual(
      empty.body.issues.map((issue: { location: string; path: string }) => issue.location + issue.path),
      ['body/text'],
    );
    const statuses = [
      await ada.post('/api/posts').type('json').send('{"text":'),
      await ada.post('/api/posts').send({ text: 'x'.repeat(20_000) }),
      await ada.post('/api/posts').send({ text: 'a\0b' }),
      await ada.get('/api/posts?limit=1000'),
      await ada.get('/api/posts?q=%00'),
      await ada.get('/api/posts/99999999999'),
      await ada.get('/api/posts/2147483647'),
      await ada.get('/api/nothing'),
      await ada.post('/api/session').send({ name: 'Ada', password: 'wrong wrong' }),
      await ada.post('/api/posts').set('Sec-Fetch-Site', 'cross-site').send({ text: 'x' }),
    ].map(res => [res.status, res.type]);
    assert.deepEqual(
      statuses,
      [400, 413, 400, 400, 400, 400, 404, 404, 401, 403].map(status => [status, 'application/problem+json']),
    );
  });
  test('serves its OpenAPI document', async () => {
    const app = board.app();
    const { body } = await request(app).get('/api/openapi.json');
    assert.deepEqual(Object.keys(body.paths), ['/posts', '/posts/{id}', '/posts/{id}/like', '/session']);
    assert.deepEqual(body.paths['/posts'].post.security, [{ session: [] }]);
    const page = await request(app).get('/api/docs');
    assert.deepEqual([page.status, page.type], [200, 'text/html']);
  });
});
