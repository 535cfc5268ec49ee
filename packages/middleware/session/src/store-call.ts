/** Calls a store, which may throw, reject, call back twice, late, or never. */
import { clearTimeout, setTimeout } from 'node:timers';
import { debug } from './debug';

/** The callback that a store gets. */
export interface Answer<T = undefined> {
  (error?: unknown, value?: T | null): void;
  /** Whether the call has failed because it took too long, so that its result must not change the request. */
  isLate?: boolean;
}

/**
 * Calls a store and passes on the result, once. What the store throws before that is thrown.
 *
 * @param patience the longest time in milliseconds to wait, after which the result is an error; 0 for no limit
 */
export function callStore<T>(
  patience: number,
  call: (answer: Answer<T>) => unknown,
  done: (error?: unknown, value?: T | null) => void,
): void {
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  const answer: Answer<T> = (...given) => {
    if (isAnswered) {
      debug?.('the store has called back late or a second time');
      return;
    }
    isAnswered = true;
    if (timer !== undefined) clearTimeout(timer);
    let hasThrown = true;
    try {
      done(...given);
      hasThrown = false;
    } finally {
      // A store that catches what a handler throws passes it to its callback.
      isAnswered = !hasThrown;
    }
  };
  if (patience > 0) {
    timer = setTimeout(() => {
      answer.isLate = true;
      answer(timedOut(patience));
    }, patience);
  }
  try {
    const returned = call(answer) as PromiseLike<unknown> | undefined;
    // An asynchronous method of a store may reject instead of calling back.
    if (typeof returned?.then === 'function') returned.then(undefined, answer);
  } catch (error) {
    isAnswered = true;
    clearTimeout(timer);
    throw error;
  }
}

function timedOut(milliseconds: number): Error {
  return Object.assign(
    new Error(`The session store has not responded within ${milliseconds} ms (option storeTimeout)`),
    { code: 'ESTORETIMEOUT', status: 503 },
  );
}
