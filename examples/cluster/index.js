/**
 * One worker for each core, on one port. `kill -TERM` stops the workers, and `kill -HUP` replaces them one by one
 * without losing a request.
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
/** Milliseconds within which a worker must start listening, and a stopped worker must exit. */
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = Number(process.env.STOP_DELAY ?? 0) + 15_000;
/** A worker that exits within STEADY milliseconds has crashed on startup; after CRASHES of these the cluster stops. */
const STEADY = 10_000;
const CRASHES = 5;

/** The workers that listen, with the time when they started listening, and those that are being stopped. */
const running = new Map();
const leaving = new Set();
let crashes = 0;
let isStopping = false;
let restarting = Promise.resolve();

/** Starts a worker. Resolves when it listens; rejects if it exits first, or had to be killed. */
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

/** Replaces a worker that has crashed. The delay before the restart doubles with each crash in a row. */
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

/** Stops a worker, by force if it does not exit in time. */
async function stop(worker, signal) {
  if (worker.isDead()) return;
  leaving.add(worker);
  // worker.kill() would disconnect the worker before sending the signal.
  worker.process.kill(signal);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT);
  await once(worker, 'exit');
  clearTimeout(timer);
}

/**
 * Replaces the workers one by one: each stops once its replacement listens. If a replacement fails, the remaining
 * workers stay.
 */
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
