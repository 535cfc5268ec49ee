/**
 * The whole site: PostgreSQL and Redis once, and for each set of proofs nginx with the given number of board processes.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/test-files.mjs';
import { makeBoard } from './board.mjs';
import { startNginx } from './nginx.mjs';

const require = createRequire(import.meta.url);
require('../../scripts/typescript.cjs');
/** @type {typeof import('../../examples/test/servers')} */
export const servers = require('../../examples/test/servers.ts');
/** @type {typeof import('../../examples/test/showcase')} */
const { temporaryFolder } = require('../../examples/test/showcase.ts');
const showcase = createRequire(path.join(root, 'examples/showcase/package.json'));

export const password = 'correct horse battery';
const MEMBERS = 3;

/** @typedef {Awaited<ReturnType<typeof openServices>>} Services */
/** @typedef {Awaited<ReturnType<typeof startSite>>} Site */

// Lost connections are expected here.
process.env.LOG_LEVEL ??= 'silent';

/** Starts PostgreSQL and Redis, creates the tables and some members. */
export async function openServices() {
  const folder = temporaryFolder();
  const { postgres, redis, ...urls } = await servers.startServers();
  const built = (/** @type {string} */ name) =>
    import(pathToFileURL(path.join(root, `examples/showcase/dist/${name}.js`)).href);
  const [{ openDatabase }, { migrate }, { makeUsers }] = await Promise.all(
    ['services', 'data/migrate', 'data/users'].map(built),
  );
  const db = await openDatabase(urls);
  await migrate(db);
  const users = makeUsers(db);
  const names = Array.from({ length: MEMBERS }, (_, n) => `Member${n}`);
  await Promise.all(names.map(name => users.add(name, password)));
  const limits = await keepLimitsAway(urls.redisUrl);
  return {
    ...{ folder, postgres, redis, urls, names },
    /** @type {<Row>(text: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>} */
    sql: db.sql,
    /** Without the time limits of requests. */
    migration: db.migration,
    /** Returns the id of the newest event. @returns {Promise<number>} */
    lastEvent: async () => (await db.sql`select coalesce(max(id), 0) as id from events`)[0].id,
    /** @returns {Promise<string>} */
    redisDirectory: async () => (await limits.client.configGet('dir')).dir,
    forgetRedis: () => limits.client.flushAll(),
    async close() {
      limits.close();
      await db.close();
      await Promise.all([postgres.stop(), redis.stop('SIGTERM')]);
    },
  };
}

/** Keeps rate limits from applying: all load comes from one address and a few members. */
async function keepLimitsAway(/** @type {string} */ url) {
  const client = showcase('redis').createClient({ url, disableOfflineQueue: true });
  client.on('error', () => undefined); // Redis is restarted on purpose
  await client.connect();
  const clear = async () => {
    const keys = await client.keys('limit:*');
    if (keys.length > 0) await client.del(keys);
  };
  const timer = setInterval(() => clear().catch(() => undefined), 500);
  return {
    client,
    close() {
      clearInterval(timer);
      client.destroy();
    },
  };
}

/**
 * Starts nginx and the processes.
 * @param {Services} services
 * @param {{ count: number, env?: (index: number) => NodeJS.ProcessEnv, nginx?: [RegExp, string][] }} options what a
 * fault changes
 */
export async function startSite({ folder, urls }, { count, env = () => ({}), nginx: fault }) {
  const home = fs.mkdtempSync(path.join(folder, 'site-'));
  const [port = 0, plainPort = 0, ...upstreams] = await servers.freePorts(count + 2);
  const { databaseUrl, redisUrl } = urls;
  const boards = upstreams.map((each, index) =>
    makeBoard({
      port: each,
      log: path.join(home, `board-${index}.log`),
      env: { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...env(index) },
    }),
  );
  const stop = () => Promise.all(boards.map(board => board.stop('SIGKILL')));
  try {
    await Promise.all(boards.map(board => board.start()));
    const nginx = await startNginx({ folder: path.join(home, 'nginx'), port, plainPort, upstreams, fault });
    return {
      ...{ port, plainPort, boards, nginx },
      async close() {
        await nginx.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
