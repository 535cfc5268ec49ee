/**
 * Limits work that uses a thread of Node's pool for long. There are four by default, which files, addresses and
 * compression need too: without a limit, a few pictures or logins at once would stop all of it.
 */
import { problem } from './errors.js';

/**
 * Returns a function that runs work, or lets it wait its turn; if too many wait already, it rejects with a 503.
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
      // The place goes to the next one, so nobody can come in between.
      const next = turns.shift();
      if (next) next();
      else running--;
    }
  };
}
