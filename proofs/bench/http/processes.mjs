/** Starts the servers of the benchmark, each in a separate process, on one core. */
import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import * as payload from './payloads.mjs';

const SERVER_CORE = '0';

/** The folder of the files that the scenarios serve and send. */
export const files = payload.makeFiles();

const tls = payload.makeCertificate(files);

const LOAD_CORE = '1';
const REDIS_PORT = 16_379;

let databaseUrl;

/** What scenarios need besides the server: why it can't be started here, if so, and a function that starts it, and returns one that stops it. */
export const services = {
  redis: {
    missing: () => (spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'needs redis-server'),
    start: startRedis,
  },
  postgres: {
    missing: () => testServers().missingPostgres(),
    async start() {
      const { postgres, databaseUrl: url } = await testServers().startPostgres();
      execFileSync('taskset', ['-apc', LOAD_CORE, String(postgres.pid)], { stdio: 'ignore' });
      const schema = new URL('../arena/ristretto/items.sql', import.meta.url);
      execFileSync('psql', ['--quiet', '--file', schema.pathname, url]);
      databaseUrl = url;
      return () => postgres.stop();
    },
  },
};

/** @returns {typeof import('../../../examples/test/servers')} */
function testServers() {
  const require = createRequire(import.meta.url);
  require('../../../scripts/typescript.cjs');
  return require('../../../examples/test/servers.ts');
}

async function startRedis() {
  const options = ['--port', String(REDIS_PORT), '--save', '', '--bind', '127.0.0.1'];
  const child = spawn('taskset', ['-c', LOAD_CORE, 'redis-server', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  // Servers that connect earlier are refused.
  await new Promise((resolve, reject) => {
    child.stdout.on('data', text => /ready to accept connections/i.test(String(text)) && resolve());
    child.on('exit', code => reject(new Error(`redis-server ended with ${code}`)));
  });
  return async () => {
    child.kill();
    await exited;
  };
}

/** Starts a server. @param {string} node the binary @param {string[]} flags for Node */
export function start(framework, scenario, path, node, flags = []) {
  const description = JSON.stringify({
    framework,
    scenario,
    path,
    files,
    payload: {
      text: payload.text,
      viewLocals: payload.viewLocals,
      page: payload.page,
      users: payload.users,
      items: payload.items,
      tls,
      redisPort: REDIS_PORT,
      databaseUrl,
    },
  });
  const child = fork(new URL('server.cjs', import.meta.url).pathname, [description], {
    execPath: node,
    execArgv: flags,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  execFileSync('taskset', ['-apc', SERVER_CORE, String(child.pid)], { stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve({ framework, child, port }));
    child.once('exit', code => reject(new Error(`${framework} for '${scenario}' ended with ${code}`)));
  });
}

/**
 * Asks a server about itself: `'processor time'` in nanoseconds, `'allocated'` bytes since the last question; or has it receive
 * requests from memory, `{ text, requests }`, and returns the nanoseconds of each.
 */
export function tell(child, question) {
  child.send(question);
  return new Promise(resolve => child.once('message', resolve));
}

/** Returns the value below which a share of the numbers lies: 0.5 gives the median. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export const median = numbers => quantile(numbers, 0.5);
