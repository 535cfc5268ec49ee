/** Starts the walk of a request through a router. */
import type { Next } from '../types/next';
import { refreshTracing } from './observers';
import { Walk } from './walk';
import { STATE } from './symbols';
import type { DispatchedRequest, DispatchingRouter } from './dispatch-types';

/**
 * Walks the router's stack for a request.
 * @param router the router with the stack
 * @param plainParams the `process_params` that may be skipped if no parameter has a callback
 * @param out called at the end of the stack, with the pending error if there is one
 */
export function dispatch(
  router: DispatchingRouter,
  plainParams: unknown,
  req: DispatchedRequest,
  res: object,
  out: Next,
): void {
  router[STATE].version.print?.('dispatching %s %s', req.method, req.url);
  if (typeof req.url !== 'string') {
    // A request without a URL was created by hand: there is nothing to match
    req.originalUrl ??= req.url;
    out();
    return;
  }
  refreshTracing();
  const walk = new Walk(router, plainParams, req, res, out);
  // Stored in a variable first: Node expects a function that is written directly into a property to live long, and
  // keeps it, the request and its body until the next full garbage collection
  const next = function next(err?: unknown): void {
    walk.advance(err);
  };
  walk.start(next);
}
