/** What becomes of a promise that a handler returns: its rejection is an error of the request, told once. */

/** The run of a stack at the time when a handler was called. */
export interface Run {
  /** How often control has passed on in this run. */
  steps: number;
  /** The error that was passed on last. */
  lastError: unknown;
}

type Next = (err?: unknown) => void;

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PromiseLike<unknown>>).then === 'function'
  );
}

/**
 * Passes a rejection to `next`, unless the handler has passed control on in the meantime: then the request is
 * somewhere else, and an error that was not told before is written to the standard error.
 * @param steps how often control had passed on when the handler was called
 */
export function forwardRejection(promise: PromiseLike<unknown>, run: Run, steps: number, next: Next): void {
  promise.then(undefined, (reason: unknown) => {
    const error = reasonToError(reason);
    if (run.steps === steps) next(error);
    else if (run.lastError !== error) reportLate(error);
  });
}

/** A rejection without a reason must not read as `next()`. */
function reasonToError(reason: unknown): unknown {
  return reason === undefined || reason === null || reason === false || reason === '' || reason === 0
    ? new Error(`A handler's promise was rejected without a reason (${String(reason)})`)
    : reason;
}

/** An error that comes after control was passed on has no one to go to; it must not vanish. */
function reportLate(error: unknown): void {
  // eslint-disable-next-line no-console -- the log of last resort
  if (process.env.NODE_ENV !== 'test') console.error(error);
}
