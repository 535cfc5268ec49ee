// runs: built, once, ci
/** docs/tutorial.md: each step is carried out, compiles, and passes its tests. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { emulate } from './dockerfile';
import { node, root, temporaryFolder } from './recipes';

const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const isWindows = process.platform === 'win32';
const eslint = path.join(root, 'node_modules/eslint/bin/eslint.js');

async function freePort(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return String(port);
}

describe('tutorial', () => {
  const folder = temporaryFolder();
  const home = path.join(folder, 'my-tasks');
  let env: NodeJS.ProcessEnv = {};
  before(async () => {
    const { create, ENVIRONMENT } = await import('../../scripts/tutorial.mjs');
    create(home);
    env = ENVIRONMENT;
  });

  const page = fs.readFileSync(path.join(root, 'docs/tutorial.md'), 'utf8');
  for (const [, number = '', title = ''] of page.matchAll(/^## (\d+)\. (.*)$/gm)) {
    test(`step ${number}, ${title}: its tests pass`, async () => {
      const { carryOut, steps } = await import('../../scripts/tutorial.mjs');
      carryOut(home, steps()[Number(number) - 1]!);
      fs.cpSync(home, path.join(folder, 'steps', number), { recursive: true });
      const output = await node(home, ['--test', '--test-reporter=tap', 'test/app.test.ts'], env);
      assert.match(output, /^# pass [4-9]$/m);
      assert.match(output, /^# fail 0$/m);
    });
  }

  test('every step compiles', async () => {
    // One program, because most of the time goes into the types of packages.
    const config = { extends: './my-tasks/tsconfig.json', include: ['steps'] };
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const outputOf = (error: unknown) => (error as { stdout: string }).stdout;
    assert.equal(await node(folder, [tsc, '--pretty', 'false']).catch(outputOf), '');
  });

  test('its sources pass the lint of the template', async () => {
    assert.equal(await node(home, [eslint, '.']), '');
  });

  test(
    'the Dockerfile is valid, and its image runs the application in production',
    { skip: isWindows },
    async () => {
      const text = fs.readFileSync(path.join(home, 'Dockerfile'), 'utf8');
      assert.deepEqual(validate(text), []);
      const ignore = fs.readFileSync(path.join(home, '.dockerignore'), 'utf8');
      const image = path.join(folder, 'image');
      fs.mkdirSync(image);
      // `npm install` writes the lock file, and `npm ci` the packages.
      fs.writeFileSync(path.join(home, 'package-lock.json'), '{}');
      const modules = path.join(folder, 'node_modules');
      const stage = emulate(
        { text, ignore },
        home,
        image,
        new Map([
          [
            'npm ci --omit=dev',
            workdir => {
              fs.symlinkSync(modules, path.join(workdir, 'node_modules'), 'junction');
            },
          ],
          ['mkdir /data && chown node /data', () => {}],
        ]),
      );
      assert.deepEqual(stage.command, ['node', 'src/server.ts']);
      const PORT = await freePort();
      const start = (more: NodeJS.ProcessEnv) =>
        spawn(process.execPath, stage.command.slice(1), {
          cwd: path.join(stage.root, stage.workdir),
          env: { ...process.env, ...env, NODE_ENV: 'production', PORT, ...more },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      assert.deepEqual(await once(start({}), 'close'), [1, null]);
      const child = start({ SESSION_SECRET: 'a secret of the test', TEAM_PASSWORD: 'mocha' });
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
    const child = spawn(process.execPath, ['src/server.ts'], {
      cwd: home,
      env: { ...process.env, ...env, PORT },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const output = await node(home, ['client/index.ts', `http://localhost:${PORT}`], env);
    assert.equal(output, '1 Clean the grinder\n');
    const tasks = await (await fetch(`http://localhost:${PORT}/tasks`)).json();
    assert.deepEqual(tasks, [{ title: 'Clean the grinder', id: 1, done: false }]);
    child.kill();
    await once(child, 'close');
  });
});
