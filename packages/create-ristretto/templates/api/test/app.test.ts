import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../src/app.ts';

test('a task can be created, read and deleted', async () => {
  const app = createApp();
  const created = await app.inject({ url: '/tasks', body: { title: 'Write tests' } });
  assert.equal(created.status, 201);
  assert.equal(created.headers.location, '/tasks/1');

  const task = { id: 1, title: 'Write tests', done: false };
  assert.deepEqual((await app.inject('/tasks/1')).json(), task);
  assert.deepEqual((await app.inject('/tasks')).json(), [task]);

  assert.equal((await app.inject({ method: 'DELETE', url: '/tasks/1' })).status, 204);
  assert.equal((await app.inject('/tasks/1')).status, 404);
});

test('a task without a title is rejected', async () => {
  const refused = await createApp().inject({ url: '/tasks', body: {} });
  assert.equal(refused.status, 400);
  assert.equal(refused.headers['content-type'], 'application/problem+json');
  assert.match(refused.text(), /"path":"\/title"/);
});

test('errors are problem details', async () => {
  const app = createApp();
  const unknown = await app.inject('/nowhere');
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers['content-type'], 'application/problem+json');

  const headers = { 'Content-Type': 'application/json' };
  const broken = await app.inject({ method: 'POST', url: '/tasks', headers, body: '{' });
  assert.equal(broken.status, 400);
});

test('the routes are described', async () => {
  const app = createApp();
  assert.match((await app.inject('/openapi.json')).text(), /"\/tasks\/\{id\}"/);
  assert.equal((await app.inject('/docs/')).status, 200);
});
