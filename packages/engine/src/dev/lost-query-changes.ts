/** Warns of changes to a parsed query that are lost because the next read parses it again. */
import { isDeepStrictEqual } from 'node:util';
import { captureStack, placeOf } from './place';
import type { CapturedStack } from './place';
import { warnOnce } from './warn';

interface Read {
  /** The URL that the query is from: middleware may rewrite it. */
  readonly url: string | undefined;
  readonly query: object;
  readonly trace: CapturedStack;
}

/** The last read of each request. */
const reads = new WeakMap<object, Read>();

/** Checks whether the object of the previous read was changed since. @param query the object for this read */
export function checkQuery(req: { url?: string | undefined }, query: object): void {
  const last = reads.get(req);
  reads.set(req, { url: req.url, query, trace: captureStack() });
  // The application's own parser may return the same object each time
  if (last === undefined || last.url !== req.url || last.query === query) return;
  if (isDeepStrictEqual(last.query, query)) return;
  const message =
    'The object that req.query returned was changed, but each read of req.query parses the URL again, so the change is ' +
    "lost. Keep the object in a variable, or enable the setting 'query writable'.";
  warnOnce('RISTRETTO_LOST_QUERY', message, placeOf(last.trace) ?? null);
}
