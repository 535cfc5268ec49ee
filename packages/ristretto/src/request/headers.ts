/** Headers of a request: by any spelling of their name, and whether a script of a page made the request. */
import type { Request } from '../types/core';

/**
 * `req.get` and `req.header`: the value of a header, whatever the case of its name. `Referer` and `Referrer`
 * are the same field.
 *
 * @param name - name of the field.
 * @returns the value; a list for `Set-Cookie`; undefined when the client did not send the field.
 * @throws TypeError when the name is missing or not text.
 * @example
 * req.get('Content-Type'); // 'text/html'
 */
export function header(this: Request, name: string): string | string[] | undefined {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const field = name.toLowerCase();
  const headers = this.headers as Record<string, string | string[] | undefined>;
  if (field === 'referer' || field === 'referrer') return headers.referrer || headers.referer;
  const value = headers[field];
  // A name such as `constructor` must not find what every object inherits.
  return typeof value === 'string' || Object.hasOwn(headers, field) ? value : undefined;
}

/** `req.xhr`: whether the request says `X-Requested-With: XMLHttpRequest`. */
export function xhr(this: Request): boolean {
  const requestedWith = this.get('X-Requested-With') ?? '';
  return requestedWith.toLowerCase() === 'xmlhttprequest';
}
