/** Options of `res.cookie()` and `res.clearCookie()` (RFC 6265, section 4.1). */

declare module 'express-serve-static-core' {
  /** The attributes of a cookie; omitted ones have the defaults of RFC 6265. */
  interface CookieOptions {
    /** Time to live in milliseconds from now; sets `Max-Age` and `Expires`. @default none: a session cookie */
    maxAge?: number | undefined;
    /** Sign the value; requires cookie-parsing middleware with a secret. @default false */
    signed?: boolean | undefined;
    /**
     * The expiry date of the cookie; without one, it lasts as long as the client's session.
     * @default none: a session cookie
     */
    expires?: Date | undefined;
    /** Make the cookie inaccessible to scripts of the page. @default false */
    httpOnly?: boolean | undefined;
    /** The path prefix for which the client sends the cookie. @default '/' */
    path?: string | undefined;
    /** The domain that receives the cookie. @default the host that set it */
    domain?: string | undefined;
    /** Send the cookie only over TLS. @default false */
    secure?: boolean | undefined;
    /** The function that encodes the value; must be synchronous. @default `encodeURIComponent` */
    encode?: ((value: string) => string) | undefined;
    /** The `SameSite` attribute; true means `strict`. @default none: the attribute is not sent */
    sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined;
    /** The `Priority` attribute. @default none */
    priority?: 'low' | 'medium' | 'high';
    /** Store the cookie separately for each top-level site. @default false */
    partitioned?: boolean | undefined;
  }
}

export type { CookieOptions } from 'express-serve-static-core';
