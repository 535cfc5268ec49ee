/** The arguments of routers and routes: handlers, and a path in front of them. */
import { flatten } from 'ristretto/lib/router/flatten';

/**
 * The handlers in lists of any depth. Each is checked when it is reached: those before it have been taken by then.
 * @throws TypeError where there is none
 */
export function* handlersOf(values: ArrayLike<unknown>): Generator {
  const handlers = flatten(values);
  if (handlers.length === 0) throw new TypeError('argument handler is required');
  for (const handler of handlers) {
    if (typeof handler !== 'function') throw new TypeError('argument handler must be a function');
    yield handler;
  }
}

/** Tells a path, which may be left out, from the handlers behind it. */
export function splitPath(values: ArrayLike<unknown>): { path: unknown; handlers: unknown[] } {
  let [first] = Array.from(values);
  while (Array.isArray(first) && first.length !== 0) first = (first as unknown[])[0];
  const hasPath = typeof first !== 'function';
  return { path: hasPath ? values[0] : '/', handlers: Array.prototype.slice.call(values, hasPath ? 1 : 0) };
}
