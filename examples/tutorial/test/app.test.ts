import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createApp as create } from '../src/app.ts';

const uploads = await mkdtemp(path.join(tmpdir(), 'tasks-'));
after(() => rm(uploads, { recursive: true }));
const config = { sessionSecret: 'only for tests', teamPassword: 'espresso', uploads, isProduction: false };
const createApp = () => create(config);

/** Returns the cookies of a member. */
async function login(app: ReturnType<typeof createApp>) {
  const res = await app.inject({ url: '/login', body: { name: 'Ada', password: 'espresso' } });
  return Object.fromEntries(res.cookies.map(({ name, value }) => [name, value]));
}

test('a login is needed for changes, and with the right password', async () => {
  const app = createApp();
  assert.equal((await app.inject({ url: '/tasks', body: { title: 'x' } })).status, 401);
  assert.equal((await app.inject({ url: '/login', body: { name: 'Ada', password: 'tea' } })).status, 401);
  const cookies = await login(app);
  assert.equal((await app.inject({ method: 'POST', url: '/logout', cookies })).status, 204);
  assert.equal((await app.inject({ url: '/tasks', body: { title: 'x' }, cookies })).status, 401);
});

test('a task can be created, read and deleted', async () => {
  const app = createApp();
  const cookies = await login(app);
  const created = await app.inject({ url: '/tasks', body: { title: 'Write tests' }, cookies });
  assert.equal(created.status, 201);
  assert.equal(created.headers.location, '/tasks/1');

  const task = { id: 1, title: 'Write tests', done: false };
  assert.deepEqual((await app.inject('/tasks/1')).json(), task);
  assert.deepEqual((await app.inject('/tasks')).json(), [task]);

  assert.equal((await app.inject({ method: 'DELETE', url: '/tasks/1', cookies })).status, 204);
  assert.equal((await app.inject('/tasks/1')).status, 404);
});

test('a task can be done', async () => {
  const app = createApp();
  const cookies = await login(app);
  await app.inject({ url: '/tasks', body: { title: 'Write tests' }, cookies });
  const change = (body: object) => app.inject({ method: 'PATCH', url: '/tasks/1', body, cookies });
  assert.equal((await change({ done: 'yes' })).status, 400);
  const done = { id: 1, title: 'Write tests', done: true };
  assert.deepEqual((await change({ done: true })).json(), done);
  assert.deepEqual((await app.inject('/tasks?done=true')).json(), [done]);
  assert.deepEqual((await app.inject('/tasks?done=no')).json(), []);
});

test('a picture is stored if it is an image and its task exists', async () => {
  const app = createApp();
  const cookies = await login(app);
  await app.inject({ url: '/tasks', body: { title: 'Take a picture' }, cookies });
  const headers = { 'Content-Type': 'image/png' };
  const put = async (id: number, body: Buffer) =>
    (await app.inject({ method: 'PUT', url: `/tasks/${id}/picture`, headers, body, cookies })).status;
  const png = Buffer.from('89504e470d0a1a0a00', 'hex');
  assert.deepEqual([await put(1, png), await put(2, png), await put(1, Buffer.from('GIF'))], [204, 404, 415]);
  assert.equal(await put(1, Buffer.alloc(3_000_000)), 413);
  const picture = await app.inject('/tasks/1/picture');
  assert.equal(picture.headers['content-type'], 'image/png');
  assert.deepEqual(Buffer.from(picture.bytes()), png);
});

test('pages that are open get an event for a new task', async () => {
  const app = createApp();
  const cookies = await login(app);
  const closed = new AbortController();
  const page = await app.fetch(new Request('http://localhost/tasks/events', { signal: closed.signal }));
  await app.inject({ url: '/tasks', body: { title: 'Watch' }, cookies });
  assert.ok(page.body);
  for await (const text of page.body.pipeThrough(new TextDecoderStream())) {
    assert.match(text, /^event: created\ndata: {"title":"Watch","id":1,"done":false}\n\n$/);
    break;
  }
  closed.abort();
  assert.match((await app.inject('/')).text(), /<h1>Tasks<\/h1>/);
});

test('a task without a title is rejected', async () => {
  const app = createApp();
  const refused = await app.inject({ url: '/tasks', body: {}, cookies: await login(app) });
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
  const broken = await app.inject({ method: 'POST', url: '/login', headers, body: '{' });
  assert.equal(broken.status, 400);
});

test('the routes are described', async () => {
  const app = createApp();
  const { text } = await app.inject('/openapi.json');
  assert.match(text(), /"summary":"Adds a task"/);
  assert.match(text(), /"\/tasks\/\{id\}"/);
  assert.equal((await app.inject('/docs/')).status, 200);
});
