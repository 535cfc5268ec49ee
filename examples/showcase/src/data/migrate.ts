/** Updates the tables: runs each file of migrations/ once, in the order of their names. */
import fs from 'node:fs';
import type { Database } from './database.js';

const folder = new URL('../../migrations/', import.meta.url);

export async function migrate(db: Database): Promise<void> {
  await db.migration(async ({ sql, script }) => {
    // Processes that start together take turns.
    await sql`select pg_advisory_xact_lock(7000)`;
    await script('create table if not exists migrations (name text primary key)');
    const done = new Set((await sql<{ name: string }>`select name from migrations`).map(({ name }) => name));
    for (const name of fs.readdirSync(folder).sort()) {
      if (done.has(name)) continue;
      await script(fs.readFileSync(new URL(name, folder), 'utf8'));
      await sql`insert into migrations (name) values (${name})`;
    }
  });
}
