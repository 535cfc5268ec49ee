/** Handlers that are no part of the API that they describe. */

/** Has the routes of a handler left out of documents. */
export function hide<Handler extends object>(handler: Handler): Handler {
  return Object.defineProperty(handler, '~schemas', { value: { describe: { hidden: true } } });
}
