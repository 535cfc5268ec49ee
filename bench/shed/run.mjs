/**
 * Servers under three times their capacity, and under 800 connections that never wait: how much they still deliver, how
 * long accepted requests take, and how long health checks do.
 *
 *     npm --prefix bench ci && node bench/shed/run.mjs [--seconds=15] [kind …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const SERVER = fileURLToPath(new URL('server.cjs', import.meta.url));
const KINDS = ['bare', 'express', 'fastify with under-pressure', 'ristretto', 'ristretto with web.shed'];
const args = process.argv.slice(2);
const SECONDS = Number(args.find(arg => arg.startsWith('--seconds='))?.slice(10) ?? 15);
const chosen = args.filter(arg => !arg.startsWith('--'));
/** Milliseconds at the start of each load that are not counted. */
const WARM_UP = 2000;
const CONNECTIONS = 800;
/** A request that takes longer has failed, as clients would see it. */
const PATIENCE = 10_000;

/** One keep-alive connection with one request at a time. */
class Connection {
  constructor(port) {
    this.text = '';
    this.socket = createConnection(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.setEncoding('latin1');
    this.socket.on('data', data => this.read(data));
    for (const event of ['error', 'close']) this.socket.on(event, () => this.finish(0));
  }

  send(path) {
    return new Promise(resolve => {
      this.resolve = resolve;
      this.timer = setTimeout(() => this.socket.destroy(), PATIENCE);
      this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  }

  read(data) {
    this.text += data;
    const end = this.text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.text)?.[1] ?? 0);
    if (this.text.length < end + 4 + length) return;
    const status = Number(this.text.slice(9, 12));
    this.text = '';
    this.finish(status);
  }

  finish(status) {
    clearTimeout(this.timer);
    const { resolve } = this;
    this.resolve = undefined;
    resolve?.(status);
  }
}

class Record {
  accepted = [];
  rejected = 0;
  failed = 0;
  health = [];
  since = performance.now() + WARM_UP;

  note(status, began) {
    if (began < this.since) return;
    if (status === 200) this.accepted.push(performance.now() - began);
    else if (status === 503) this.rejected++;
    else this.failed++;
  }
}

/** Asks for the health in a thread of its own, which is not delayed by the load. */
async function probe(port, record, until) {
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { port, duration: until - performance.now() },
    stdout: false,
  });
  const [times] = await once(worker, 'message');
  record.health = times.slice(WARM_UP / 100);
}

/** Asks for the health on a new connection ten times a second. Returns how long the responses took. */
async function askForHealth(port, duration) {
  const until = performance.now() + duration;
  const probes = [];
  while (performance.now() < until) {
    const began = performance.now();
    const connection = new Connection(port);
    probes.push(
      connection.send('/livez').then(status => {
        connection.socket.destroy();
        return status === 200 ? performance.now() - began : PATIENCE;
      }),
    );
    await sleep(100);
  }
  return Promise.all(probes);
}

/** A number of connections that send the next request as soon as they have the response to the last one. */
async function closedLoop(port, count) {
  const record = new Record();
  const until = performance.now() + WARM_UP + SECONDS * 1000;
  const client = async () => {
    let connection = new Connection(port);
    while (performance.now() < until) {
      const began = performance.now();
      const status = await connection.send('/page');
      record.note(status, began);
      if (status === 0) connection = new Connection(port);
    }
    connection.socket.destroy();
  };
  await Promise.all([probe(port, record, until), ...Array.from({ length: count }, client)]);
  return record;
}

/** Requests at a fixed rate, whether or not earlier ones have been responded to. */
async function openLoop(port, rate) {
  const record = new Record();
  const start = performance.now();
  const until = start + WARM_UP + SECONDS * 1000;
  const idle = [];
  const running = new Set();
  let sent = 0;
  const send = began => {
    const connection = idle.pop() ?? new Connection(port);
    const request = connection.send('/page').then(status => {
      record.note(status, began);
      running.delete(request);
      if (status !== 0) idle.push(connection);
    });
    running.add(request);
  };
  const health = probe(port, record, until);
  for (let now = start; now < until; now = performance.now()) {
    for (const due = ((now - start) / 1000) * rate; sent < due; sent++) {
      send(start + (sent / rate) * 1000);
    }
    await sleep(1);
  }
  await health;
  await Promise.all(running);
  for (const { socket } of idle) socket.destroy();
  return record;
}

const rank = (values, share) => values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
const show = value => (value === undefined ? 'none' : String(Math.round(value)));

function row(name, record, peak) {
  const goodput = record.accepted.length / SECONDS;
  const share = peak === undefined ? '' : `${Math.round((goodput / peak) * 100)} %`;
  const cells = [
    name,
    show(goodput),
    share,
    show(rank(record.accepted, 0.5)),
    show(rank(record.accepted, 0.99)),
    show(record.rejected / SECONDS),
    record.failed,
    show(rank(record.health, 0.5)),
    show(rank(record.health, 1)),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  return goodput;
}

if (!isMainThread) parentPort.postMessage(await askForHealth(workerData.port, workerData.duration));

const kinds = chosen.length > 0 ? chosen : KINDS;
for (const kind of isMainThread ? kinds : []) {
  const server = spawn(process.execPath, [SERVER, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(server.stdout, 'data');
    const port = Number(line);
    console.log(`\n**${kind}**\n`);
    console.log(
      '| load | 200/s | of peak | p50 | p99 | 503/s | failed | health p50 | health max |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    );
    row('one at a time', await closedLoop(port, 1));
    const peak = row('peak (40 connections)', await closedLoop(port, 40));
    row('three times the peak', await openLoop(port, peak * 3), peak);
    row(`${CONNECTIONS} connections`, await closedLoop(port, CONNECTIONS), peak);
  } finally {
    server.kill('SIGKILL');
  }
}
