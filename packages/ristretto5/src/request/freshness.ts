/** `req.fresh`: whether the client's cached copy is still valid. */
import { isRequestFresh } from '@ristretto/private-engine/lib/request';
import type { Request } from '../types/core';

/**
 * Whether a GET, HEAD or QUERY is conditional and its condition holds against the `ETag` and `Last-Modified` set on the
 * response so far. A date counts only if the client sent no tag (RFC 9110, section 13.2.2).
 *
 * @example if (req.fresh) res.status(304).end();
 */
export function fresh(this: Request): boolean {
  return isRequestFresh(this as never, true);
}
