/** Measures costs other than the time per request: time to load, memory, memory of idle connections, allocation. */
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { load } from './load.mjs';
import { median, start, tell } from './processes.mjs';

const hello = { path: '/json' };
const LOADS = 15;
const IDLE_CONNECTIONS = 10_000;
const LOAD_SECONDS = 3;
const CONNECTIONS = 16;

/** The module of each framework; bare is what the others load as well. */
const modules = {
  bare: 'node:http',
  ristretto: '../../packages/ristretto',
  ristretto5: '../../packages/ristretto5',
  express4: 'express4',
  express5: 'express5',
  fastify: 'fastify',
  hono: '@hono/node-server',
  koa: 'koa',
  polka: 'polka',
};

/** Returns the milliseconds that `require` takes in a fresh process, after Node's own http module was loaded. */
function timesToLoad(names, node) {
  const times = new Map(names.map(name => [name, []]));
  for (let round = 0; round < LOADS; round++) {
    for (const name of names) {
      const program = `require('node:http'); const before = performance.now(); require(${JSON.stringify(modules[name])}); console.log(performance.now() - before)`;
      const time = execFileSync(node, ['-e', program], { cwd: new URL('.', import.meta.url).pathname });
      times.get(name).push(Number(time));
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, Number(median(list).toFixed(1))]));
}

/** Opens connections that each send one request and stay open, a hundred at a time. */
async function keepConnections(port, wanted) {
  const sockets = [];
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /json HTTP/1.1\r\nHost: a\r\n\r\n'));
      sockets.push(socket);
      socket.once('data', resolve).once('error', reject);
    });
  while (sockets.length < wanted) await Promise.all(Array.from({ length: 100 }, open));
  return { count: sockets.length, close: () => sockets.forEach(socket => socket.destroy()) };
}

/** Returns heap bytes after a load, per idle connection, and allocated bytes per request. */
async function memoryOf(framework, node) {
  const server = await start(framework, 'json hello', node, ['--expose-gc']);
  const { child, port } = server;
  await load(port, hello, { seconds: LOAD_SECONDS }, CONNECTIONS);
  await tell(child, 'allocated');
  const count = await load(port, hello, { seconds: LOAD_SECONDS }, CONNECTIONS);
  const allocated = await tell(child, 'allocated');
  const { heapUsed: before } = await tell(child, 'memory');
  await tell(child, 'patience');
  const idle = await keepConnections(port, IDLE_CONNECTIONS);
  const { heapUsed: after } = await tell(child, 'memory');
  idle.close();
  child.disconnect();
  return {
    heapAfterLoad: before,
    perIdleConnection: Math.round((after - before) / idle.count),
    allocatedPerRequest: Math.round(allocated / count),
  };
}

/** Measures every framework that is loaded as a module. */
export async function measureResources(frameworks, node) {
  const names = frameworks.filter(name => name in modules);
  const load = timesToLoad(names, node);
  const resources = {};
  for (const name of names) {
    resources[name] = { timeToLoad: load[name], ...(await memoryOf(name, node)) };
    console.log('resources'.padEnd(28), name, JSON.stringify(resources[name]));
  }
  return resources;
}
