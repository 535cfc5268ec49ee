/**
 * Limits work that uses a thread of Node's pool for long. There are four by default, which file access, DNS lookups
 * and compression need too: without a limit, a few pictures or logins at once would block all of these.
 */
import { problem } from './errors.js';

/**
 * Returns a function that runs work, or lets it wait its turn; if too many are already waiting, it rejects with a 503.
 * @param atOnce how many may run at the same time
 * @param waiting how many more may wait
 */
export function makeQueue(atOnce: number, waiting: number) {
  let running = 0;
  const turns: (() => void)[] = [];
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running++;
    else if (turns.length < waiting) await new Promise<void>(resolve => turns.push(resolve));
    else throw problem(503, 'The server is busy.');
    try {
      return await work();
    } finally {
      // The place goes to the next waiter, so nobody can jump the queue.
      const next = turns.shift();
      if (next) next();
      else running--;
    }
  };
}
