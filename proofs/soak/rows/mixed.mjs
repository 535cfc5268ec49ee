/** Mixed requests for ten minutes, one in twenty aborted: neither the heap nor the response times grow. */
import http from 'node:http';
import { breakOff, percentile, request, sleep } from '../client.mjs';
import { MiB, start } from '../start.mjs';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BODY = JSON.stringify({ users: Array.from({ length: 20 }, (_, i) => ({ id: i, name: `name ${i}` })) });

/** The requests, sent in turn; they include errors if the framework survives them. */
const REQUESTS = [
  ['/hello'],
  ['/users/7/posts/12'],
  ['/search?q=coffee&page=2'],
  ['/json', { headers: JSON_TYPE, body: BODY }],
  ['/form', { headers: FORM, body: 'name=ada&language=analytical' }],
  ['/static/small.txt'],
  ['/file', { method: 'POST', body: Buffer.alloc(20_000) }],
  ['/gzip/small.txt', { headers: { 'Accept-Encoding': 'gzip' } }],
  ['/hello', { headers: { 'If-None-Match': '*' } }],
  ['/raw', { headers: { 'Content-Type': 'application/octet-stream' }, body: Buffer.alloc(5000) }],
];
const ERRORS = [
  ['/throw'],
  ['/param/bad'],
  ['/nothing-here'],
  ['/json', { headers: JSON_TYPE, body: '{"broken' }],
];

const BROKEN_OFF = [
  ['GET /static/large.txt HTTP/1.1\r\nHost: x\r\n\r\n', 1000],
  ['GET /gzip/large.txt HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n', 1000],
  [
    'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 9999\r\n\r\nabc',
    0,
  ],
  ['POST /file HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\nabc', 0],
];

/** Returns the heap growth in MiB per minute, by least squares. */
function slope(/** @type {{ minute: number, heap: number }[]} */ samples) {
  const mean = key => samples.reduce((sum, each) => sum + each[key], 0) / samples.length;
  const [minute, heap] = [mean('minute'), mean('heap')];
  const covariance = samples.reduce((sum, each) => sum + (each.minute - minute) * (each.heap - heap), 0);
  return covariance / samples.reduce((sum, each) => sum + (each.minute - minute) ** 2, 0) / MiB;
}

/** One client: sends requests with short pauses, and aborts some of them. */
async function ask(server, index, until, times, counts) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const all = server.framework === 'bare http' ? REQUESTS : [...REQUESTS, ...ERRORS];
  for (let i = index; Date.now() < until; i++) {
    if (i % 20 === 0) {
      const [bytes, after] = BROKEN_OFF[(i / 20) % BROKEN_OFF.length];
      await breakOff(server.port, bytes, after);
    } else {
      const [path, options] = all[i % all.length];
      const began = performance.now();
      const { status } = await request(server.port, path, { ...options, agent });
      if (path === '/hello') times.push({ at: Date.now(), took: performance.now() - began });
      counts.all++;
      if (status === 0) counts.failed++;
    }
    await sleep(5);
  }
  agent.destroy();
}

export const soak = {
  title: 'soak (10 minutes, mixed routes, 5 % aborts)',
  goal: 'heap slope under 0.1 MiB/min after minute 2; p99 drift under 10 %',
  together: true,
  async run(framework, { folder, scale }) {
    const server = await start(framework, folder);
    const began = Date.now();
    const length = Math.max(20_000, 600_000 * scale);
    const settledAt = began + length / 5;
    const times = [];
    const counts = { all: 0, failed: 0 };
    const working = Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(server, index * 7, began + length, times, counts)),
    );
    const samples = [];
    while (Date.now() < began + length - 1000) {
      await sleep(Math.min(10_000, length / 20));
      const { heapUsed } = await server.collect();
      if (Date.now() > settledAt) samples.push({ minute: (Date.now() - began) / 60_000, heap: heapUsed });
    }
    await working;
    await sleep(500);
    const { descriptors, temporary } = await server.figures();
    await server.end();
    const middle = (settledAt + began + length) / 2;
    const p99 = half =>
      percentile(
        half.map(({ took }) => took),
        0.99,
      );
    const first = p99(times.filter(({ at }) => at > settledAt && at <= middle));
    const second = p99(times.filter(({ at }) => at > middle));
    const drift = (second / first - 1) * 100;
    const grows = slope(samples);
    return {
      figures: `heap ${grows >= 0 ? '+' : ''}${grows.toFixed(3)} MiB/min; p99 of /hello ${first.toFixed(1)} then ${second.toFixed(1)} ms (${drift >= 0 ? '+' : ''}${drift.toFixed(0)} %); ${counts.all} requests, ${counts.failed} failed; ${descriptors} descriptors, ${temporary} temporary files`,
      reached: grows < 0.1 && drift < 10 && counts.failed === 0,
    };
  },
};
