/**
 * Load for the comparison under overload, and for `npm run scale -- --only overload`: requests at a fixed rate, or from
 * connections that never wait, with health checks from a thread of their own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createConnection } from 'node:net';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const SERVER = fileURLToPath(new URL('server.cjs', import.meta.url));
/** Milliseconds at the start of each load that are not counted. */
const WARM_UP = 2000;
/** A request that takes longer has failed, as clients would see it. */
const PATIENCE = 10_000;
/** Milliseconds of a tick in /proc. */
const TICK = 10;

/**
 * On Linux, this process stays on the first core and servers get the last one. Otherwise, how fast a server is would
 * depend on how busy the load generator is, which is least while the capacity is measured.
 */
const pinned =
  process.platform === 'linux' &&
  os.availableParallelism() > 1 &&
  spawnSync('taskset', ['-acp', '0', String(process.pid)]).status === 0;
const command = pinned
  ? ['taskset', '-c', String(os.cpus().length - 1), process.execPath]
  : [process.execPath];

/** Starts a server of server.cjs, and stops it when `use` is done. */
export async function useServer(kind, use) {
  const server = await startServer(kind);
  try {
    return await use(server);
  } finally {
    server.stop();
  }
}

async function startServer(kind) {
  const [program, ...args] = command;
  const child = spawn(program, [...args, SERVER, kind], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return {
    port: Number(line),
    /** Returns the milliseconds of the processor that it has used; NaN where there is no /proc. */
    processorTime() {
      try {
        const fields = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
        return (Number(fields[11]) + Number(fields[12])) * TICK;
      } catch {
        return NaN;
      }
    },
    stop: () => child.kill('SIGKILL'),
  };
}

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
      this.timer = setTimeout(() => {
        this.socket.destroy();
        this.finish(0);
      }, PATIENCE);
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
  /** Responses with 200 in the time that counts, and the milliseconds that those to requests of this time took. */
  served = 0;
  accepted = [];
  rejected = 0;
  failed = 0;
  health = [];

  constructor(server, seconds) {
    this.seconds = seconds;
    this.since = performance.now() + WARM_UP;
    this.until = this.since + seconds * 1000;
    setTimeout(() => (this.used = -server.processorTime()), WARM_UP);
    setTimeout(() => (this.used += server.processorTime()), WARM_UP + seconds * 1000);
  }

  /** Responses with 200 in a second. */
  get goodput() {
    return this.served / this.seconds;
  }

  /** The same for each second of the processor that the server has used. */
  get efficiency() {
    return this.served / (this.used / 1000);
  }

  /** Returns the milliseconds within which a share of the accepted requests, or of the health checks, had a response. */
  rank(share, values = this.accepted) {
    return values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
  }

  note(status, began) {
    const now = performance.now();
    // A server that rejects nothing responds to most requests when the load is over.
    if (status === 200 && now >= this.since && now <= this.until) this.served++;
    if (began < this.since || began > this.until) return;
    if (status === 200) this.accepted.push(now - began);
    else if (status === 503) this.rejected++;
    else this.failed++;
  }
}

/** Asks for the health in a thread of its own, which is not delayed by the load. */
async function probe(port, record) {
  const { until } = record;
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
export async function closedLoop(server, count, seconds) {
  const { port } = server;
  const record = new Record(server, seconds);
  const { until } = record;
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
  await Promise.all([probe(port, record), ...Array.from({ length: count }, client)]);
  return record;
}

/** Requests at a fixed rate, whether or not earlier ones have been responded to. */
export async function openLoop(server, rate, seconds) {
  const { port } = server;
  const record = new Record(server, seconds);
  const { until } = record;
  const start = performance.now();
  const idle = [];
  const running = new Set();
  let sent = 0;
  const send = began => {
    let connection = idle.shift();
    // The server closes connections that have been idle for too long.
    while (connection?.socket.closed) connection = idle.shift();
    connection ??= new Connection(port);
    const request = connection.send('/page').then(status => {
      record.note(status, began);
      running.delete(request);
      if (status !== 0) idle.push(connection);
    });
    running.add(request);
  };
  const health = probe(port, record);
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

if (!isMainThread) parentPort.postMessage(await askForHealth(workerData.port, workerData.duration));
