/** PostgreSQL inside this process (PGlite, compiled to WebAssembly), with its data in a folder. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { type Database, type Run, sqlOf } from './database.js';

/** Opens the database in the folder, which is created if it does not exist. */
export async function openEmbedded(folder: string): Promise<Database> {
  fs.mkdirSync(folder, { recursive: true });
  const unlock = lock(path.join(folder, 'in-use-by'));
  const files = path.join(folder, 'postgres');
  if (!fs.existsSync(files)) await createIn(files);
  const engine = await PGlite.create(files);
  const query: Run = (text, values) => engine.query(text, values);
  const transaction: Database['transaction'] = work =>
    engine.transaction(tx => {
      const run: Run = (text, values) => tx.query(text, values);
      return work({ query: run, sql: sqlOf(run), script: text => tx.exec(text) });
    });
  return {
    place: folder,
    query,
    sql: sqlOf(query),
    transaction,
    migration: transaction,
    async close() {
      await engine.close();
      unlock();
    },
  };
}

/**
 * Creates the files of a database. That takes three times the memory of using them, so another process does it, and returns
 * the memory when it ends.
 */
async function createIn(files: string): Promise<void> {
  const child = fork(fileURLToPath(new URL('./create.js', import.meta.url)), [files]);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The database could not be created in ${files}.`);
}

/**
 * Prevents two processes from writing to one folder, which would corrupt it. The kernel locks an open file. The lock
 * ends with its process, however that ends, and also works between containers, which do not see each other's process
 * ids. The content of the file does not matter.
 */
function lock(file: string) {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(
      file,
      O_RDWR | O_CREAT | (O_NONBLOCK ?? 0) | (EXCLUSIVELY[process.platform] ?? 0),
      0o600,
    );
  } catch (error) {
    throw /^(?:EAGAIN|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '') ? inUse(file) : error;
  }
  // Elsewhere, no flag of `open` locks a file, and Node has no call for it. The lock belongs to the open file, not to
  // the program that takes it, so it remains after that program has ended.
  if (!(process.platform in EXCLUSIVELY)) {
    const { status, error } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
    if (status !== 0) {
      fs.closeSync(fd);
      if (status === 1) throw inUse(file);
      throw new Error('The embedded database needs the program "flock" (util-linux). Or set DATABASE_URL.', {
        cause: error,
      });
    }
  }
  return () => fs.closeSync(fd);
}

/** Where opening a file can lock it: O_EXLOCK of macOS, and UV_FS_O_EXLOCK of libuv on Windows. */
const EXCLUSIVELY: Partial<Record<NodeJS.Platform, number>> = { darwin: 0x20, win32: 0x10000000 };

const inUse = (file: string) =>
  new Error(`${path.dirname(file)} is in use by another process. Stop it, or set DATA_DIR or DATABASE_URL.`);
