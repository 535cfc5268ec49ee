/**
 * Measures the costs of a framework that a request does not show, as users install it: size, processor time to start, memory
 * of idle connections, and what many routes cost to build, to keep and to find.
 *
 *     node proofs/bench/resources/run.mjs [--node /path/to/node] [--frameworks ristretto,express4] [--dry]
 *
 * Needs the registry, from which it installs the other frameworks, and built packages.
 */
import { matching, readOptions } from '../../../scripts/options.cjs';
import { execFileSync, fork, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALL_FLAGS, npm } from '../../../scripts/npm.mjs';
import { pack } from '../../../scripts/pack.mjs';
import { packageHomes } from '../../../scripts/packages.cjs';
import { median } from '../http/processes.mjs';

const known = ['bare', 'ristretto', 'ristretto3', 'ristretto5', 'express4', 'express5', 'fastify', 'hono'];
const { values: options } = readOptions({
  node: { type: 'string', default: process.execPath },
  frameworks: { type: 'string', default: '' },
  dry: { type: 'boolean', default: false },
});
/** Servers run in other folders. */
const node = path.resolve(options.node);
const frameworks = matching(known, options.frameworks.split(','));
const server = fileURLToPath(new URL('server.cjs', import.meta.url));
const read = file => JSON.parse(fs.readFileSync(new URL(file, import.meta.url), 'utf8'));
const { dependencies } = read('../package.json');

const STARTS = 15;
const IDLE_CONNECTIONS = 5000;
const ROUTES = [1000, 10_000, 100_000];
/** Milliseconds after which a measurement of many routes is given up. */
const PATIENCE = 60_000;

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'resources-'));

/** Returns what npm installs for a framework. */
function sources(framework) {
  if (framework === 'bare') return [];
  if (framework.startsWith('ristretto'))
    return pack(packageHomes(framework), path.join(home, 'tarballs')).map(({ file }) => file);
  if (framework === 'hono') return ['hono', '@hono/node-server'].map(name => `${name}@${dependencies[name]}`);
  if (framework.startsWith('express')) return [dependencies[framework].slice('npm:'.length)];
  return [`${framework}@${dependencies[framework]}`];
}

function install(framework) {
  const folder = path.join(home, framework);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const wanted = sources(framework);
  if (wanted.length > 0) npm(['install', ...INSTALL_FLAGS, ...wanted], folder);
  return folder;
}

/** Returns the bytes and the number of packages in a folder. */
function sizeOf(folder) {
  let bytes = 0;
  let packages = 0;
  const modules = path.join(folder, 'node_modules');
  const entries = fs.existsSync(modules)
    ? fs.readdirSync(modules, { recursive: true, withFileTypes: true })
    : [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name === '.package-lock.json') continue;
    bytes += fs.statSync(file).size;
    if (/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)) packages++;
  }
  return { bytes, packages };
}

/** Runs the server in a folder; returns undefined if that takes too long. */
function run(folder, ...args) {
  const child = spawnSync(node, ['--expose-gc', server, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child.status === 0 ? JSON.parse(child.stdout) : undefined;
}

/** Opens connections that each send one request and stay open, and returns the bytes of heap for each. */
async function memoryOfConnections(framework, folder) {
  const child = fork(server, [framework, 'idle'], {
    execPath: node,
    execArgv: ['--expose-gc'],
    cwd: folder,
  });
  const told = () => new Promise(resolve => child.once('message', resolve));
  const port = await told();
  const sockets = [];
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /r0/1 HTTP/1.1\r\nHost: a\r\n\r\n'));
      sockets.push(socket);
      socket.once('data', resolve).once('error', reject);
    });
  const openMany = async count => {
    for (let i = 0; i < count; i += 100) await Promise.all(Array.from({ length: 100 }, open));
    child.send('heap');
    return told();
  };
  const before = await openMany(500);
  const after = await openMany(IDLE_CONNECTIONS);
  for (const socket of sockets) socket.destroy();
  child.disconnect();
  return Math.round((after - before) / IDLE_CONNECTIONS);
}

const results = Object.fromEntries(frameworks.map(name => [name, { folder: install(name), starts: [] }]));
for (let round = 0; round < STARTS; round++)
  for (const [name, { folder, starts }] of Object.entries(results))
    starts.push(run(folder, name, 'start').microseconds);
for (const [name, result] of Object.entries(results)) {
  Object.assign(result, sizeOf(result.folder));
  result.start = median(result.starts) / 1000;
  result.perConnection = await memoryOfConnections(name, result.folder);
  result.routes = {};
  for (const count of name === 'bare' ? [] : ROUTES)
    result.routes[count] = run(result.folder, name, 'routes', String(count));
  delete result.folder;
  console.log(name, JSON.stringify(result));
}
fs.rmSync(home, { recursive: true });

const version = execFileSync(node, ['-v'], { encoding: 'utf8' }).trim();
const date = new Date().toISOString().slice(0, 10);
const row = cells => `| ${cells.join(' | ')} |`;
const headed = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const bare = results.bare?.start ?? 0;

const general = Object.entries(results).map(([name, { bytes, packages, start, perConnection }]) => [
  name,
  packages,
  (bytes / 2 ** 20).toFixed(1),
  name === 'bare' ? '–' : (start - bare).toFixed(0),
  perConnection,
]);
const routes = Object.entries(results).flatMap(([name, { routes: measured }]) =>
  Object.entries(measured).map(([count, costs]) => [
    name,
    Number(count).toLocaleString('en'),
    ...(costs === undefined
      ? ['–', '–', '–', '–']
      : [
          (costs.microseconds / 1000).toFixed(0),
          Math.round(costs.bytes / count),
          (costs.first / 1e6).toFixed(1),
          (costs.each / 1000).toFixed(1),
        ]),
  ]),
);
const report = `# Resources, Node ${version}, ${date}

What a framework costs besides requests, as npm installs it: its packages and their size; milliseconds of processor time until it
listens with one route, in production, beyond bare \`node:http\` (medians of ${STARTS} starts, in turn); bytes of heap for each of
${IDLE_CONNECTIONS.toLocaleString('en')} idle connections that have sent one request. Made by \`node proofs/bench/resources/run.mjs\`.

${headed(['', 'packages', 'MiB installed', 'ms to start', 'bytes per idle connection'], general)}

## Many routes

Routes \`/r0/:id\`, \`/r1/:id\`, …: milliseconds of processor time to register them and listen, bytes of heap for each after the first
request, milliseconds of the first request, and microseconds of a request for the last route afterwards, without a network.
A dash stands for what did not end within a minute.

${headed(['', 'routes', 'ms to build', 'bytes per route', 'ms of the first request', 'µs per request'], routes)}
`;
console.log(report);
if (!options.dry) {
  const name = new URL(`../results/resources-${date}-node${version.slice(1)}`, import.meta.url).pathname;
  fs.writeFileSync(`${name}.json`, `${JSON.stringify({ date, node: version, results }, null, 2)}\n`);
  fs.writeFileSync(`${name}.md`, report);
}
