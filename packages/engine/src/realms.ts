/**
 * Checks the type of values of any realm (vm context). Jest runs each test file in its own realm, and Node's own errors
 * belong to the outer one, so `instanceof` is false for them.
 */
import { types } from 'node:util';

/** Whether a value is an error, of any realm. */
export function isError(value: unknown): value is Error {
  // eslint-disable-next-line no-restricted-syntax -- errors whose class is written as a function
  return value instanceof Error || types.isNativeError(value);
}

/** Whether a value is a regular expression, of any realm. */
export function isRegExp(value: unknown): value is RegExp {
  return types.isRegExp(value);
}

/**
 * Whether a value, such as what a handler returns, is a promise, also where a tool has replaced `Promise`. Being thenable is not enough: calling `then` on a query of a
 * database library, or on a request of a client library, would run it a second time. A promise is recognized by its
 * class, which has a static `resolve`.
 */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (typeof (value as Partial<PromiseLike<unknown>>).then !== 'function') return false;
    return typeof (value.constructor as Partial<PromiseConstructor> | undefined)?.resolve === 'function';
  } catch {
    // A proxy that allows only certain members, returned by a handler, would end the process
    return false;
  }
}
