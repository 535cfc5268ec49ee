/** Handles promises that handlers return: a rejection is an error of the request, reported once. */
import { causeOf } from '../protocol/errors';
import { isPromise } from '../realms';
import { logError } from '../report/log';
import type { Next } from '../types/next';

/** The run of a stack at the time when a handler was called. */
export interface Run {
  /** How often control has been passed on in this run. */
  steps: number;
  /** The errors that were passed on, if any. */
  errors: unknown[] | undefined;
  /** The request of this run. */
  readonly req: object;
}

/** The requests whose handler has failed: later responses may come from error handlers. */
const failed = new WeakSet();

/** Whether an error of this request was passed on. */
export function hasFailed(req: object): boolean {
  return failed.has(req);
}

/** Records an error that was passed on. */
export function recordError(run: Run, error: unknown): void {
  if (error !== 'route' && error !== 'router') failed.add(run.req);
  if (run.errors === undefined) run.errors = [error];
  else run.errors.push(error);
}

/**
 * Passes a rejection to `next`, unless the handler has already passed control on: then the request is elsewhere, and an
 * error that was not reported before is logged.
 * @param steps how often control had been passed on when the handler was called
 * @param toError creates an error from the reason, which may be missing
 */
export function forwardRejection(
  promise: PromiseLike<unknown>,
  run: Run,
  steps: number,
  next: Next,
  toError = reasonToError,
): void {
  const fail = (reason: unknown): void => {
    const error = toError(reason);
    if (run.steps === steps) next(error);
    else if (!run.errors?.some(earlier => earlier === error || earlier === causeOf(error))) {
      reportLate(error, run.req);
    }
  };
  try {
    promise.then(ignore, fail);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Ignores the value of a promise. What only looks like one, such as a reply of Fastify, calls any function without asking for it. */
export function ignore(): undefined {
  return undefined;
}

/** Applies `forwardRejection` to the return value of a handler, if that is a promise. */
export function watchResult(result: unknown, run: Run, steps: number, next: Next): void {
  if (isPromise(result)) forwardRejection(result, run, steps, next);
}

let handedPromise: PromiseLike<unknown> | undefined;
let handedNext: Next | undefined;

/**
 * Hands the promise of a route's only handler to the walk whose `next` that handler received. The route does not return
 * it, because routes return nothing in Express: tools that watch the results of layers would report its error a second
 * time.
 */
export function passUpPromise(promise: PromiseLike<unknown>, next: Next): void {
  handedPromise = promise;
  handedNext = next;
}

/** Returns the promise that was passed to the walk with this `next`, if any. */
export function takePassedUpPromise(next: Next): PromiseLike<unknown> | undefined {
  if (handedPromise === undefined || handedNext !== next) return undefined;
  const promise = handedPromise;
  handedPromise = handedNext = undefined;
  return promise;
}

/** A rejection without a reason must not be taken for `next()`. */
export function reasonToError(reason: unknown): unknown {
  return reason || new Error(`A handler's promise was rejected without a reason (${String(reason)})`);
}

/** Logs an error that occurs after control was passed on: no handler can receive it, but it must not get lost. */
export function reportLate(error: unknown, req: { app?: object; res?: object }): void {
  const entry = { message: 'error after the handler had passed control on', error, req, res: req.res };
  logError(req.app, entry);
}
