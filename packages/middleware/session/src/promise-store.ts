/** Lets stores have methods that return promises in place of calling back. */
import type { Store } from './session-request';

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
      (error: unknown) => {
        // Without a reason, a failure would pass for a session that does not exist
        if (!hasCalledBack)
          once(error || new Error(`The session store failed without a reason (${String(error)})`));
      },
    );
  }
  return returned;
}
