/**
 * Creates applications as users do, from packed tarballs, and runs `npm install`, `npm test`, `npm run lint`, and `npm
 * start` with Ctrl-C.
 *
 *     npm run create                 every language and template
 *     npm run create -- --quick      only one of them, as in CI
 *
 * Requires built packages. Applications run on this Node, or on Node 24 if it runs no TypeScript. Packages in npm's cache
 * are not downloaded again.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { nodeOf } from './nodes.mjs';
import { INSTALL_FLAGS, npm } from './npm.mjs';
import { readOptions } from './options.cjs';
import { pack } from './pack.mjs';

const { values } = readOptions({ quick: { type: 'boolean' } });
// Node 20 runs no TypeScript.
if (!('typescript' in process.features))
  process.env.PATH = [path.dirname(nodeOf('24').binary), process.env.PATH].join(path.delimiter);
const ON_WINDOWS = process.platform === 'win32';
/** Longer than any start on a busy machine, in milliseconds. */
const PATIENCE = 60_000;
/** A path of each template, and the expected content of its response. */
const EXPECTED = { api: ['/tasks', /^\[\]$/], pages: ['/', /<h1>Messages<\/h1>/] };

/** Programs in an application may import either name, and combine what they get: see docs/migration.md. */
const BOTH_NAMES = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import express from 'express';
import web from 'ristretto';

test('both names: a router of one runs in an application of the other, with its errors', async () => {
  const router = express.Router();
  router.get('/:id', (req, res) => {
    if (req.params.id === '0') throw new web.HttpError(404, 'There is no task 0');
    res.json({ id: req.params.id });
  });
  const app = web().use('/tasks', router);
  assert.equal((await app.inject('/tasks/7')).text(), '{"id":"7"}');
  assert.equal((await app.inject('/tasks/0')).status, 404);
});
`;

/** @typedef {{ language: string, template: keyof typeof EXPECTED }} Kind */

/** @type {Kind[]} */
const KINDS = [
  { language: 'ts', template: 'api' },
  { language: 'js', template: 'pages' },
  { language: 'ts', template: 'pages' },
  { language: 'js', template: 'api' },
];

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** Returns the response, as soon as the server responds. */
async function waitFor(/** @type {string} */ url, /** @type {() => boolean} */ hasEnded) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (hasEnded() || Date.now() > end) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}

/** Runs `npm start`, sends a request, and presses Ctrl-C: the server must report that it has stopped. */
async function start(/** @type {string} */ home, /** @type {Kind} */ { template }) {
  const port = await freePort();
  const child = spawn('npm', ['start'], {
    cwd: home,
    env: { ...process.env, NODE_ENV: undefined, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Starts a separate process group, which receives the signal as from a terminal.
    detached: !ON_WINDOWS,
    shell: ON_WINDOWS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const closed = once(child, 'close');
  try {
    const [url, expected] = EXPECTED[template];
    const response = await waitFor(`http://127.0.0.1:${port}${url}`, () => child.exitCode !== null);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /** @type {RegExp} */ (expected));
    const failed = await fetch(`http://127.0.0.1:${port}/%`, { headers: { Accept: 'application/json' } });
    assert.doesNotMatch(await failed.text(), /node_modules|decode/, 'npm start shows errors');
    if (ON_WINDOWS) return;
    process.kill(-Number(child.pid), 'SIGINT');
    await Promise.race([closed, new Promise(resolve => setTimeout(resolve, PATIENCE).unref())]);
    assert.match(output, /^stopped$/m);
  } catch (error) {
    throw new Error(`npm start failed\n${output}`, { cause: error });
  } finally {
    if (child.exitCode === null && child.signalCode === null) kill(Number(child.pid));
  }
}

/** Ends a process and its child processes. */
function kill(/** @type {number} */ pid) {
  if (ON_WINDOWS) spawn('taskkill', ['/pid', String(pid), '/t', '/f']);
  else process.kill(-pid, 'SIGKILL');
}

/** Creates an application and runs it. */
async function check(
  /** @type {Kind} */ kind,
  /** @type {string} */ folder,
  /** @type {string} */ creator,
  /** @type {Record<string, string>} */ tarballs,
) {
  const { language, template } = kind;
  const name = `${template}-${language}`;
  const home = path.join(folder, name);
  npm(['exec', '--prefix', creator, '--', 'create-ristretto', home, '-l', language, '-t', template], folder);
  const manifest = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
  // They are not published yet.
  const { dependencies } = manifest;
  for (const [packed, file] of Object.entries(tarballs)) {
    const names = Object.keys(dependencies).filter(name =>
      `${name}@${dependencies[name]}`.includes(`${packed}@`),
    );
    for (const name of names) dependencies[name] = `file:${file}`;
  }
  for (const name of ['@ristretto/private-engine', '@ristretto/response-hooks'])
    dependencies[name] = `file:${tarballs[name]}`;
  fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify(manifest, null, 2));
  npm(['install', ...INSTALL_FLAGS], home);
  fs.writeFileSync(path.join(home, `test/names.test.${language}`), BOTH_NAMES);
  const output = npm(['test'], home);
  assert.match(output, /^(?:# |ℹ )pass [1-9]/m, 'no test was run');
  npm(['run', 'lint'], home);
  await start(home, kind);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'create-ristretto-'));
try {
  const creator = path.join(folder, 'creator');
  fs.mkdirSync(creator);
  const homes = [
    'packages/create-ristretto',
    'packages/ristretto',
    'packages/engine',
    'packages/middleware/response-hooks',
    'packages/middleware/helmet',
    'packages/middleware/same-origin',
  ];
  const [own, ...others] = pack(homes, folder);
  npm(['install', ...INSTALL_FLAGS, '--prefix', creator, String(own?.file)], creator);
  const tarballs = Object.fromEntries(others.map(({ name, file }) => [name, file]));
  for (const kind of values.quick ? KINDS.slice(0, 1) : KINDS) {
    const started = Date.now();
    await check(kind, folder, creator, tarballs);
    console.log(`✔ ${kind.template}, ${kind.language} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
