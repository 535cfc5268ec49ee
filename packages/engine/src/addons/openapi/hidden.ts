/** Marks handlers that are not part of the API that they describe. */

/** Excludes the routes of a handler from documents. */
export function hideFromDocument<Handler extends object>(handler: Handler): Handler {
  return Object.defineProperty(handler, '~hidden', { value: true });
}

/** Whether a function is hidden, by this or another copy of the framework. */
export function isHidden(fn: object): boolean {
  return '~hidden' in fn;
}
