/** The arguments of routers and routes: handlers, and an optional path before them. */
import { flatten } from '@ristretto/private-engine/lib/router';

/**
 * Yields the handlers in nested lists. Each is checked when it is reached, after those before it have been registered.
 * @throws TypeError if there is none
 */
export function* handlersOf(values: ArrayLike<unknown>): Generator {
  const handlers = flatten(values);
  if (handlers.length === 0) throw new TypeError('argument handler is required');
  for (const handler of handlers) {
    if (typeof handler !== 'function') throw new TypeError('argument handler must be a function');
    yield handler;
  }
}

/** Separates an optional path from the handlers that follow it. */
export function splitPath(values: ArrayLike<unknown>): { path: unknown; handlers: unknown[] } {
  let [first] = Array.from(values);
  while (Array.isArray(first) && first.length !== 0) first = (first as unknown[])[0];
  const hasPath = typeof first !== 'function';
  return { path: hasPath ? values[0] : '/', handlers: Array.prototype.slice.call(values, hasPath ? 1 : 0) };
}
