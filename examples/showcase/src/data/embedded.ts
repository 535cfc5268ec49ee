/** PostgreSQL inside this process (PGlite, compiled to WebAssembly), with its data in a folder. */
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type Database, type Run, sqlOf } from './database.js';

/** Opens the database in the folder, which is created if it does not exist. */
export async function openEmbedded(folder: string): Promise<Database> {
  fs.mkdirSync(folder, { recursive: true });
  const unlock = lock(path.join(folder, 'in-use-by'));
  const engine = await PGlite.create(path.join(folder, 'postgres'));
  const query: Run = (text, values) => engine.query(text, values);
  return {
    place: folder,
    query,
    sql: sqlOf(query),
    script: text => engine.exec(text),
    transaction: work =>
      engine.transaction(tx =>
        work({ sql: sqlOf((text, values) => tx.query(text, values)), script: text => tx.exec(text) }),
      ),
    async close() {
      await engine.close();
      unlock();
    },
  };
}

/**
 * Prevents two processes from writing to one folder, which would corrupt it. A killed process leaves its lock file
 * behind.
 */
function lock(file: string) {
  const owner = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  if (owner > 0 && owner !== process.pid && isAlive(owner)) {
    throw new Error(
      `${path.dirname(file)} is in use by process ${owner}. Stop it, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  fs.writeFileSync(file, String(process.pid));
  return () => fs.rmSync(file, { force: true });
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
