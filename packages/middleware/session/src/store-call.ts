/** Calls a store, which may throw, reject, call back twice, late, or never, or return promises in place of calling back. */
import { clearTimeout, setTimeout } from 'node:timers';
import { debug } from './debug';
import type { Store } from './session-request';

/** The callback that a store gets. */
export interface StoreCallback<T = undefined> {
  (error?: unknown, value?: T | null): void;
  /** Whether the call has failed because it took too long, so that its result must not change the request. */
  isLate?: boolean;
}

/**
 * Calls a store and passes on the result, once. What the store throws before that is thrown.
 * @param patience the longest time in milliseconds to wait, after which the result is an error; 0 for no limit
 */
export function callStore<T>(
  patience: number,
  call: (callback: StoreCallback<T>) => unknown,
  done: (error?: unknown, value?: T | null) => void,
): void {
  let hasCalledBack = false;
  let timer: NodeJS.Timeout | undefined;
  const callback: StoreCallback<T> = (...given) => {
    if (hasCalledBack) {
      debug?.('the store has called back late or a second time');
      return;
    }
    hasCalledBack = true;
    if (timer !== undefined) clearTimeout(timer);
    let hasThrown = true;
    try {
      done(...given);
      hasThrown = false;
    } finally {
      // A store that catches what a handler throws passes it to its callback.
      hasCalledBack = !hasThrown;
    }
  };
  if (patience > 0) {
    timer = setTimeout(() => {
      callback.isLate = true;
      callback(timedOut(patience));
    }, patience);
  }
  try {
    const returned = call(callback) as PromiseLike<unknown> | undefined;
    // An asynchronous method of a store may reject instead of calling back.
    if (typeof returned?.then === 'function')
      returned.then(
        () => undefined,
        (reason: unknown) => callback(failureOf(reason)),
      );
  } catch (reason) {
    hasCalledBack = true;
    clearTimeout(timer);
    throw failureOf(reason);
  }
}

/** Without a reason, a failure would pass for a session that does not exist. */
function failureOf(reason: unknown): unknown {
  return reason || new Error(`The session store failed without a reason (${String(reason)})`);
}

function timedOut(milliseconds: number): Error {
  return Object.assign(
    new Error(`The session store has not responded within ${milliseconds} ms (option storeTimeout)`),
    { code: 'ESTORETIMEOUT', status: 503 },
  );
}

type Method = (this: Store, ...args: unknown[]) => unknown;

/** The position of the callback of each method. */
const CALLBACK = { get: 1, set: 2, destroy: 1, touch: 2 };

/**
 * Replaces the methods of a store that declare no callback with ones that take one too: sessions, `load` and `regenerate`
 * of the store, and programs pass it. They still return what the method returns.
 */
export function acceptPromises(store: Store): void {
  for (const [name, at] of Object.entries(CALLBACK)) {
    const method = store[name as keyof Store] as unknown as Method | undefined;
    // The replacement declares the callback, so that a store of two middlewares is not adapted twice.
    if (typeof method !== 'function' || method.length > at) continue;
    const value = at === 1 ? adapted1(method) : adapted2(method);
    Object.defineProperty(store, name, { value, writable: true, enumerable: false, configurable: true });
  }
}

const adapted1 = (method: Method): Method =>
  function (this: Store, id, callback) {
    return callWith(callback, given => method.call(this, id, given));
  };

const adapted2 = (method: Method): Method =>
  function (this: Store, id, session, callback) {
    return callWith(callback, given => method.call(this, id, session, given));
  };

/** Calls a method with a callback, which a store with `(id, callback = noop)` calls itself. */
function callWith(callback: unknown, call: (callback: unknown) => unknown): unknown {
  if (typeof callback !== 'function') return call(callback);
  let hasCalledBack = false;
  const once = (...args: unknown[]): void => {
    hasCalledBack = true;
    (callback as (...all: unknown[]) => void)(...args);
  };
  const returned = call(once) as PromiseLike<unknown> | undefined;
  if (typeof returned?.then === 'function') {
    returned.then(
      value => {
        if (!hasCalledBack) once(null, value);
      },
      (reason: unknown) => {
        if (!hasCalledBack) once(failureOf(reason));
      },
    );
  }
  return returned;
}
