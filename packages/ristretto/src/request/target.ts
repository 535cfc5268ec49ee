/** Members of a request that are parts of its URL: the path, the query, and the parsed URL that tools read. */
import { parseTarget, pathnameOf } from '../protocol/url';
import type { ParsedTarget } from '../protocol/url';
import type { Request } from '../types/core';

/**
 * `req.path`: the path of `req.url`, as it was sent, without the query.
 *
 * @returns null for a URL without a path, which only an application can make
 * @example
 * req.path; // '/users/7' for /users/7?sort=name
 */
export function path(this: Request): string | null {
  return pathnameOf(this.url) ?? null;
}

const PARSED_URL: unique symbol = Symbol('parsed URL');

interface ParsedRequest {
  url: string;
  [PARSED_URL]?: ParsedTarget | undefined;
}

/**
 * `req._parsedUrl`: all parts of `req.url`, parsed when it is read and kept until the URL is another.
 *
 * @throws TypeError `ERR_INVALID_URL` for an absolute URL with an impossible host
 */
export function parsedUrl(this: ParsedRequest): ParsedTarget {
  const kept = this[PARSED_URL];
  if (kept?._raw === this.url) return kept;
  return (this[PARSED_URL] = parseTarget(this.url));
}

/** What `parseurl` and tools built on it set once they have parsed the URL themselves. */
export function setParsedUrl(this: ParsedRequest, value: ParsedTarget | undefined): void {
  this[PARSED_URL] = value;
}
