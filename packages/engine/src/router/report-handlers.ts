/**
 * Reports each call of a handler on the tracing channel `express.router.request`, with the payload of the `router`
 * package since 2.3. Loaded when the first call is reported.
 *
 * It reports middleware, mounted routers, route handlers, error handlers and parameter callbacks, but not the layer
 * that leads to a route. A handler runs in the stores that are bound to `start`, and so does everything it passes
 * control to.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { nodeMicrotask } from '../node-process';
import { enter, enteringHandlers, handlers, leavingHandlers } from '../report/channels';
import type { Next } from '../types/next';
import { pathOfHandler } from './matched-path';
import { isPromise } from '../realms';
import { reasonToError } from './rejection';
import { PREFIX } from './symbols';
import type { ParamCallback, StackLayer } from './stack-layer';

type Callable = (...args: unknown[]) => unknown;
/** The message that subscribers receive; the same object in all events of a call. */
interface Context {
  req: object;
  result?: unknown;
  error?: unknown;
}

const { start, end, asyncStart, asyncEnd, error: errors } = handlers;

/** The error of each request that is on its way to an error handler: it is reported once, where it originated. */
const reported = new WeakMap<object, unknown>();

/** Calls a layer's handler. Throws only if the layer leads to a route and its handler throws. */
export function traceRequest(
  layer: StackLayer,
  fn: Callable,
  req: unknown,
  res: unknown,
  next: Next,
  toError = reasonToError,
): unknown {
  const request = req as object;
  if (layer.route !== undefined) return fn(req, res, next);
  const context = { req: request, res, layer, handler: fn, route: routeOf(layer, request) };
  return trace(context, next, wrapped => fn(req, res, wrapped), toError);
}

/** Calls a layer's error handler. */
export function traceError(
  layer: StackLayer,
  fn: Callable,
  error: unknown,
  req: unknown,
  res: unknown,
  next: Next,
  toError = reasonToError,
): unknown {
  const route = routeOf(layer, req as object);
  const context = {
    req: req as object,
    res,
    incomingError: error,
    layer,
    handler: fn,
    route,
    errorHandler: true as const,
  };
  return trace(context, next, wrapped => fn(error, req, res, wrapped), toError);
}

/** Wraps a parameter's callbacks so that their calls are reported. */
export function traceParam(layer: StackLayer, req: object, callbacks: ParamCallback[]): ParamCallback[] {
  const route = pathOfHandler(req, layer);
  return callbacks.map(callback => (_req, res, next, value, name) => {
    const context = { req, res, layer, handler: callback, route, param: name };
    return trace(context, next, wrapped => callback(req, res, wrapped, value, name));
  });
}

/** Records an error that did not originate in a handler. */
export function markErrorReported(req: object, error: unknown): void {
  reported.set(req, error);
}

/** Returns the path of a router's layer or, for a layer of a route, of the layer that led to the route. */
function routeOf(layer: StackLayer, req: object): unknown {
  return pathOfHandler(req, layer[PREFIX] ? layer : undefined);
}

/** @param toError turns the reason of a rejection, which may be missing, into an error */
function trace(
  context: Context,
  next: Next,
  call: (next: Next) => unknown,
  toError = reasonToError,
): unknown {
  const passOn = (err?: unknown): void => {
    note(context, err);
    enter(leavingHandlers, context, () => {
      next(err);
    });
  };
  const run = (): unknown => {
    let result: unknown;
    try {
      result = call(passOn);
    } catch (thrown) {
      passOn(thrown);
      if (isSignal(thrown)) context.result = undefined;
      else context.error = thrown;
      end.publish(context);
      return undefined;
    }
    if (isPromise(result)) return follow(context, result, toError);
    context.result = result;
    end.publish(context);
    return result;
  };
  return enter(enteringHandlers, context, () => start.runStores(context, run));
}

/** Reports that the promise is pending, and returns an equivalent promise that reports how it settles. */
function follow(
  context: Context,
  promise: PromiseLike<unknown>,
  toError: typeof reasonToError,
): Promise<unknown> {
  const { error: passedOn } = context;
  // A pending call has not failed yet
  delete context.error;
  end.publish(context);
  if (passedOn !== undefined) context.error = passedOn;
  const settle = (): void => {
    asyncStart.publish(context);
    asyncEnd.publish(context);
  };
  const followed = Promise.resolve(promise).then(
    value => {
      context.result = value;
      settle();
      return value;
    },
    (reason: unknown) => {
      const error = toError(reason);
      note(context, error);
      if (!isSignal(error)) context.error = error;
      throw error;
    },
  );
  // Runs after the reaction of the walk, which is added next
  followed.catch(() => {
    nodeMicrotask(settle);
  });
  // Error handlers run in the context of the failed handler, although the walk adds its reaction outside it
  followed.then = AsyncLocalStorage.bind<typeof followed.then>(followed.then.bind(followed));
  return followed;
}

/**
 * Reports an error that is passed on, unless it was already reported: error handlers and nested routers pass such
 * errors on.
 */
function note(context: Context, err: unknown): void {
  const { req } = context;
  if (!err || isSignal(err)) {
    reported.delete(req);
    return;
  }
  if (reported.get(req) === err) return;
  reported.set(req, err);
  context.error = err;
  errors.publish(context);
}

/** Whether it is not an error, but a signal that says where routing continues. */
function isSignal(err: unknown): boolean {
  return err === 'route' || err === 'router';
}
