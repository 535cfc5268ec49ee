/** Updates the tables: runs each file of migrations/ once, in the order of their names. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log.js';
import type { Database, Sql } from './database.js';

const folder = new URL('../../migrations/', import.meta.url);
/** Milliseconds between two looks at the table of migrations, and between two attempts to reach the server. */
const PAUSE = 500;
/** Error codes that stop when PostgreSQL has started: system errors, and PostgreSQL's own 57P03. */
const AWAY = /^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P0)/;

/** Returns the names of the files that have not been run. */
async function missing(sql: Sql): Promise<string[]> {
  const done = new Set((await sql<{ name: string }>`select name from migrations`).map(({ name }) => name));
  return fs
    .readdirSync(folder)
    .sort()
    .filter(name => !done.has(name));
}

export const migrate = (db: Database) =>
  onceReachable(() =>
    db.migration(async ({ sql, script }) => {
      // Processes that start together take turns.
      await sql`select pg_advisory_xact_lock(7000)`;
      await script('create table if not exists migrations (name text primary key)');
      for (const name of await missing(sql)) {
        await script(fs.readFileSync(new URL(name, folder), 'utf8'));
        await sql`insert into migrations (name) values (${name})`;
      }
    }),
  );

/** Retries while PostgreSQL is unavailable, as the client of Redis does. The port is not open yet, so no requests arrive. */
async function onceReachable(work: () => Promise<void>): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      if (!AWAY.test(code) && !/timeout|terminated/.test(message)) throw error;
      if (isFirst) log.warn({ err: error }, 'PostgreSQL connection failed; trying again');
      await sleep(PAUSE);
    }
  }
}

/** Resolves when another process has run all migrations. This one may lack the rights to do so. */
export async function waitForMigrations({ sql }: Database): Promise<void> {
  const isThere = async () => {
    const [found] = await sql<{ name: string | null }>`select to_regclass('migrations')::text as name`;
    return found!.name !== null && (await missing(sql)).length === 0;
  };
  await onceReachable(async () => {
    while (!(await isThere())) await sleep(PAUSE);
  });
}
