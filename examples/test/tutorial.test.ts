/** docs/tutorial.md: each step is carried out, compiles, and passes its tests; the result is examples/tutorial. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { node, root, temporaryFolder } from './recipes';

const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const eslint = path.join(root, 'node_modules/eslint/bin/eslint.js');

async function freePort(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return String(port);
}

describe('tutorial', () => {
  const home = path.join(temporaryFolder(), 'my-tasks');
  before(async () => (await import('../../scripts/tutorial.mjs')).create(home));

  const page = fs.readFileSync(path.join(root, 'docs/tutorial.md'), 'utf8');
  for (const [, number = '', title = ''] of page.matchAll(/^## (\d+)\. (.*)$/gm)) {
    test(`step ${number}, ${title}: compiles, and its tests pass`, async () => {
      const { carryOut, steps } = await import('../../scripts/tutorial.mjs');
      await carryOut(home, steps()[Number(number) - 1]!);
      const outputOf = (error: unknown) => (error as { stdout: string }).stdout;
      assert.equal(await node(home, [tsc, '--pretty', 'false']).catch(outputOf), '');
      const args = ['--import', 'tsx', '--test', '--test-reporter=tap', 'test/app.test.ts'];
      const output = await node(home, args, { NODE_ENV: 'test' });
      assert.match(output, /^# pass [3-9]$/m);
      assert.match(output, /^# fail 0$/m);
    });
  }

  test('the example is the result of the last step (if not, run npm run tutorial)', async () => {
    const { HOME, filesOf } = await import('../../scripts/tutorial.mjs');
    assert.deepEqual(filesOf(HOME), filesOf(home));
  });

  test('its sources pass the lint of the template', async () => {
    assert.equal(await node(home, [eslint, '.']), '');
  });

  test(
    'the build serves the client in production, and stops',
    { skip: process.platform === 'win32' },
    async () => {
      await node(home, [tsc, '--project', 'tsconfig.build.json']);
      const PORT = await freePort();
      const env = { ...process.env, NODE_ENV: 'production', PORT };
      const refused = spawn(process.execPath, ['dist/server.js'], { cwd: home, env, stdio: 'ignore' });
      assert.deepEqual(await once(refused, 'close'), [1, null]);
      const child = spawn(process.execPath, ['dist/server.js'], {
        cwd: home,
        env: { ...env, SESSION_SECRET: 'a secret of the test', TEAM_PASSWORD: 'mocha' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', piece => (output += String(piece)));
      const closed = once(child, 'close');
      await once(child.stdout, 'data');
      const url = `http://localhost:${PORT}`;
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' };
      const body = JSON.stringify({ name: 'Ada', password: 'mocha' });
      const login = await fetch(`${url}/login`, { method: 'POST', headers, body });
      assert.match(login.headers.get('set-cookie') ?? '', /; HttpOnly; Secure; SameSite=Lax$/);
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
      assert.match(output, /^stopped$/m);
    },
  );

  test('the client creates a task', async () => {
    const PORT = await freePort();
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
      cwd: home,
      env: { ...process.env, NODE_ENV: 'development', PORT },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const output = await node(home, ['--import', 'tsx', 'client/index.ts', `http://localhost:${PORT}`]);
    assert.equal(output, '1 Clean the grinder\n');
    const tasks = await (await fetch(`http://localhost:${PORT}/tasks`)).json();
    assert.deepEqual(tasks, [{ id: 1, title: 'Clean the grinder', done: false }]);
    child.kill();
    await once(child, 'close');
  });
});
