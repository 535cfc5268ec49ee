/** `res.clearCookie`: makes the client delete a cookie. */
import type { CookieOptions } from '@ristretto/private-engine/lib/types/cookie';
import type { Response } from '@ristretto/private-engine/lib/types/internals';

/**
 * Sets a cookie that has expired. The options must be those it was set with; `expires` and `maxAge` are ignored.
 *
 * @returns the response, for chaining
 * @example res.clearCookie('theme', { path: '/admin' });
 */
export function clearCookie(this: Response, name: string, options?: CookieOptions): Response {
  const attributes = { path: '/', ...options, expires: new Date(1) };
  delete attributes.maxAge;
  return this.cookie(name, '', attributes);
}
