/** `res.cookie` and `res.clearCookie`: the Set-Cookie header (RFC 6265). */
import type CookieSignature = require('cookie-signature');
import depd = require('depd');
import { deferred } from '../../deferred';
import type { CookieOptions } from '../../types/cookie';
import type { Response } from '../../types/internals';
import { merge } from './merge';
import { mistakesOf } from './mistakes';

const deprecate = depd('express');
const cookies = deferred(() => require('cookie') as CookieModule);
const signatures = deferred(() => require('cookie-signature') as typeof CookieSignature);

/**
 * Sets a cookie; may be called several times. A name, value, domain or path that could inject other attributes throws
 * (CVE-2024-47764).
 */
export function cookie(this: Response, name: string, value: unknown, options?: CookieOptions): Response {
  const attributes = merge<CookieOptions>({}, options);
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- even a function is sent as its text
  let text = typeof value === 'object' ? 'j:' + JSON.stringify(value) : String(value);

  if (attributes.signed) {
    const { secret } = this.req;
    if (!secret) throw new Error('cookieParser("secret") required for signed cookies');
    mistakesOf(this)?.checkSecret(secret);
    text = 's:' + signatures().sign(text, secret as string);
  }
  // The attribute is in seconds, and old browsers support only Expires.
  if (attributes.maxAge != null) {
    const milliseconds = attributes.maxAge - 0;
    if (!Number.isNaN(milliseconds)) {
      attributes.expires = new Date(Date.now() + milliseconds);
      attributes.maxAge = Math.floor(milliseconds / 1000);
    }
  }
  attributes.path ??= '/';
  if (options !== undefined) mistakesOf(this)?.checkCookie(name, options, this.req);
  return this.append('Set-Cookie', cookies().serialize(name, text, attributes));
}

/**
 * Makes the client delete a cookie. The options must be those with which it was set, except `expires` and `maxAge`,
 * which are deprecated here.
 */
export function clearCookie(this: Response, name: string, options?: CookieOptions): Response {
  if (options?.maxAge) deprecate(ignoredSoon('maxAge'));
  if (options?.expires) deprecate(ignoredSoon('expires'));
  return this.cookie(name, '', merge({ expires: new Date(1), path: '/' }, options));
}

function ignoredSoon(option: string): string {
  return (
    `res.clearCookie: Passing "options.${option}" is deprecated. In v5.0.0 of Express, this option will be ` +
    'ignored, as res.clearCookie will automatically set cookies to expire immediately. ' +
    'Please update your code to omit this option.'
  );
}

/** The part of `cookie` 0.7 that is used here; the package has no types. */
interface CookieModule {
  serialize(name: string, value: string, options: CookieOptions): string;
}
