/**
 * Compares `app.ws` with `ws` alone: memory of an idle socket, and processor time of an echo. Also compares requests for a page
 * of applications with and without a route of `app.ws`. Each server is a process of its own, and their turns alternate.
 *
 *     node proofs/bench/websocket/run.mjs --sockets=10000 --bursts=30 --messages=20000 --requests=20000
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../../../scripts/options.cjs';
import { connect, echo as echoed, exchange, frame } from './sockets.mjs';

const { values: options } = readOptions({
  sockets: { type: 'string', default: '10000' },
  bursts: { type: 'string', default: '30' },
  messages: { type: 'string', default: '20000' },
  requests: { type: 'string', default: '20000' },
  snapshot: { type: 'boolean', default: false },
});
const KINDS = ['ws', 'ristretto'];
const CLIENTS = 50;
/** Connections that are opened at once. */
const AT_ONCE = 200;
async function start(kind) {
  const child = fork(path.join(import.meta.dirname, 'server.cjs'), [kind], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [{ port }] = await once(child, 'message');
  return { kind, child, port };
}

async function ask({ child }, what) {
  child.send(what);
  const [reply] = await once(child, 'message');
  return reply;
}

async function connectAll(server, count) {
  const sockets = [];
  while (sockets.length < count) {
    const few = Math.min(AT_ONCE, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: few }, (_, i) => connect(server.port, '/', i)))));
  }
  return sockets;
}

/** Bytes for each idle socket. */
async function memory(kind, count) {
  const server = await start(kind);
  // The first sockets load and compile code.
  const first = await connectAll(server, 200);
  await sleep(500);
  const before = await ask(server, 'memory');
  const sockets = await connectAll(server, count);
  await sleep(1500);
  if (options.snapshot) console.log(await ask(server, 'snapshot'));
  const after = await ask(server, 'memory');
  for (const socket of [...first, ...sockets]) socket.destroy();
  server.child.kill();
  return {
    heap: (after.heapUsed - before.heapUsed) / count,
    rss: (after.rss - before.rss) / count,
  };
}

const PAGE = 'GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const sorted = list => list.toSorted((a, b) => a - b);
const quantile = (list, share) => sorted(list)[Math.floor(list.length * share)];
const median = list => quantile(list, 0.5);
const spread = list => {
  const [middle, low, high] = [0.5, 0.25, 0.75].map(share => quantile(list, share).toFixed(3));
  return `${middle} (${low} to ${high})`;
};

/** Processor time of the servers for each exchange, in turn, so that what changes on the machine affects all. */
async function compare(servers, clients, load) {
  const measured = servers.map(() => []);
  for (let round = 0; round < Number(options.bursts) + 3; round++) {
    const order = [0, 1, 2].map(i => (i + round) % 3);
    const costs = [];
    for (const i of order) {
      const { time: before } = await ask(servers[i], 'time');
      await exchange(clients[i], load);
      const { time: after } = await ask(servers[i], 'time');
      costs[i] = (after - before) / load.times;
    }
    if (round >= 3) costs.forEach((cost, i) => measured[i].push(cost));
  }
  for (const { child } of servers) child.kill();
  for (const socket of clients.flat()) socket.destroy();
  return {
    costs: measured.map(median),
    ratios: measured.map(list => spread(measured[0].map((cost, round) => cost / list[round]))),
  };
}

async function echo() {
  const servers = [];
  for (const kind of [...KINDS, 'ws']) servers.push(await start(kind));
  const clients = [];
  for (const server of servers) clients.push(await connectAll(server, CLIENTS));
  const load = { sent: frame, reply: echoed.length, times: Number(options.messages) };
  const { costs, ratios } = await compare(servers, clients, load);
  console.log(
    `echo: ws ${costs[0].toFixed(2)} µs, app.ws ${costs[1].toFixed(2)} µs; rate of app.ws / ws ${ratios[1]}, of another ws / ws ${ratios[2]}`,
  );
}

/** Requests that ask for no socket. */
async function pages() {
  const servers = [];
  for (const kind of ['page', 'ristretto', 'page']) servers.push(await start(kind));
  const clients = servers.map(({ port }) =>
    Array.from({ length: CLIENTS }, () => net.connect(port, '127.0.0.1')),
  );
  const [[first]] = clients;
  first.write(PAGE);
  const [{ length: reply }] = await once(first, 'data');
  const load = { sent: PAGE, reply, times: Number(options.requests) };
  const { costs, ratios } = await compare(servers, clients, load);
  console.log(
    `page: without app.ws ${costs[0].toFixed(2)} µs, with ${costs[1].toFixed(2)} µs; rate with / without ${ratios[1]}, of another without ${ratios[2]}`,
  );
}

const count = Number(options.sockets);
if (count > 0) {
  const seen = {};
  for (const kind of KINDS) seen[kind] = await memory(kind, count);
  for (const what of ['heap', 'rss']) {
    const [ws, own] = KINDS.map(kind => seen[kind][what]);
    console.log(
      `${what} of each of ${count} idle sockets: ws ${ws.toFixed(0)} bytes, app.ws ${own.toFixed(0)}; ratio ${(own / ws).toFixed(2)}`,
    );
  }
}
if (Number(options.bursts) > 0) {
  if (Number(options.messages) > 0) await echo();
  if (Number(options.requests) > 0) await pages();
}
process.exit();
