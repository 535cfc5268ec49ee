// runs: built, ci
/** examples/showcase as `npm start` runs it: several processes on one port, over the database of the primary one. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import request from 'supertest';
import type { FleetState } from '../showcase/src/fleet/state.js' with { 'resolution-mode': 'import' };
import { freePorts } from './servers';
import { freshFolder, home } from './showcase';

const root = path.join(home, '../..');
/** Without the build before it, which the tests have done. */
const NPM = ['npm', 'start', '--ignore-scripts'];

const start = (
  folder: string,
  [program = process.execPath, ...args]: string[] = [],
  more: NodeJS.ProcessEnv = {},
) =>
  spawn(program, args.length > 0 ? args : [path.join(home, 'dist/fleet/primary.js')], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: '0', WORKERS: '2', DATA_DIR: folder, ADMIN_PASSWORD: 'open sesame' },
      ...{ DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'warn', NODE_ENV: '' },
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

describe('showcase fleet', { skip: process.platform === 'win32' }, () => {
  let address = '';
  let stop: () => Promise<unknown>;
  /** The newest state, as a panel receives it. */
  let state: (FleetState & { pid: number }) | undefined;
  const closePanel = new AbortController();
  let folder = '';
  let METRICS_PORT = '';
  let child: ReturnType<typeof start> | undefined;
  after(() => {
    closePanel.abort();
    child?.kill('SIGKILL');
  });

  /** Starts the board; resolves when it has printed its address, while the second process is starting. */
  async function open(command: string[] = []) {
    const program = (child = start(folder, command, { METRICS_PORT }));
    program.stderr.pipe(process.stderr);
    let output = '';
    for await (const chunk of program.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += String(chunk);
      if (output.includes('The data is in')) break;
    }
    address = /http:\/\/localhost:\d+/.exec(output)![0];
    stop = () => {
      closePanel.abort();
      program.kill('SIGTERM');
      return once(program, 'exit');
    };
  }

  before(async () => {
    METRICS_PORT = String((await freePorts(1))[0]);
    folder = await freshFolder();
    await open();
    void watch();
  });

  /** Opens panels until the test ends: each is closed when its process is. */
  async function watch() {
    while (!closePanel.signal.aborted) {
      try {
        const res = await fetch(`${address}/live/events`, { signal: closePanel.signal });
        let text = '';
        for await (const chunk of res.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          const data = [...text.matchAll(/^data: (.*)\n\n/gm)].at(-1)?.[1];
          if (data) state = JSON.parse(data) as typeof state;
          text = text.slice(text.lastIndexOf('\n\n') + 2);
        }
      } catch {
        // The process was killed, or the test is over.
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
  }

  async function until(condition: () => boolean | Promise<boolean>) {
    const limit = AbortSignal.timeout(60_000);
    while (!(await condition())) {
      limit.throwIfAborted();
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
  const running = () =>
    (state?.members ?? []).filter(member => member.state === 'running').map(({ pid }) => pid);
  const send = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { method: 'POST', headers, redirect: 'manual' });

  test('is seeded, and shares sessions, posts and live updates between its processes', async () => {
    await until(() => running().length === 2);
    const guest = request.agent(address);
    await guest.post('/guest');
    assert.equal((await guest.post('/posts').field('text', 'to all processes')).status, 303);
    // Each new connection goes to the next process.
    const pages = await Promise.all(
      Array.from({ length: 4 }, () => guest.get('/').set('Connection', 'close')),
    );
    for (const { text } of pages) {
      assert.match(text, /class="who">\w+ \w+ \d+<[^]*to all processes[^]*Tenth attempt at a rosetta/);
    }
    const picture = /src="(\/pictures\/[^"]+)"/.exec(pages[0]!.text)![1]!;
    assert.equal((await guest.get(picture)).type, 'image/webp');
  });
  test('the requests that its README shows succeed', t => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed');
    const readme = fs.readFileSync(path.join(home, 'README.md'), 'utf8');
    // The last one is the stream of events, which does not end.
    const lines = (readme.match(/^curl .*$/gm) ?? []).slice(0, -1);
    const responses = lines.map(line => {
      const command = line.replace('curl localhost:3000', `curl --silent --show-error --fail ${address}`);
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
      return stderr || stdout;
    });
    assert.match(responses[0]!, /"posts":\[/);
    assert.match(responses.at(-2)!, /"name":"Ada"/);
    assert.match(responses.at(-1)!, /"text":"Hello"/);
  });
  test('only obeys requests from this computer, even from an administrator', async () => {
    const [pid] = running();
    const foreign: Record<string, string>[] = [
      { 'X-Forwarded-For': '192.0.2.1' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    const refused = await Promise.all(foreign.map(headers => send(`/live/${pid}/kill`, headers)));
    const elsewhere = await request(address).post(`/live/${pid}/kill`).set('Host', 'board.example');
    assert.deepEqual(
      [...refused, elsewhere].map(({ status }) => status),
      [403, 403, 403],
    );
    assert.equal((await send('/live/1/kill')).status, 404);
    const admin = request.agent(address);
    await admin.post('/login').type('form').send({ name: 'admin', password: 'open sesame' });
    const page = await admin.get('/live').set('Host', 'board.example');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /action="\/live\//);
    const asked = await admin.post(`/live/${pid}/kill`).set('Host', 'board.example');
    assert.equal(asked.status, 403);
    assert.ok(running().includes(pid!));
  });
  test('loses no request while a process is restarted, and while one is killed', async () => {
    for (const how of ['restart', 'kill']) {
      // Visitors reach both, so that ending one shows something.
      await until(() => running().length === 2 && state!.members.every(({ requests }) => requests > 1));
      const pid = running().find(each => each !== state!.pid)!;
      assert.equal((await send(`/live/${pid}/${how}`)).status, 303);
      await until(() => !state!.members.some(member => member.pid === pid) && running().length === 2);
    }
    const { sent } = state!.load;
    await until(() => state!.load.sent > sent);
    assert.equal(state!.load.lost, 0);
    assert.match(state!.log.map(({ text }) => text).join('\n'), /ended with SIGKILL/);
  });
  test('each process has a port for its metrics, the lowest that is free', async () => {
    await until(() => running().length === 2);
    const slots = state!.members.map(({ slot }) => slot);
    assert.equal(new Set(slots).size, 2);
    for (const slot of slots) {
      assert.ok(slot < 3, `${slot}`);
      const metrics = await fetch(`http://127.0.0.1:${Number(METRICS_PORT) + slot}/metrics`);
      assert.match(await metrics.text(), /^ristretto_stopping 0$/m);
    }
  });
  test('stops with all its processes', async () => {
    const pids = state!.members.map(({ pid }) => pid);
    assert.deepEqual(await stop(), [0, null]);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
  test('stops while its processes are starting', async () => {
    await open();
    assert.deepEqual(await stop(), [0, null]);
  });
  test('npm start passes SIGTERM on: no process stays behind', async () => {
    await open(NPM);
    await stop();
    await until(() =>
      fetch(address).then(
        () => false,
        () => true,
      ),
    );
  });
  test('ends with code 1 if its port is in use', async () => {
    const other = net.createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    child = start(folder, [], { PORT: String(port) });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', piece => (output += String(piece)));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    other.close();
    assert.equal(
      output,
      `Port ${port} is in use by another program. Choose another one: PORT=3001 npm start\n`,
    );
  });
});
