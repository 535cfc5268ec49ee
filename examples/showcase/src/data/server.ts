/** A PostgreSQL server, over a pool of connections. */
import pg from 'pg';
import { log } from '../log.js';
import { type Database, type Queries, type Run, sqlOf } from './database.js';

/** Milliseconds for a connection, new or from the pool. */
const CONNECT = 2000;
/** Milliseconds after which the server ends a statement, or a transaction that waits for this process. */
const STATEMENT = 4000;
/** The timeout for a server that cannot even report that: it has stopped, or the network is gone. */
const SILENCE = 5000;

/** @param connections the maximum number of open connections */
export function openServer(address: string, connections?: number): Database {
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: CONNECT,
    statement_timeout: STATEMENT,
    idle_in_transaction_session_timeout: STATEMENT,
    query_timeout: SILENCE,
  });
  // An idle connection failed. The pool has removed it; the next query opens a new one, or fails.
  pool.on('error', error => log.warn({ err: error }, 'database connection lost'));
  const query: Run = (text, values) => pool.query(text, values);

  /** Runs a transaction; `isBroken` is called if nothing more can be expected of the connection. */
  async function run<T>(
    client: pg.ClientBase,
    work: (queries: Queries) => Promise<T>,
    isBroken: () => void,
  ): Promise<T> {
    let isLost = false;
    const send = (text: string, values?: unknown[]) =>
      client.query(text, values).catch((error: unknown) => {
        isLost ||= !(error instanceof pg.DatabaseError);
        throw error;
      });
    try {
      await send('begin');
      const result = await work({ query: send, sql: sqlOf(send), script: text => send(text) });
      await send('commit');
      return result;
    } catch (error) {
      // A server that did not reply to the query would not reply to this either. It rolls back when the connection
      // closes.
      if (!isLost) await send('rollback').catch(() => undefined);
      if (isLost) isBroken();
      throw error;
    }
  }

  const { host, pathname } = new URL(address);
  return {
    place: `postgres://${host}${pathname}`,
    query,
    sql: sqlOf(query),
    async transaction(work) {
      const client = await pool.connect();
      let isBroken = false;
      try {
        return await run(client, work, () => (isBroken = true));
      } finally {
        // A lost connection is closed instead of reused.
        client.release(isBroken);
      }
    },
    async migration(work) {
      const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT });
      await client.connect();
      try {
        return await run(client, work, () => undefined);
      } finally {
        await client.end();
      }
    },
    close: () => pool.end(),
  };
}
