/**
 * Calls between the processes of the fleet, over the channel that Node opens to each worker: a message with a number, and
 * a message with the same number and the result.
 */
import type { Worker } from 'node:cluster';
import type { FleetState, Report } from './state.js';

/** What workers can call in the primary process. */
export interface Calls {
  query(text: string, values: unknown[]): Promise<unknown[]>;
  /** Begins a transaction; returns its number. */
  begin(): Promise<number>;
  /** Runs SQL in a transaction; without values, it may be several statements. */
  run(transaction: number, text: string, values?: unknown[]): Promise<unknown[]>;
  end(transaction: number, isKept: boolean): Promise<void>;
  /** Tells the other workers that there are new events. */
  wake(): Promise<void>;
  /** Stops a worker after its replacement listens, or kills it. */
  replace(pid: number, how: 'restart' | 'kill'): Promise<boolean>;
  /** Starts to compare with Express. */
  compare(): Promise<void>;
}

interface Call {
  id: number;
  name: keyof Calls;
  args: unknown[];
}
type Reply = { id: number; result: unknown } | { id: number; error: { message: string; code?: string } };
/** What workers send. */
export type FromWorker = Call | { report: Report };
/** What the primary process sends. */
export type FromPrimary = Reply | { wake: true } | { state: FleetState };

/** Calls the primary process from a worker. */
export function makeCaller(send: (message: Call) => void) {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let last = 0;
  return {
    call<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): ReturnType<Calls[Name]> {
      const id = ++last;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        send({ id, name, args });
      }) as ReturnType<Calls[Name]>;
    },
    receive(reply: Reply) {
      const waiter = pending.get(reply.id);
      pending.delete(reply.id);
      if ('error' in reply) waiter?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else waiter?.resolve(reply.result);
    },
  };
}

/** Runs the call of a worker, and replies. */
export async function serve(worker: Worker, calls: Calls, { id, name, args }: Call): Promise<void> {
  const send = (reply: Reply) => {
    // The worker may have been killed in the meantime.
    if (worker.isConnected()) worker.send(reply, () => undefined);
  };
  try {
    send({ id, result: await (calls[name] as (...args: unknown[]) => Promise<unknown>)(...args) });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    send({ id, error: { message, code } });
  }
}
