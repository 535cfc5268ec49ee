/** `req._parsedUrl`: the parts of the URL that tools read, on every request that comes through a router. */
import { parseTarget } from '../protocol/url';
import type { ParsedTarget } from '../protocol/url';

const PARSED_URL: unique symbol = Symbol('parsed URL');

interface ParsedRequest {
  url: string;
  [PARSED_URL]?: ParsedTarget | undefined;
}

/**
 * All parts of `req.url`, parsed when they are read and kept until the URL is another.
 *
 * @throws TypeError `ERR_INVALID_URL` for an absolute URL with an impossible host
 */
function parsedUrl(this: ParsedRequest): ParsedTarget {
  const kept = this[PARSED_URL];
  if (kept?._raw === this.url) return kept;
  return (this[PARSED_URL] = parseTarget(this.url));
}

/** What `parseurl` and tools built on it set once they have parsed the URL themselves. */
function setParsedUrl(this: ParsedRequest, value: ParsedTarget | undefined): void {
  this[PARSED_URL] = value;
}

const property: PropertyDescriptor = { configurable: true, get: parsedUrl, set: setParsedUrl };

/**
 * Gives an object the member, unless it has it: requests of applications inherit it, those that a router is given
 * directly, or that a layer in front of the application's own first ones sees, do not.
 * @returns whether it lacked it
 */
export function haveParsedUrl(req: object): boolean {
  if ('_parsedUrl' in req) return false;
  Object.defineProperty(req, '_parsedUrl', property);
  return true;
}
