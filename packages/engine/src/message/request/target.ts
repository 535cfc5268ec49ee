/** `req.path`: the part of the URL against which routes are matched. */
import { pathnameOf } from '../../protocol/url';
import type { Request } from '../../types/core';

/** `req.path`: the path of `req.url`, as it was sent, without the query. */
export function path(this: Request): string | null {
  return pathnameOf(this.url) ?? null;
}
