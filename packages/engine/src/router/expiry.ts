/**
 * Requests whose deadline has passed: a response is sent in place of their handlers, and anything that these do later
 * is ignored. From the first deadline that passes, each call of a handler is checked against this.
 */
import { checkDeadlines } from './observers';

export interface Expiry {
  /** The error that the error handlers receive, also the reason of `req.signal`. */
  readonly error: Error;
  /** Whether the response has been ended. */
  hasResponded(): boolean;
  /** Reports that a handler acted too late. */
  reportLate(): void;
}

/** On a request whose deadline has passed: read by packages, whose uploads no handler would remove. */
const EXPIRED = Symbol.for('ristretto.expired');

let expiries: WeakMap<object, Expiry> | undefined;

/** Marks the deadline of a request as passed. */
export function expire(req: object, expiry: Expiry): void {
  expiries ??= new WeakMap();
  checkDeadlines();
  expiries.set(req, expiry);
  Reflect.defineProperty(req, EXPIRED, { value: true, configurable: true });
}

/** Returns the expiry of a request whose deadline has passed; undefined for any other. */
export function expiryOf(req: unknown): Expiry | undefined {
  return expiries?.get(req as object);
}

/**
 * Runs in place of a handler that is reached after the deadline. Until the response is sent, passes the error to the
 * error handlers, because one of them may have called `next` without it.
 */
export function refuse(expiry: Expiry, next: (err: unknown) => void): void {
  if (expiry.hasResponded()) expiry.reportLate();
  else next(expiry.error);
}
