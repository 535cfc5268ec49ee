// runs: built
/** docs/recipes/: with other tools: Vitest, Jest, type stripping, PM2, a published package, and other frameworks. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import express4 from 'express';
import express5 from 'express5';
import web from 'ristretto';
import type { Application } from 'ristretto';
import { filesOf, link, node, project, root, temporaryFolder, writeFiles } from './recipes';
import type { Load } from './recipes';

const peers = path.join(root, 'proofs/bench/node_modules');
const runners = createRequire(path.join(root, 'proofs/compat/testing/package.json'));
const packages = path.join(root, 'node_modules');

/** Returns the program of a test runner that `compat` installs; undefined if it is not installed. */
function runner(name: string): string | undefined {
  try {
    const file = runners.resolve(`${name}/package.json`);
    const { bin } = runners(file) as { bin: string | Record<string, string> };
    return path.join(path.dirname(file), typeof bin === 'string' ? bin : (bin[name] ?? ''));
  } catch {
    return undefined;
  }
}

/** Writes the page with the test runner beside the packages of the repository. */
async function withRunner(name: string): Promise<string> {
  const folder = temporaryFolder();
  writeFiles(folder, [
    ...(await filesOf('recipes/vitest-jest')),
    { name: 'package.json', code: '{ "type": "module" }' },
  ]);
  link(path.join(packages, 'ristretto'), folder, 'node_modules/ristretto');
  for (const owned of name === 'jest' ? ['@jest'] : ['vitest']) {
    const at = path.dirname(runners.resolve(`${name}/package.json`));
    link(path.join(at, '..', owned), folder, 'node_modules', owned);
  }
  return folder;
}

