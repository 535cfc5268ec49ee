/** examples/cluster, in real processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const home = path.join(__dirname, '../cluster');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cluster-'));

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
