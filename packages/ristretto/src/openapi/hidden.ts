/** Handlers that are no part of the API that they describe. */

/** Has the routes of a handler left out of documents. */
export function hide<Handler extends object>(handler: Handler): Handler {
  return Object.defineProperty(handler, '~hidden', { value: true });
}

/** Whether a function is such a handler, of this or another copy of the framework. */
export function isHidden(fn: object): boolean {
  return '~hidden' in fn;
}