describe('recipes with other tools', () => {
  const skip = (name: string) => (runner(name) === undefined ? 'compat is not installed' : false);

  test('vitest-jest: Vitest runs its tests', { skip: skip('vitest') }, async () => {
    const folder = await withRunner('vitest');
    const args = [runner('vitest') ?? '', 'run', '--root', folder, '--reporter=json'];
    const { numPassedTests, success } = JSON.parse(
      await node(folder, [...args, 'vitest.test.mjs']),
    ) as Record<string, unknown>;
    assert.deepEqual([success, numPassedTests], [true, 2]);
  });

  test('vitest-jest: Jest runs its tests', { skip: skip('jest') }, async () => {
    const folder = await withRunner('jest');
    const args = [
      '--experimental-vm-modules',
      runner('jest') ?? '',
      'jest.test.js',
      '--json',
      '--rootDir',
      folder,
    ];
    const output = await node(folder, args, { NODE_ENV: 'test' });
    const { numPassedTests, success } = JSON.parse(output) as Record<string, unknown>;
    assert.deepEqual([success, numPassedTests], [true, 1]);
  });

  test('pm2: a process reports that it is ready, and ends by itself', async () => {
    const { folder } = await project('recipes/pm2');
    const config = createRequire(path.join(folder, 'x'))('./ecosystem.config.cjs') as {
      apps: { script: string; kill_timeout: number }[];
    };
    const [app] = config.apps;
    const code = fs.readFileSync(path.join(folder, 'main.js'), 'utf8');
    assert.ok(app!.kill_timeout > Number(/timeout: (\d+)/.exec(code)?.[1]));
    const child = fork(path.join(folder, app!.script), {
      env: { ...process.env, PORT: '0' },
      silent: true,
    });
    let output = '';
    child.stdout?.on('data', piece => (output += String(piece)));
    assert.deepEqual(await once(child, 'message'), ['ready', undefined]);
    while (!output.includes('\n')) await once(child.stdout!, 'data');
    const res = await fetch(output.trim());
    assert.equal(await res.text(), `process ${child.pid}`);
    const ended = once(child, 'exit');
    if (process.platform === 'win32') child.kill();
    else child.kill('SIGINT');
    const [exitCode] = (await ended) as [number | null];
    if (process.platform !== 'win32') assert.equal(exitCode, 0);
  });

  test('publish-middleware: runs on Express 4, 5 and here, and checks its options', async () => {
    const { load } = await project('recipes/publish-middleware');
    const { responseBudget } = await load<{ responseBudget(options: object): express4.RequestHandler }>(
      'index.js',
    );
    for (const create of [express4, express5, web] as unknown as (typeof web)[]) {
      const slow: string[] = [];
      const report = ({ req }: { req: http.IncomingMessage }) => void slow.push(req.url ?? '');
      const app = create();
      app.use(responseBudget({ limit: 40, report }) as never);
      app.get('/slow', (req, res) => void setTimeout(() => res.send('late'), 80));
      app.get('/', (req, res) => res.send('soon'));
      const server = http.createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      for (const url of ['/slow', '/']) await (await fetch(`http://127.0.0.1:${port}${url}`)).text();
      server.closeAllConnections();
      server.close();
      assert.deepEqual(slow, ['/slow']);
    }
    assert.throws(() => responseBudget({ limit: '1s', report: () => 0 }), /limit: expected .* got 1s/);
    assert.throws(() => responseBudget({ limit: 1, report: () => 0, limt: 2 }), /Unknown option: limt/);
  });

  test('from-fastify-koa-hono: all four send the same responses', async t => {
    if (!fs.existsSync(path.join(peers, 'hono'))) return t.skip('bench is not installed');
    const folder = temporaryFolder();
    writeFiles(folder, [
      ...(await filesOf('recipes/from-fastify-koa-hono')),
      { name: 'package.json', code: '{ "type": "module" }' },
    ]);
    for (const name of ['fastify', 'koa', '@koa/router', 'hono'])
      link(path.join(peers, name), folder, 'node_modules', name);
    for (const name of ['ristretto', 'zod']) link(path.join(packages, name), folder, 'node_modules', name);
    const load = async (name: string): Promise<Load<[Map<string, string>]>['createApp']> => {
      const file = path.join(folder, `${name}.js`);
      const exports = (await import(pathToFileURL(file).href)) as Load<[Map<string, string>]>;
      return exports.createApp;
    };
    const books = new Map([['1', 'Coffee']]);
    const seen: Record<string, unknown> = {};
    for (const name of ['fastify', 'koa', 'hono', 'ristretto']) {
      const app = (await load(name))(books) as Application & {
        callback?(): http.RequestListener;
        ready?(): Promise<void>;
        server?: http.Server;
        request?: unknown;
      };
      if (name === 'ristretto') app.set('env', 'test');
      const ask =
        name === 'hono'
          ? async (url: string) =>
              await (app as unknown as { request(url: string): Promise<Response> }).request(url)
          : await overHttp(name === 'koa' ? app.callback!() : app, app, name);
      const results: unknown[] = [];
      for (const url of ['/books/1', '/books/2', '/books/x']) {
        const res = await ask(url);
        results.push([res.status, await res.json(), res.headers.get('x-service')]);
      }
      seen[name] = results;
    }
    const expected = [
      [200, { title: 'Coffee' }, 'books'],
      [404, { error: 'no such book' }, 'books'],
      [400, { error: 'invalid' }, 'books'],
    ];
    for (const [name, results] of Object.entries(seen)) assert.deepEqual(results, expected, name);
  });
});

/** Starts a server that is closed after the last response, and returns a function that sends it requests. */
async function overHttp(
  listener: http.RequestListener,
  app: { ready?(): Promise<void>; server?: http.Server; routing?: unknown },
  name: string,
): Promise<(url: string) => Promise<Response>> {
  if (name === 'fastify') await app.ready!();
  const server = name === 'fastify' ? app.server! : http.createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as { port: number };
  return url => fetch(`http://127.0.0.1:${port}${url}`, { headers: { Connection: 'close' } });
}
