/** Parses the arguments of registrations: nested lists of handlers, and the optional path of `use`. */
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as diagnose from '../dev/handler-arguments';

/**
 * Returns the items of `values` and of the arrays in it, at any depth, in order.
 * @example flatten([a, [b, [c]]]) // [a, b, c]
 */
export function flatten(values: ArrayLike<unknown>): unknown[] {
  const flat: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Array.isArray(value)) flat.push(...flatten(value));
    else flat.push(value);
  }
  return flat;
}

const checks = deferred(() => require('../dev/handler-arguments') as typeof diagnose, reportsMistakes);

/**
 * Separates the path from the handlers.
 *
 * @param values the arguments; the first is the path, unless it is a function or an array that begins with one
 * @param member the name for the error message
 * @throws TypeError if there is no handler
 * @example mountArguments(['/a', [f, [g]]], 'app.use()'); // { path: '/a', handlers: [f, g] }
 */
export function mountArguments(
  values: ArrayLike<unknown>,
  member: string,
): { path: unknown; handlers: unknown[] } {
  let first = values[0];
  while (Array.isArray(first) && first.length !== 0) first = first[0];
  const hasPath = typeof first !== 'function';
  const handlers = flatten(Array.prototype.slice.call(values, hasPath ? 1 : 0));
  if (handlers.length === 0) {
    const error = new TypeError(`${member} requires a middleware function`);
    if (values.length > 0 && typeof first !== 'string' && reportsMistakes()) {
      checks().explainHandler(error, first, 'app.use()');
    }
    throw error;
  }
  return { path: hasPath ? values[0] : '/', handlers };
}
