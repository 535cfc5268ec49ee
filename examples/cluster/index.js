/**
 * A worker for each core, on one port. `kill -HUP` replaces them one by one and loses no request, `kill -TERM` stops them.
 *
 *     WORKERS=4 PORT=3000 node examples/cluster [program]
 */
'use strict';
const cluster = require('node:cluster');
const { once } = require('node:events');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const COUNT = Number(process.env.WORKERS ?? os.availableParallelism());
/** Milliseconds until a worker has to listen, and until one that was told to stop has to have ended. */
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = Number(process.env.STOP_DELAY ?? 0) + 15_000;
/** A worker that ends sooner than this has crashed at the start; after so many of them in a row, nothing is left to try. */
const STEADY = 10_000;
const CRASHES = 5;

/** The workers that listen, and since when; and those that are to end. */
const running = new Map();
const leaving = new Set();
let crashes = 0;
let isStopping = false;
let restarting = Promise.resolve();

/** Starts a worker. Resolves when it listens; rejects when it has ended before, or had to be killed. */
function start() {
  return new Promise((resolve, reject) => {
    const worker = cluster.fork();
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), START_TIMEOUT);
    worker.once('listening', ({ port }) => {
      clearTimeout(timer);
      running.set(worker, performance.now());
      console.log(`worker ${worker.process.pid} listens on port ${port}`);
      resolve(worker);
    });
    worker.once('exit', (code, signal) => {
      clearTimeout(timer);
      const reason = `worker ${worker.process.pid} ended with ${signal ?? `code ${code}`}`;
      const since = running.get(worker);
      running.delete(worker);
      if (since === undefined) reject(new Error(`${reason} before it listened`));
      else if (!leaving.delete(worker)) replace(reason, performance.now() - since >= STEADY);
    });
  });
}

/** Starts another worker for one that has crashed. The pause before it doubles with each crash in a row. */
async function replace(reason, wasSteady = false) {
  crashes = wasSteady ? 1 : crashes + 1;
  if (isStopping) return;
  if (crashes >= CRASHES) {
    console.error(`${reason}: ${crashes} crashes in a row, so there is no use in another try`);
    process.exitCode = 1;
    stopAll();
    return;
  }
  const pause = 50 * 2 ** crashes;
  console.error(`${reason}, the next one starts in ${pause} ms`);
  await sleep(pause);
  if (!isStopping) await start().catch(error => replace(error.message));
}

/** Has a worker end, by force if it must be. */
async function stop(worker, signal) {
  if (worker.isDead()) return;
  leaving.add(worker);
  // Not worker.kill(), which disconnects the worker before the signal is sent.
  worker.process.kill(signal);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT);
  await once(worker, 'exit');
  clearTimeout(timer);
}

/** Replaces the workers one by one: each stops when the next one listens. If that one fails, the others stay. */
async function restart() {
  for (const old of [...running.keys()]) {
    if (isStopping) return;
    if (old.isDead()) continue;
    leaving.add(old);
    try {
      await start();
    } catch (error) {
      leaving.delete(old);
      if (old.isDead()) replace(error.message);
      else console.error(`${error.message}: the restart has ended, the old workers go on`);
      return;
    }
    await stop(old, 'SIGHUP');
  }
  console.log('all workers are replaced');
}

function stopAll() {
  isStopping = true;
  for (const worker of Object.values(cluster.workers)) stop(worker, 'SIGTERM');
}

cluster.setupPrimary({ exec: path.resolve(process.argv[2] ?? path.join(__dirname, 'worker.js')), args: [] });
process.on('SIGHUP', () => (restarting = restarting.then(restart)));
process.on('SIGTERM', stopAll);
process.on('SIGINT', stopAll);
for (let i = 0; i < COUNT; i++) start().catch(error => replace(error.message));
