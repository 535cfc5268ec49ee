import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createApp as create } from '../src/app.js';

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
  assert.deepEqual(Buffer.from(picture.bytes), png);
});

test('pages that are open get an event for a new task', async () => {
  const app = createApp();
  const cookies = await login(app);
  const closed = new AbortController();
  const page = await app.fetch(new Request('http://localhost/tasks/events', { signal: closed.signal }));
  await app.inject({ url: '/tasks', body: { title: 'Watch' }, cookies });
  assert.ok(page.body);
  for await (const text of page.body.pipeThrough(new TextDecoderStream())) {
    assert.match(text, /^event: created\ndata: {"id":1,"title":"Watch","done":false}\n\n$/);
    break;
  }
  closed.abort();
  assert.match((await app.inject('/')).text, /<h1>Tasks<\/h1>/);
});

test('a task without a title is rejected', async () => {
  const app = createApp();
  const refused = await app.inject({ url: '/tasks', body: {}, cookies: await login(app) });
  assert.equal(refused.status, 400);
  assert.match((refused.json() as { error: string }).error, /^body\/title: /);
});

test('errors are JSON', async () => {
  assert.equal((await createApp().inject('/docs')).status, 200);
  const document = (await createApp().inject('/openapi.json')).json() as { paths: object };
  const paths = ['/login', '/logout', '/tasks/{id}/picture', '/tasks', '/tasks/{id}'];
  assert.deepEqual(Object.keys(document.paths), paths);
  const app = createApp();
  const unknown = await app.inject('/nowhere');
  assert.equal(unknown.status, 404);
  assert.deepEqual(unknown.json(), { error: 'Cannot GET /nowhere' });

  const headers = { 'Content-Type': 'application/json' };
  const broken = await app.inject({ method: 'POST', url: '/login', headers, body: '{' });
  assert.equal(broken.status, 400);
});
