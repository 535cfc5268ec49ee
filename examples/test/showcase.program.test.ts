// runs: built, ci
/** The showcase as a program, and its API. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import request from 'supertest';
import { until } from '../../packages/engine/test/support/until';
import { freePorts, program } from './servers';
import { freshFolder, home, makeBoard, password, temporaryFolder } from './showcase';

/** Starts the program; `started` resolves with its output when it listens or has exited. */
function start(env: NodeJS.ProcessEnv, [program, ...args]: [string, ...string[]] = [process.execPath]) {
  const child = spawn(program, [...args, home], {
    env: { ...process.env, PORT: '0', ADMIN_PASSWORD: '', DATABASE_URL: '', REDIS_URL: '', ...env },
  });
  // A failed test leaves no process behind that would use its folder.
  after(() => child.kill('SIGKILL'));
  let output = '';
  const started = new Promise<{ output: string; address: string }>(resolve => {
    const collect = (chunk: string) => {
      output += chunk;
      const address = /http:\/\/localhost:\d+$/m.exec(output)?.[0];
      if (address && output.includes('The data is in')) resolve({ output, address });
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('close', () => resolve({ output, address: '' }));
  });
  return { child, started };
}

/** Whether a process can get its own process ids here, as in a container. */
const canUnshare = () => spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

/** examples/showcase: the program, its startup, its shutdown, and the data that remains after it is killed. */
describe('showcase program', () => {
  const posix = { skip: process.platform === 'win32' };

  test('keeps data, sessions and settings when it is killed during writes', posix, async () => {
    const DATA_DIR = await freshFolder();
    const first = start({ DATA_DIR });
    const { output, address } = await first.started;
    const secret = /Password +(\S{16})$/m.exec(output)?.[1] ?? '';
    assert.ok(output.includes(`The data is in      ${DATA_DIR}`), output);

    const second = start({ DATA_DIR });
    assert.match((await second.started).output, /is in use by another process\. Stop it, or set DATA_DIR/);
    assert.equal(second.child.exitCode, 1);
    // In different containers, neither process knows the other's number.
    if (canUnshare()) {
      const contained = start({ DATA_DIR }, ['unshare', '--pid', '--fork', '--kill-child', process.execPath]);
      assert.match((await contained.started).output, /is in use by another process/);
    }

    const admin = request.agent(address);
    const login = await admin.post('/login').type('form').send({ name: 'admin', password: secret });
    assert.equal(login.status, 303);
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0]!;
    // Only confirmed writes must be there; in-flight ones may be.
    const confirmed: string[] = [];
    const writes = Array.from({ length: 8 }, async (_, n) => {
      const res = await admin.post('/posts').field('text', `survivor ${n}!`);
      if (res.status === 303) confirmed.push(`survivor ${n}!`);
      if (confirmed.length === 4) first.child.kill('SIGKILL');
    });
    await Promise.allSettled(writes);
    await once(first.child, 'exit').catch(() => undefined);
    assert.ok(confirmed.length >= 4);

    const third = start({ DATA_DIR });
    const again = await third.started;
    assert.match(again.output, /Password +as shown at the first start/);
    const page = (await request(again.address).get('/').set('Cookie', cookie)).text;
    assert.match(page, /Log out <span class="who">admin/);
    for (const text of confirmed) assert.ok(page.includes(text), text);

    third.child.kill('SIGTERM');
    assert.deepEqual(await once(third.child, 'exit'), [0, null]);
  });
  test('starts beside the lock file of a killed process, whichever process has its number now', async () => {
    const DATA_DIR = await freshFolder();
    // This process is alive, but it is not the one that wrote the file.
    fs.writeFileSync(path.join(DATA_DIR, 'in-use-by'), String(process.pid));
    const { child, started } = start({ DATA_DIR });
    assert.match((await started).output, /The data is in/);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  test('reports that its port is in use, and stores no password that was not printed', async () => {
    const server = net.createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const DATA_DIR = await freshFolder();
    const { child, started } = start({ DATA_DIR, PORT: String(port) });
    assert.match((await started).output, new RegExp(`^Port ${port} is in use by another program`, 'm'));
    assert.equal(child.exitCode, 1);
    server.close();
    const again = start({ DATA_DIR });
    assert.match((await again.started).output, /Password +\S{16}$/m);
    again.child.kill('SIGTERM');
    await once(again.child, 'exit');
  });
  test(
    'listens on a socket that systemd hands over, and stops on a signal that arrives during its start',
    posix,
    async () => {
      const held = net.createServer().listen(0, '127.0.0.1');
      await once(held, 'listening');
      const { port } = held.address() as AddressInfo;
      const { fd } = (held as unknown as { _handle: { fd: number } })._handle;
      // LISTEN_PID names the process that the socket is for: `exec` keeps the id of the shell.
      const shell = spawn('sh', ['-c', `LISTEN_PID=$$ exec '${process.execPath}' '${home}'`], {
        env: {
          ...process.env,
          LISTEN_FDS: '1',
          DATA_DIR: await freshFolder(),
          DATABASE_URL: '',
          REDIS_URL: '',
        },
        stdio: ['ignore', 'pipe', 'inherit', fd],
      });
      // From here on, only the program accepts connections.
      held.close();
      let output = '';
      shell.stdout!.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
      assert.equal((await request(`http://127.0.0.1:${port}`).get('/livez')).status, 200);
      // It responds before it has stored the administrator, and prints its address after that.
      shell.kill('SIGTERM');
      assert.deepEqual(await once(shell, 'close'), [0, null]);
      assert.match(output, new RegExp(`localhost:${port}$`, 'm'));
    },
  );
  test('without a proxy: compresses and logs requests, and has a port for metrics; in production, prints no password', async () => {
    const [METRICS_PORT] = (await freePorts(1)).map(String);
    const env = { METRICS_PORT, REQUEST_LOG: 'on', NODE_ENV: 'production' };
    const { child, started } = start({ DATA_DIR: await freshFolder(), ...env });
    let log = '';
    child.stderr.on('data', chunk => (log += String(chunk)));
    const { output, address } = await started;
    assert.match(output, /Password +none yet; ADMIN_PASSWORD sets one, and is not printed$/m);

    const page = await request(address)
      .get('/?q=cup')
      .set('Accept-Encoding', 'gzip')
      .set('X-Request-Id', 'mine');
    assert.equal(page.headers['content-encoding'], 'gzip');
    await until(async () => log.includes('\n'));
    const { id, client, method, uri, status, seconds, aborted } = JSON.parse(log.split('\n')[0]!);
    assert.deepEqual([method, uri, status, aborted], ['GET', '/?q=cup', 200, undefined]);
    assert.equal(id, page.headers['x-request-id']);
    assert.match(client, /127\.0\.0\.1$/);
    assert.ok(seconds > 0 && seconds < 60);

    const metrics = await request(`http://127.0.0.1:${METRICS_PORT}`).get('/metrics');
    assert.match(metrics.text, /^http_server_request_duration_seconds_count\{.*http_route="\/",.*\} 1$/m);
    const promtool = program('promtool');
    if (promtool) {
      const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], {
        input: metrics.text,
        encoding: 'utf8',
      });
      assert.deepEqual([status, stdout, stderr], [0, '', '']);
    }
    const ready = await request(`http://127.0.0.1:${METRICS_PORT}`).get('/readyz');
    assert.equal(ready.status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
  test('rejects invalid environment variables', async () => {
    for (const [env, message] of [
      [{ PORT: 'http' }, /PORT must be a whole number, not "http"/],
      [{ PORT: '99999' }, /PORT must be at most 65535, not 99999/],
      [{ METRICS_PORT: '99999' }, /METRICS_PORT must be at most 65535, not 99999/],
      [{ COMPRESSION: 'no' }, /COMPRESSION must be on or off, not "no"/],
      [{ DATABASE_URL: 'mysql://localhost/' }, /DATABASE_URL must be an address that begins with postgres:/],
      [{ ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD must have at least 10 characters/],
    ] as const) {
      const { started } = start({ DATA_DIR: temporaryFolder(), ...env });
      assert.match((await started).output, message);
    }
  });
});

let board: Awaited<ReturnType<typeof makeBoard>>;

/** examples/showcase: the JSON API, whose requests and responses are checked by schemas. */
describe('showcase API', () => {
  before(async () => {
    board = await makeBoard();
    await board.services.users.add('Ada', password);
  });
  after(() => board.services.close());

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
  test('edits a post, replies to it, and likes it', async () => {
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
