/**
 * Checks the type of values of any realm (vm context). Jest runs each test file in its own realm, and Node's own errors
 * belong to the outer one, so `instanceof` is false for them.
 */
import { types } from 'node:util';

/** Whether a value is an error, of any realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** Whether a value is a regular expression, of any realm. */
export function isRegExp(value: unknown): value is RegExp {
  return types.isRegExp(value);
}
