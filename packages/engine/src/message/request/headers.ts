/** Headers of a request: looked up by name in any case, and whether a script on a page made the request. */
import type { Request } from '../../types/core';

/**
 * `req.get` and `req.header`: returns the value of a header; its name is case-insensitive. `Referer` and `Referrer` are
 * the same header.
 */
export function header(this: Request, name: string): string | string[] | undefined {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const field = name.toLowerCase();
  const headers = this.headers as Record<string, string | string[] | undefined>;
  if (field === 'referer' || field === 'referrer') return headers.referrer || headers.referer;
  const value = headers[field];
  // A name such as `constructor` must not return an inherited member.
  return typeof value === 'string' || Object.hasOwn(headers, field) ? value : undefined;
}

/** `req.xhr`: whether the request has the header `X-Requested-With: XMLHttpRequest`. */
export function xhr(this: Request): boolean {
  const requestedWith = this.get('X-Requested-With') ?? '';
  return requestedWith.toLowerCase() === 'xmlhttprequest';
}
