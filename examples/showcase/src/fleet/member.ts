/** The worker's side of the fleet: the database over the link, reports about itself, and the state of all. */
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { type Database, type Queries, type Run, sqlOf } from '../data/database.js';
import { type FromPrimary, makeCaller } from './link.js';
import type { FleetState } from './state.js';

export type Fleet = ReturnType<typeof joinFleet>;

/** Connects this process to the primary one. */
export function joinFleet() {
  const events = new EventEmitter<{ wake: []; state: [FleetState] }>().setMaxListeners(0);
  const { call, receive } = makeCaller(message => process.send!(message));
  let state: FleetState | undefined;
  process.on('message', (message: FromPrimary) => {
    if ('wake' in message) events.emit('wake');
    else if ('state' in message) events.emit('state', (state = message.state));
    else receive(message);
  });
  let viewers = 0;
  return {
    events,
    call,
    /** The newest state, once there is one. */
    get state() {
      return state;
    },
    get viewers() {
      return viewers;
    },
    /** Counts an open panel. Returns a function to call when it closes. */
    watch() {
      viewers++;
      return () => void viewers--;
    },
    /** Reports to the primary process, once a second. */
    report(server: Server) {
      let requests = 0;
      tracingChannel('ristretto.request').start.subscribe(() => requests++);
      const delays = monitorEventLoopDelay({ resolution: 10 });
      delays.enable();
      setInterval(() => {
        server.getConnections((_error, sockets) => {
          if (!cluster.worker?.isConnected()) return;
          const delay = Math.max(0, delays.max / 1e6 - 10);
          const memory = process.memoryUsage.rss();
          process.send!({ report: { requests, sockets, memory, delay, viewers } });
          delays.reset();
          requests = 0;
        });
      }, 1000).unref();
    },
  };
}

/** The embedded database of the primary process, whose place only that process prints. */
export function openShared({ call }: Pick<Fleet, 'call'>): Database {
  const query: Run = async (text, values) => ({ rows: await call('query', text, values) });
  const transaction = async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
    const number = await call('begin');
    const run: Run = async (text, values) => ({ rows: await call('run', number, text, values) });
    try {
      const script = (text: string) => call('run', number, text);
      const result = await work({ query: run, sql: sqlOf(run), script });
      await call('end', number, true);
      return result;
    } catch (error) {
      await call('end', number, false).catch(() => undefined);
      throw error;
    }
  };
  return {
    ...{ place: '', query, sql: sqlOf(query), transaction, migration: transaction },
    close: async () => undefined,
  };
}
