/** Updates the tables: runs each file of migrations/ once, in the order of their names. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Sql } from './database.js';

const folder = new URL('../../migrations/', import.meta.url);
/** Milliseconds between two looks at the table of migrations. */
const PAUSE = 500;

/** Returns the names of the files that have not been run. */
async function missing(sql: Sql): Promise<string[]> {
  const done = new Set((await sql<{ name: string }>`select name from migrations`).map(({ name }) => name));
  return fs
    .readdirSync(folder)
    .sort()
    .filter(name => !done.has(name));
}

export async function migrate(db: Database): Promise<void> {
  await db.migration(async ({ sql, script }) => {
    // Processes that start together take turns.
    await sql`select pg_advisory_xact_lock(7000)`;
    await script('create table if not exists migrations (name text primary key)');
    for (const name of await missing(sql)) {
      await script(fs.readFileSync(new URL(name, folder), 'utf8'));
      await sql`insert into migrations (name) values (${name})`;
    }
  });
}

/** Resolves when another process has run all migrations. This one may lack the rights to do so. */
export async function waitForMigrations({ sql }: Database): Promise<void> {
  const isThere = async () => {
    const [found] = await sql<{ name: string | null }>`select to_regclass('migrations')::text as name`;
    return found!.name !== null && (await missing(sql)).length === 0;
  };
  while (!(await isThere())) await sleep(PAUSE);
}
