/** Options of `res.cookie()` and `res.clearCookie()` (RFC 6265, section 4.1). */

declare module 'express-serve-static-core' {
  /** The attributes of a cookie; those left out take the defaults of RFC 6265. */
  interface CookieOptions {
    /** Time to live in milliseconds from now; sets `Max-Age` and `Expires`. */
    maxAge?: number | undefined;
    /** Sign the value, which needs cookie-parsing middleware with a secret. */
    signed?: boolean | undefined;
    /** When the cookie expires; left out, it lasts as long as the client's session. */
    expires?: Date | undefined;
    /** Keep the cookie from scripts of the page. */
    httpOnly?: boolean | undefined;
    /** The path below which the client sends the cookie, `/` by default. */
    path?: string | undefined;
    /** The domain that receives the cookie, the host that set it by default. */
    domain?: string | undefined;
    /** Send the cookie over TLS only. */
    secure?: boolean | undefined;
    /** Encodes the value, `encodeURIComponent` by default; must be synchronous. */
    encode?: ((value: string) => string) | undefined;
    /** The `SameSite` attribute; true means `strict`. */
    sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined;
    /** The `Priority` attribute. */
    priority?: 'low' | 'medium' | 'high';
    /** Keep the cookie in storage of its own for each top-level site. */
    partitioned?: boolean | undefined;
  }
}

export type { CookieOptions } from 'express-serve-static-core';
