/**
 * Visitors: requests the board at a steady rate, over connections that stay open for some requests, as browsers'
 * connections do. Each new connection goes to the next process of the board. Like a browser or nginx, it sends a GET once more if its connection broke before the response. Runs as its own process.
 */
import http from 'node:http';
import type { Load } from './state.js';

const PER_SECOND = 50;
/** A machine that is too slow for this rate gets fewer requests, instead of a queue that only grows. */
const AT_ONCE = 16;
const BROWSERS = 8;
/** Every so many requests, a browser leaves, and another one takes its place. */
const STAY = 25;
const TIMEOUT = 10_000;
const KEPT = 5 * PER_SECOND;
const PATHS = ['/api/posts?limit=5', '/api/posts?q=coffee', '/source/app.ts'];

const port = Number(process.argv[2]);
const browsers = Array.from(
  { length: BROWSERS },
  () => new http.Agent({ keepAlive: true, maxSockets: AT_ONCE / BROWSERS }),
);
const load: Load = { rate: 0, p50: 0, p99: 0, sent: 0, repeated: 0, lost: 0 };
/** Milliseconds of the last requests. */
const times: number[] = [];
let answered = 0;
let open = 0;

function get(path: string, over: http.Agent | false, isLast = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = isLast ? { Connection: 'close' } : {};
    const req = http.get({ port, path, agent: over, timeout: TIMEOUT, headers }, res => {
      res.once('end', () => resolve(res.statusCode ?? 0)).once('error', reject);
      res.resume();
    });
    req.once('error', reject).once('timeout', () => req.destroy(new Error('timeout')));
  });
}

async function visit(turn: number) {
  const path = PATHS[turn % PATHS.length]!;
  const began = performance.now();
  load.sent++;
  open++;
  try {
    const status = await get(path, browsers[turn % BROWSERS]!, turn % STAY === 0).catch(() => {
      load.repeated++;
      return get(path, false);
    });
    if (status !== 200) throw new Error(`status ${status}`);
    answered++;
    times.push(performance.now() - began);
    if (times.length > KEPT) times.shift();
  } catch {
    load.lost++;
  } finally {
    open--;
  }
}

let turn = 0;
let due = performance.now();
setInterval(() => {
  for (; due < performance.now(); due += 1000 / PER_SECOND) {
    if (open < AT_ONCE) void visit(turn++);
  }
}, 10);
setInterval(() => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  Object.assign(load, { rate: answered, p50: at(0.5), p99: at(0.99) });
  answered = 0;
  process.send?.(load);
}, 1000);
// The primary process has ended.
process.once('disconnect', () => process.exit());
