// runs: each
/**
 * The bytes that a request allocates for each layer, router and handler that it passes, and for its response: closures and
 * arrays that a change adds to the hot path show nowhere else. The bounds hold on all versions of Node, in compiled code
 * and before.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import web from 'ristretto';

v8.setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const WARM_UP = 300;
const REQUESTS = 200;
const ROUNDS = 4;
const ATTEMPTS = 6;
/** How many of a thing the application has that is compared with one that has none. */
const COUNT = 20;

/** The bytes allocated between the first and the last collection of a profile. */
function allocatedIn({ statistics }: ReturnType<v8.GCProfiler['stop']>): number {
  let bytes = 0;
  for (let i = 1; i < statistics.length; i++) {
    const left = statistics[i - 1]!.afterGC.heapStatistics.usedHeapSize;
    bytes += statistics[i]!.beforeGC.heapStatistics.usedHeapSize - left;
  }
  return bytes;
}

interface Handling {
  handle(req: object, res: object, done: () => void): void;
}

type Build = (app: web.Application, count: number, handler: () => void) => string;

/** Returns the bytes that a request allocates on its way to the handler: the least of several rounds. */
function bytesOf(build: Build, count: number): number {
  const app = web().disable('x-powered-by');
  const { request, response } = app;
  let arrived = 0;
  const handler = () => void arrived++;
  const path = build(app, count, handler);
  app.get(path, handler);
  const receive = (requests: number) => {
    for (let i = 0; i < requests; i++) {
      const req = Object.assign(Object.create(request) as object, { method: 'GET', url: path });
      (app as unknown as Handling).handle(req, Object.create(response) as object, assert.fail);
    }
  };
  receive(WARM_UP);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const profiler = new v8.GCProfiler();
    profiler.start();
    collect();
    receive(REQUESTS);
    collect();
    rounds.push(allocatedIn(profiler.stop()) / REQUESTS);
  }
  assert.equal(arrived, WARM_UP + ROUNDS * REQUESTS);
  return Math.min(...rounds);
}

/** Returns the bytes for each of several. @param build adds `count` of them; returns the path to request */
function bytesOfEach(build: Build): number {
  return (bytesOf(build, COUNT) - bytesOf(build, 0)) / COUNT;
}

/**
 * Asserts that each of several allocates at most this many bytes. Other allocations, such as those of the compiler, can
 * fall into one measurement, so it is repeated if it is above the bound.
 */
function allocates(bound: number, build: Build): void {
  const bytes: number[] = [];
  while (bytes.length < ATTEMPTS && !(bytes.at(-1)! <= bound)) bytes.push(bytesOfEach(build));
  assert.ok(bytes.at(-1)! <= bound, `${bytes.map(Math.round).join(', ')} bytes, more than ${String(bound)}`);
}

describe('allocations', () => {
  it('middleware: allocates only its req.params', () => {
    allocates(40, (app, count) => {
      for (let i = 0; i < count; i++) app.use((_req, _res, next) => next());
      return '/';
    });
  });

  it('layer of another path: allocates nothing', () => {
    allocates(12, (app, count) => {
      for (let i = 0; i < count; i++) app.use(/^\/other/, (_req, _res, next) => next());
      return '/';
    });
  });

  it('handler of a route: allocates nothing', () => {
    allocates(12, (app, count) => {
      const pass: web.RequestHandler = (_req, _res, next) => next();
      // With a single handler, a route runs no stack
      const handlers = Array.from({ length: count + 2 }, () => pass);
      app.get('/', ...handlers);
      return '/';
    });
  });

  it('nested router: allocates its walk, its next, and the URLs of its mount path', () => {
    allocates(475, (app, count, handler) => {
      let router = web.Router();
      router.get('/', handler);
      for (let i = 0; i < count; i++) {
        const outer = web.Router();
        outer.use('/a', router);
        router = outer;
      }
      app.use(router);
      return '/' + 'a/'.repeat(count);
    });
  });

  it('parameter: allocates its text and its place in req.params', () => {
    allocates(80, (app, count, handler) => {
      const names = Array.from({ length: count }, (_, i) => `/:p${String(i)}`);
      app.get(names.join('') || '/', handler);
      return '/x'.repeat(count) || '/';
    });
  });

  it('res.json: a request allocates no more than with node:http alone', () => {
    // In a process of its own, because the responses of all servers are recorded and checked in this one.
    const connection = join(__dirname, '../../../../proofs/bench/http/memory-connection.cjs');
    const program = `
      const { createServer } = require('node:http');
      const { GCProfiler } = require('node:v8');
      const { allocated, connect, receive } = require(${JSON.stringify(connection)});
      const web = require('ristretto');
      const app = web();
      app.get('/', (_req, res) => res.json({ hello: 'world' }));
      const bare = (_req, res) => {
        res.setHeader('Content-Type', 'application/json; charset=utf-8');
        res.end(JSON.stringify({ hello: 'world' }));
      };
      const measure = async listener => {
        const server = createServer(listener);
        let connection = connect(server);
        const send = requests =>
          new Promise(resolve => receive(connection, 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', requests, resolve));
        // The application learns of its server by the first request.
        await send(10);
        connection = connect(server);
        await send(3000);
        const rounds = [];
        for (let round = 0; round < 3; round++) {
          const profiler = new GCProfiler();
          profiler.start();
          gc();
          await send(1000);
          gc();
          rounds.push(allocated(profiler.stop()) / 1000);
        }
        return Math.min(...rounds);
      };
      measure(app).then(async ours => console.log(JSON.stringify([ours, await measure(bare)])));`;
    const options = process.env.NODE_OPTIONS?.replace(/--require \S*lint-response\S*/, '');
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: options };
    const { stdout } = spawnSync(process.execPath, ['--expose-gc', '-e', program], {
      cwd: __dirname,
      env,
      encoding: 'utf8',
    });
    const [ours, alone] = JSON.parse(stdout) as [number, number];
    assert.ok(ours <= alone, `${String(ours)} bytes, ${String(alone)} with node:http alone`);
  });
});
