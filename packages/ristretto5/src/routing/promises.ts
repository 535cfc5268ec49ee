/**
 * Handles the promise that a handler or a parameter callback returns: its rejection becomes an error of the request.
 */
import { types } from 'node:util';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import depd = require('depd');
import { WALK as walkKey, forwardRejection, ignore } from '@ristretto/private-engine/lib/router';
import type { Run } from '@ristretto/private-engine/lib/router';

const deprecate = depd('router');
// Reading an export of the engine for each request would call a getter: this one took a tenth of a short walk
const WALK: typeof walkKey = walkKey;

export type Running = Run & { next: Next };

let calling: Running | undefined;

/** Records which walk is about to call a layer, unless the request already refers to that walk. */
export function noteRun(run: Running): void {
  calling = run;
}

/** Returns the run that calls a layer with this `next`; `undefined` if the caller is not a run. */
export function takeRun(next: Next, req: unknown): Run | undefined {
  const walk = (req as { [WALK]?: Partial<Running> } | undefined)?.[WALK];
  if (walk?.next === next) return walk as Run | undefined;
  const run = calling;
  calling = undefined;
  return run?.next === next ? run : undefined;
}

/** Passes the rejection of a handler's result to `next`. */
export function watchHandler(result: unknown, run: Run | undefined, steps: number, next: Next): void {
  watch(result, run, steps, next, 'handlers');
}

/** Does the same for a parameter callback. */
export function watchParam(result: unknown, run: Run, steps: number, next: Next): void {
  watch(result, run, steps, next, 'parameters');
}

function watch(result: unknown, run: Run | undefined, steps: number, next: Next, kind: string): void {
  try {
    watchThenable(result, run, steps, next, kind);
  } catch (thrown) {
    // By `then` itself
    next(thrown);
  }
}

function watchThenable(result: unknown, run: Run | undefined, steps: number, next: Next, kind: string): void {
  if (!isThenable(result)) return;
  // eslint-disable-next-line no-restricted-syntax -- as Express does, but without a warning of Node's own promises
  if (!types.isPromise(result) && !(result instanceof Promise)) {
    deprecate(`${kind} that are Promise-like are deprecated, use a native Promise instead`);
  }
  if (run !== undefined) {
    forwardRejection(result, run, steps, next, toError);
    return;
  }
  result.then(ignore, (reason: unknown) => {
    next(toError(reason));
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as Partial<PromiseLike<unknown>>).then === 'function';
}

/** A rejection without a reason must not be taken for `next()`. */
export function toError(reason: unknown): unknown {
  return reason || new Error('Rejected promise');
}
