import 'express';

declare module 'express' {
  interface Request {
    /** The secret that `res.cookie` signs with. */
    secret?: string | undefined;
    /** The cookies that are not signed. */
    cookies: Record<string, any>;
    /** The signed cookies; false if the signature is wrong. */
    signedCookies: Record<string, any>;
  }
}
