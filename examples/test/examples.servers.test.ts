/** The examples about servers and processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectedSocket } from '@ristretto/private-engine/lib/types/fetch';
import web from 'ristretto';
import request from 'supertest';
import chat = require('../chat/app.js');
import graceful = require('../graceful-shutdown/index.js');
import { start } from '../https/index.js';

describe('example https', () => {
  let servers: http.Server[] = [];
  const portOf = (server: http.Server | undefined) => (server?.address() as AddressInfo).port;
  before(async () => {
    servers = await start(0, 0);
  });
  after(() => servers.forEach(server => server.close()));

  test('HTTP redirects to HTTPS', async () => {
    const res = await request(`http://localhost:${portOf(servers[0])}`)
      .get('/?a=1')
      .set('Host', 'evil.example');
    assert.equal(res.status, 308);
    assert.equal(res.headers.location, `https://localhost:${portOf(servers[1])}/?a=1`);
  });
  test('HTTPS serves the page', async () => {
    const ca = fs.readFileSync(path.join(__dirname, '../https/localhost-cert.pem'));
    const text = await new Promise((resolve, reject) => {
      https
        .get({ host: 'localhost', port: portOf(servers[1]), ca, agent: false }, res => {
          res.setEncoding('utf8').on('data', resolve);
        })
        .on('error', reject);
    });
    assert.equal(text, '{"protocol":"https","secure":true}');
  });
});

describe('example graceful-shutdown', () => {
  test('in-flight requests get their responses', async () => {
    const server = http.createServer(graceful).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal((await request(url).get('/readyz')).status, 200);
    const slow = request(url).get('/slow').set('Connection', 'keep-alive').then();
    await once(server, 'request');
    assert.equal((await web.stop(server)).completed, 1);
    assert.equal((await slow).text, 'done');
    await assert.rejects(request(url).get('/readyz').then(), /ECONNREFUSED/);
  });
  test(
    'on SIGTERM the health check fails, and the process ends',
    { skip: process.platform === 'win32' },
    async t => {
      const program = path.join(__dirname, '../graceful-shutdown/index.js');
      const child = spawn(process.execPath, [program], { env: { ...process.env, PORT: '0' } });
      t.after(() => child.kill('SIGKILL'));
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
      await once(child.stdout, 'data');
      const [address = ''] = /^http:\/\/localhost:\d+/.exec(output) ?? [];
      const health = () =>
        request(address)
          .get('/readyz')
          .then(({ status }) => status);
      assert.equal(await health(), 200);
      child.kill('SIGTERM');
      while ((await health()) === 200);
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 0);
      assert.match(output, /stopped/);
    },
  );
});

const home = path.join(__dirname, '../cluster');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cluster-'));

interface Reply {
  status: number;
  worker?: number;
}

/** Sends a request; without an agent, on its own connection. */
function send(port: number, method: string, target: string, agent?: http.Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, method, path: target, agent: agent ?? false }, res => {
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        res.on('end', () => resolve({ ...(JSON.parse(text) as object), status: res.statusCode! }));
        res.on('error', reject);
      })
      .on('error', reject)
      .end();
  });
}

/** Sends requests until it is stopped, both over keep-alive connections, as a proxy does, and over new connections. */
function load(port: number) {
  const agent = new http.Agent({ keepAlive: true });
  const replies: Reply[] = [];
  let isOver = false;
  const client = async (method: string, target: string, connections?: http.Agent) => {
    while (!isOver) replies.push(await send(port, method, target, connections));
  };
  const clients = Promise.all([
    ...Array.from({ length: 6 }, () => client('GET', '/', agent)),
    ...Array.from({ length: 6 }, () => client('POST', '/slow', agent)),
    client('GET', '/'),
    client('POST', '/slow'),
  ]);
  return async () => {
    isOver = true;
    await clients;
    agent.destroy();
    return replies;
  };
}

