/** What becomes of a promise that a handler returns: its rejection is an error of the request, told once. */
import { causeOf } from '../protocol/errors';
import { logError } from '../report/log';

/** The run of a stack at the time when a handler was called. */
export interface Run {
  /** How often control has passed on in this run. */
  steps: number;
  /** The errors that were passed on, if any were. */
  told: unknown[] | undefined;
  /** The request that it is for. */
  readonly req: object;
}

type Next = (err?: unknown) => void;

/**
 * Whether what a handler returned is a promise. Being thenable is not enough: to call `then` on a query of a database
 * library, or on a request of a client library, is to run it a second time. Promises are known by their class, which
 * can make resolved ones.
 */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as Partial<PromiseLike<unknown>>).then !== 'function') return false;
  return typeof (value.constructor as Partial<PromiseConstructor> | undefined)?.resolve === 'function';
}

/** Notes an error that was passed on. */
export function tell(run: Run, error: unknown): void {
  if (run.told === undefined) run.told = [error];
  else run.told.push(error);
}

/**
 * Passes a rejection to `next`, unless the handler has passed control on in the meantime: then the request is
 * somewhere else, and an error that was not told before is written to the standard error.
 * @param steps how often control had passed on when the handler was called
 * @param toError makes an error of the reason, which may be missing
 */
export function forwardRejection(
  promise: PromiseLike<unknown>,
  run: Run,
  steps: number,
  next: Next,
  toError = reasonToError,
): void {
  promise.then(undefined, (reason: unknown) => {
    const error = toError(reason);
    if (run.steps === steps) next(error);
    else if (!run.told?.some(told => told === error || told === causeOf(error))) {
      reportLate(error, run.req);
    }
  });
}

/** Does so with what a handler returned, if that is a promise. */
export function watchResult(result: unknown, run: Run, steps: number, next: Next): void {
  if (isPromise(result)) forwardRejection(result, run, steps, next);
}

let handedPromise: PromiseLike<unknown> | undefined;
let handedNext: Next | undefined;

/**
 * Hands the promise of a route's only handler to the walk whose `next` that handler got. It is no result of the
 * route's, since routes have none in Express: tools that watch what layers return would tell its error once more.
 */
export function handUp(promise: PromiseLike<unknown>, next: Next): void {
  handedPromise = promise;
  handedNext = next;
}

/** The promise that was handed to the walk with this `next`, if there is one. */
export function takeHandedUp(next: Next): PromiseLike<unknown> | undefined {
  if (handedPromise === undefined || handedNext !== next) return undefined;
  const promise = handedPromise;
  handedPromise = handedNext = undefined;
  return promise;
}

/** A rejection without a reason must not read as `next()`. */
export function reasonToError(reason: unknown): unknown {
  return reason || new Error(`A handler's promise was rejected without a reason (${String(reason)})`);
}

/** An error that comes after control was passed on has no one to go to; it must not vanish. */
export function reportLate(error: unknown, req: { app?: object; res?: object }): void {
  const entry = { message: 'error after the handler had passed control on', error, req, res: req.res };
  logError(req.app, entry, () => (process.env.NODE_ENV === 'test' ? undefined : error));
}
