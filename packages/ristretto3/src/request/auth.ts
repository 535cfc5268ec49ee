/** `req.auth`: the credentials of HTTP Basic authentication (RFC 7617). */
import depd = require('depd');
import type { Request } from '../types/core';

const deprecate = depd('express');

/**
 * Returns the name and the password in the request's `Authorization` header; neither is checked.
 *
 * @returns undefined if the header is missing, has another scheme, or is malformed
 * @example req.auth; // { username: 'tobi', password: 'ferret' }
 */
export function auth(this: Request): { username: string; password: string } | undefined {
  deprecate('req.auth: Use basic-auth npm module instead');
  const [scheme, encoded, ...more] = (this.headers.authorization ?? '').trim().split(/ +/, 3);
  if (scheme!.toLowerCase() !== 'basic' || !encoded || more.length > 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
