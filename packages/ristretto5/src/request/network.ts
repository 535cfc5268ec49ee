/** `req.host`: the host and port that the client asked for. */
import { authorityOf } from 'ristretto/lib/request/network';
import type { Request } from '../types/core';

/**
 * The value of the `Host` field, or the first of `X-Forwarded-Host` where the peer is a trusted proxy.
 * @returns with the port, if there is one; undefined where there is no such field, or an empty one
 * @example req.host; // 'example.com:8080'
 */
export function host(this: Request): string | undefined {
  return authorityOf(this as never) || undefined;
}
