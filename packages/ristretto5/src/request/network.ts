/** `req.host`: the host and port that the client requested. */
import { authorityOf } from '@ristretto/private-engine/lib/request';
import type { Request } from '@ristretto/private-engine/lib/types/internals';

/**
 * Returns the value of the `Host` header, or the first of `X-Forwarded-Host` if the peer is a trusted proxy.
 * @returns the host with the port, if there is one; undefined if the header is missing or empty
 * @example req.host; // 'example.com:8080'
 */
export function host(this: Request): string | undefined {
  return authorityOf(this) || undefined;
}
