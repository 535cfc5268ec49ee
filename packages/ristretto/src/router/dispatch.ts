/** How a request enters a router. */
import { debug } from '../report/debug';
import type { OptionsResponse } from './options-response';
import { refreshTracing } from './tracer';
import { Walk } from './walk';
import type { DispatchedRequest, DispatchingRouter, Next } from './walked';

// in a variable: each router asks for it
const printed = debug.router;

/**
 * Walks the router's stack for a request.
 * @param router whose stack it is
 * @param plainParams the `process_params` that need not be called where no parameter has a callback
 * @param out is called when the stack is at its end, with the pending error if there is one
 * @param Kind how a version of the interface walks
 * @param print where it prints what it does
 */
export function dispatch(
  router: DispatchingRouter,
  plainParams: unknown,
  req: DispatchedRequest,
  res: OptionsResponse,
  out: Next,
  Kind = Walk,
  print = printed,
): void {
  if (print) print('dispatching %s %s', req.method, req.url);
  if (typeof req.url !== 'string') {
    // made by hand, and incompletely: there is nothing to match
    req.originalUrl ??= req.url;
    out();
    return;
  }
  refreshTracing();
  const walk = new Kind(router, plainParams, req, res, out);
  // in a variable first: Node gives a function that is written into a property a long life, and the request and
  // its body with it, until the next full garbage collection
  const next = function next(err?: unknown): void {
    walk.advance(err);
  };
  walk.start(next);
}
