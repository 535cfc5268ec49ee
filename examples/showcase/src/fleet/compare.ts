/**
 * Measures the same route on Ristretto and on Express: the processor time of the server for each request, in rounds that
 * take turns, so that other programs disturb both alike. Runs as its own process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './state.js';

const ROUNDS = 9;
const PER_ROUND = 4000;
const WARM_UP = 8000;
const CONNECTIONS = 8;
const REQUEST = 'GET /drinks/7?size=small HTTP/1.1\r\nHost: localhost\r\n\r\n';

type Framework = 'ristretto' | 'express';

async function startServer(framework: Framework) {
  const child = fork(fileURLToPath(new URL('./route.js', import.meta.url)), [framework], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${framework} is not installed.`);
  });
  // Nothing waits for this promise when the child is stopped on purpose.
  ended.catch(() => undefined);
  const next = async <T>() => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
    return message;
  };
  const { port } = await next<net.AddressInfo>();
  const used = () => {
    child.send('used');
    return next<number>();
  };
  return {
    /** Sends that many requests; resolves with the microseconds of processor time for each. */
    async measure(count: number): Promise<number> {
      const before = await used();
      const each = count / CONNECTIONS;
      await Promise.all(Array.from({ length: CONNECTIONS }, () => sendAll(port, each)));
      return ((await used()) - before) / count;
    },
    stop: () => child.kill(),
  };
}

/** Sends requests over one connection, each after the response to the one before. All responses have the same length. */
function sendAll(port: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    let length = 0;
    let received = 0;
    const socket = net.connect(port, '127.0.0.1', () => socket.write(REQUEST));
    socket.on('data', chunk => {
      length ||= chunk.length;
      received += chunk.length;
      if (received < length) return;
      received = 0;
      if (--left > 0) socket.write(REQUEST);
      else socket.end();
    });
    socket.once('error', reject).once('close', () => resolve());
  });
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function compare() {
  const [ristretto, express] = await Promise.all([startServer('ristretto'), startServer('express')]);
  await ristretto.measure(WARM_UP);
  await express.measure(WARM_UP);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let rounds = 1; rounds <= ROUNDS; rounds++) {
    ours.push(await ristretto.measure(PER_ROUND));
    theirs.push(await express.measure(PER_ROUND));
    const isRunning = rounds < ROUNDS;
    tell({ isRunning, rounds, ristretto: median(ours), express: median(theirs) });
  }
  ristretto.stop();
  express.stop();
}

const tell = (comparison: Comparison) => process.send?.(comparison);

// The primary process has ended.
process.once('disconnect', () => process.exit());
compare()
  .catch((error: unknown) => tell({ isRunning: false, rounds: 0, problem: String(error) }))
  .finally(() => process.disconnect());
