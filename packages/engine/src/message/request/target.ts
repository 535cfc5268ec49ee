/** `req.path`: the part of the URL against which routes are matched. */
import { pathnameOf } from '../../protocol/url';
import type { Request } from '../../types/core';

/**
 * `req.path`: the path of `req.url`, as it was sent, without the query.
 *
 * @returns null for a URL without a path, which only an application can set
 * @example
 * req.path; // '/users/7' for /users/7?sort=name
 */
export function path(this: Request): string | null {
  return pathnameOf(this.url) ?? null;
}