describe('example cluster', { skip: process.platform === 'win32' && 'there are no signals' }, () => {
  /** Starts the primary. */
  function start(env: NodeJS.ProcessEnv = {}, program: string[] = []) {
    const child = spawn(process.execPath, [home, ...program], {
      env: { ...process.env, WORKERS: '2', PORT: '0', STOP_DELAY: '', ...env },
    });
    after(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    const count = (pattern: RegExp) => [...output.matchAll(new RegExp(pattern, 'g'))].length;
    return {
      child,
      ended: once(child, 'close'),
      output: () => output,
      /** Waits until the pattern has matched the output this many times. */
      async prints(pattern: RegExp, times = 1) {
        const limit = performance.now() + 60_000;
        while (count(pattern) < times) {
          assert.ok(performance.now() < limit, `${pattern} is not printed ${times} times:\n${output}`);
          await sleep(20);
        }
      },
      port: () => Number(/listens on port (\d+)/.exec(output)?.[1]),
    };
  }

  after(() => fs.rmSync(folder, { recursive: true }));

  test('SIGHUP replaces the workers one by one, and no request fails', async () => {
    const { child, ended, prints, port, output } = start();
    await prints(/listens/, 2);
    const finish = load(port());
    await sleep(100);
    child.kill('SIGHUP');
    await prints(/all workers are replaced/);
    const replies = await finish();
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(output().match(/listens/g)?.length, 4);
    assert.equal(new Set(replies.map(({ worker }) => worker)).size, 4);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  test('a killed worker is replaced, and the other one responds meanwhile', async () => {
    const { child, ended, prints, port, output } = start();
    await prints(/listens/, 2);
    const { worker } = await send(port(), 'GET', '/');
    process.kill(worker!, 'SIGKILL');
    await prints(new RegExp(`worker ${worker} ended with SIGKILL, the next one starts in 100 ms`));
    const other = await send(port(), 'GET', '/');
    assert.notEqual(other.worker, worker);
    await prints(/listens/, 3);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.doesNotMatch(output(), new RegExp(`worker ${other.worker} ended`));
  });

  test('SIGTERM lets workers finish, and /readyz fails during STOP_DELAY', async () => {
    const { child, ended, prints, port } = start({ STOP_DELAY: '1500' });
    await prints(/listens/, 2);
    assert.equal((await send(port(), 'GET', '/readyz')).status, 200);
    child.kill('SIGTERM');
    while ((await send(port(), 'GET', '/readyz')).status === 200);
    const slow = await send(port(), 'POST', '/slow');
    assert.equal(slow.status, 200);
    assert.deepEqual(await ended, [0, null]);
  });

  test('a restart stops if the new program fails, and the old workers keep running', async () => {
    const program = path.join(folder, 'deployed.js');
    fs.writeFileSync(
      program,
      `require(${JSON.stringify(path.join(home, 'worker.js'))}).listen(process.env.PORT)`,
    );
    const { child, ended, prints, port, output } = start({}, [program]);
    await prints(/listens/, 2);
    fs.writeFileSync(program, 'process.exit(3)');
    child.kill('SIGHUP');
    await prints(/ended with code 3 before it listened: the restart has ended, the old workers go on/);
    assert.equal((await send(port(), 'GET', '/')).status, 200);
    assert.equal(output().match(/listens/g)?.length, 2);
    child.kill('SIGTERM');
    await ended;
  });

  test('a program that always crashes ends the cluster with a message', async () => {
    const program = path.join(folder, 'broken.js');
    fs.writeFileSync(program, 'process.exit(7)');
    const { ended, output } = start({ WORKERS: '1' }, [program]);
    assert.deepEqual(await ended, [1, null]);
    assert.match(output(), /ended with code 7 before it listened, the next one starts in 100 ms/);
    assert.match(
      output(),
      /ended with code 7 before it listened: 5 crashes in a row, so there is no use in another try/,
    );
  });
});

interface Event {
  type: string;
  id?: string;
  text?: string;
  from?: string;
  number?: number;
  users?: string[];
}

const create = (): ReturnType<typeof web> => (chat as { createChat(): ReturnType<typeof web> }).createChat();

/** Logs in, and returns the cookie of the session. */
const logIn = async (app: ReturnType<typeof web>, name: string): Promise<string> => {
  const response = await app.inject({ url: '/login', body: { name } });
  assert.equal(response.status, 200);
  return String(response.headers['set-cookie']).split(';')[0]!;
};

/** Returns the next event of a type. */
const next = async (socket: InjectedSocket, type: string): Promise<Event> => {
  for (;;) {
    const event = JSON.parse(String(await socket.next())) as Event;
    if (event.type === type) return event;
  }
};

describe('example chat', () => {
  test('a session: is required, and its name is what others see', async () => {
    const app = create();
    await assert.rejects(app.inject.ws('/rooms/lobby'), { status: 401 });
    assert.equal((await app.inject({ url: '/login', body: { name: '<b>' } })).status, 400);
    const [ada, grace] = [await logIn(app, 'Ada'), await logIn(app, 'Grace')];
    await assert.rejects(app.inject.ws('/rooms/LOBBY!', { headers: { cookie: ada } }), { status: 404 });
    const one = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const two = await app.inject.ws('/rooms/lobby', { headers: { cookie: grace } });
    one.send('{"id":"1","text":"hello"}');
    const seen = await next(two, 'message');
    assert.deepEqual(seen, { type: 'message', number: 1, id: '1', from: 'Ada', text: 'hello' });
    assert.equal((await next(one, 'sent')).id, '1');
    one.terminate();
    two.terminate();
  });

  test('presence: shows who is in a room, once each, and who has left', async () => {
    const app = create();
    const [ada, grace] = [await logIn(app, 'Ada'), await logIn(app, 'Grace')];
    const first = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const second = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const third = await app.inject.ws('/rooms/lobby', { headers: { cookie: grace } });
    assert.deepEqual((await next(third, 'present')).users, ['Ada', 'Grace']);
    first.close();
    assert.deepEqual((await next(third, 'present')).users, ['Ada', 'Grace']);
    second.close();
    assert.deepEqual((await next(third, 'present')).users, ['Grace']);
    third.terminate();
  });

  test('rooms: are apart', async () => {
    const app = create();
    const headers = { cookie: await logIn(app, 'Ada') };
    const lobby = await app.inject.ws('/rooms/lobby', { headers });
    const help = await app.inject.ws('/rooms/help', { headers });
    lobby.send('{"id":"1","text":"in the lobby"}');
    await next(lobby, 'sent');
    help.send('{"id":"2","text":"in help"}');
    assert.equal((await next(help, 'message')).text, 'in help');
    lobby.terminate();
    help.terminate();
  });

  test('reconnecting: a client gets what it has missed, and a message that it repeats is dropped', async () => {
    const app = create();
    const headers = { cookie: await logIn(app, 'Ada') };
    const one = await app.inject.ws('/rooms/lobby', { headers });
    for (const id of ['1', '2', '2', '3']) one.send(JSON.stringify({ id, text: id }));
    while ((await next(one, 'sent')).id !== '3');
    const two = await app.inject.ws('/rooms/lobby?after=1', { headers });
    assert.deepEqual([(await next(two, 'message')).number, (await next(two, 'message')).number], [2, 3]);
    one.terminate();
    two.terminate();
  });

  test('an invalid message: gets an error, and the socket stays open', async () => {
    const app = create();
    const socket = await app.inject.ws('/rooms/lobby', { headers: { cookie: await logIn(app, 'Ada') } });
    for (const message of ['{"id":"1","text":" "}', 'x', '{}', 'null', '{"id":5,"text":"a"}']) {
      socket.send(message);
      assert.match((await next(socket, 'error')).text!, /Expected/);
    }
    assert.equal(socket.readyState, 1);
    socket.close();
    await once(socket, 'close');
  });

  test('the page: is served with its script and style sheet, and asks who the visitor is', async () => {
    const app = create();
    const visitor = request.agent(app);
    for (const file of ['/', '/chat.js', '/chat.css']) await visitor.get(file).expect(200);
    assert.deepEqual((await visitor.get('/me')).body, { name: null });
    await visitor.post('/login').send({ name: 'Ada' }).expect(200);
    assert.deepEqual((await visitor.get('/me')).body, { name: 'Ada' });
  });
});
