/** A PostgreSQL server, over a pool of connections. */
import pg from 'pg';
import { log } from '../log.js';
import { type Database, type Queries, type Run, sqlOf } from './database.js';

export function openServer(address: string): Database {
  const pool = new pg.Pool({
    connectionString: address,
    connectionTimeoutMillis: 5000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
  });
  // An idle connection failed. The pool has removed it; the next query opens a new one, or fails.
  pool.on('error', error => log.warn({ err: error }, 'database connection lost'));
  const query: Run = (text, values) => pool.query(text, values);

  async function transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let isBroken = false;
    try {
      await client.query('begin');
      const result = await work({
        sql: sqlOf((text, values) => client.query(text, values)),
        script: text => client.query(text),
      });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => (isBroken = true));
      throw error;
    } finally {
      // A connection that could not roll back is closed instead of reused.
      client.release(isBroken);
    }
  }

  const { host, pathname } = new URL(address);
  return {
    place: `postgres://${host}${pathname}`,
    query,
    sql: sqlOf(query),
    script: text => pool.query(text),
    transaction,
    close: () => pool.end(),
  };
}
