/**
 * Requests whose deadline has passed: they are answered in their handlers' place, and what the handlers do from then on
 * is too late. Every handler of every request is called past this, so that nothing is looked up before there is one.
 */

export interface Expiry {
  /** What the error handlers get, and `req.signal` as its reason. */
  readonly error: Error;
  /** Whether the response has been ended. */
  isAnswered: boolean;
  /** Reports that a handler did something too late. */
  reportLate(): void;
}

let expiries: WeakMap<object, Expiry> | undefined;

/** From now on, the handlers of the request are too late. */
export function expire(req: object, expiry: Expiry): void {
  expiries ??= new WeakMap();
  expiries.set(req, expiry);
}

/** Undefined for a request whose deadline has not passed, or that has none. */
export function expiryOf(req: unknown): Expiry | undefined {
  return expiries?.get(req as object);
}

/**
 * In place of a handler that is reached when the deadline has passed. Until the response is sent, control goes on to the
 * error handlers: one of them may have called `next` without the error.
 */
export function refuse(expiry: Expiry, next: (err: unknown) => void): void {
  if (expiry.isAnswered) expiry.reportLate();
  else next(expiry.error);
}
