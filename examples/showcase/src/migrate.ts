/** Updates the tables and ends: `node dist/migrate.js`, for platforms that run it once before the processes start. */
import { readConfig } from './config.js';
import { migrate } from './data/migrate.js';
import { openDatabase } from './services.js';

const db = await openDatabase(readConfig(process.env));
try {
  await migrate(db);
} finally {
  await db.close();
}
console.log(`The tables are up to date in ${db.place}`);
