/** `req._parsedUrl`: the parts of the URL that tools read, on every request that passes a router. */
import { parseTarget } from '../protocol/url';
import type { ParsedTarget } from '../protocol/url';

const PARSED_URL: unique symbol = Symbol('parsed URL');

interface ParsedRequest {
  url: string;
  [PARSED_URL]?: ParsedTarget | undefined;
}

/**
 * Returns all parts of `req.url`, parsed on access and cached until the URL changes.
 *
 * @throws TypeError `ERR_INVALID_URL` for an absolute URL with an invalid host
 */
function parsedUrl(this: ParsedRequest): ParsedTarget {
  const kept = this[PARSED_URL];
  if (kept?._raw === this.url) return kept;
  return (this[PARSED_URL] = parseTarget(this.url));
}

/** Stores the value that `parseurl` and tools based on it set after they have parsed the URL themselves. */
function setParsedUrl(this: ParsedRequest, value: ParsedTarget | undefined): void {
  this[PARSED_URL] = value;
}

const property: PropertyDescriptor = { configurable: true, get: parsedUrl, set: setParsedUrl };

/**
 * Defines the member on a prototype, or on a request that does not inherit it: one that is passed directly to a router,
 * or to a layer before the application's own first ones.
 */
export function defineParsedUrl(req: object): void {
  Object.defineProperty(req, '_parsedUrl', property);
}
