/** Slow clients, simulated by slowhttptest: slow headers, slow bodies, and readers that read a byte at a time. */
import { spawn } from 'node:child_process';
import net from 'node:net';
import { sleep, startProbe } from '../client.mjs';
import { MiB, start } from '../start.mjs';

/** Short enough for a test; Node's defaults are 60 and 300 seconds, checked every 30. */
const TIMEOUTS = { headersTimeout: 3000, requestTimeout: 5000, connectionsCheckingInterval: 500 };

/** Runs slowhttptest for this many seconds; resolves with the maximum number of connections it held. */
function attack(port, args, path, { connections, seconds }) {
  const all = [
    ...args,
    ...['-c', String(connections), '-r', String(Math.ceil(connections / 2)), '-l', String(seconds)],
    ...['-p', '3', '-u', `http://127.0.0.1:${port}${path}`],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('slowhttptest', all, { stdio: ['ignore', 'pipe', 'ignore'] });
    let most = 0;
    child.stdout.setEncoding('utf8').on('data', text => {
      for (const [, count] of text.matchAll(/connected:.*?(\d+)(?:\x1b|\s|$)/g))
        most = Math.max(most, Number(count));
    });
    child.on('error', reject);
    child.on('close', () => resolve(most));
  });
}

/** Our own client, slow in the same way; resolves with the seconds until it received a 408. */
function witness(port, head, every) {
  return new Promise(resolve => {
    const began = performance.now();
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(head));
    const timer = setInterval(() => socket.write(every), 500);
    socket.on('data', piece => (text += piece.toString('latin1')));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(timer);
      resolve(/^HTTP\/1\.1 408/.test(text) ? (performance.now() - began) / 1000 : NaN);
    });
    setTimeout(() => socket.destroy(), 20_000).unref();
  });
}

/** @param {{ title: string, goal: string, args: string[], path: string, slow?: [head: string, every: string], limit?: number }} kind */
const row = ({ title, goal, args, path, slow, limit }) => ({
  title,
  goal,
  async run(framework, { folder, scale }) {
    const server = await start(framework, folder, TIMEOUTS);
    const connections = Math.max(20, Math.round(1000 * scale));
    const seconds = Math.max(6, Math.round(20 * scale));
    await sleep(200);
    const before = await server.collect();
    const attacking = attack(server.port, args, path, { connections, seconds });
    const waiting = slow ? witness(server.port, ...slow) : undefined;
    const probe = startProbe(server.port);
    let peak = 0;
    const timer = setInterval(async () => {
      const figures = await server.figures().catch(() => undefined);
      peak = Math.max(peak, figures?.rss ?? 0);
    }, 500);
    await attacking;
    clearInterval(timer);
    const { p99, failed } = await probe.end();
    const told = await waiting;
    await server.end();
    const growth = Math.max(0, peak - before.rss) / MiB;
    const inTime = told === undefined || told <= limit;
    return {
      figures: `${told === undefined ? '' : `408 after ${told.toFixed(1)} s; `}probe p99 ${p99.toFixed(0)} ms, ${failed} failed; RSS + ${growth.toFixed(0)} MiB`,
      reached: inTime && p99 < 50 && failed === 0 && growth < 200,
    };
  },
});

export const slowHeaders = row({
  title: 'slow headers (slowhttptest -H, 1,000 sockets)',
  goal: '408 in time (3 s); probe p99 under 50 ms; memory bounded',
  args: ['-H', '-i', '1'],
  path: '/hello',
  slow: ['GET /hello HTTP/1.1\r\nHost: x\r\n', 'X-More: a\r\n'],
  limit: 4.5,
});
export const slowBody = row({
  title: 'slow body (slowhttptest -B, 1,000 sockets)',
  goal: '408 in time (5 s); probe p99 under 50 ms; memory bounded',
  args: ['-B', '-i', '1', '-s', '8192', '-x', '10', '-t', 'POST', '-f', 'application/json'],
  path: '/json',
  slow: [
    'POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8192\r\n\r\n',
    ' ',
  ],
  limit: 6.5,
});
export const slowRead = row({
  title: 'slow read (slowhttptest -X, 1,000 sockets)',
  goal: 'probe p99 under 50 ms; memory bounded',
  args: ['-X', '-w', '8', '-y', '16', '-n', '2', '-z', '4', '-k', '1'],
  path: '/static/large.txt',
});
