declare namespace Express {
  interface Request extends CookieSessionInterfaces.CookieSessionRequest {}
}

declare namespace CookieSessionInterfaces {
  interface CookieSessionOptions {
    /** The name of the cookie. @default 'session' */
    name?: string | undefined;
    /** The secrets, or a Keygrip. The first one signs, and all are accepted, so that a secret can be replaced. */
    keys?: string[] | Keys | undefined;
    /** The only secret, if there are no `keys`. */
    secret?: string | undefined;
    /** Milliseconds until the cookie expires. @default none: until the client is closed */
    maxAge?: number | undefined;
    /** When the cookie expires. */
    expires?: Date | undefined;
    /** The path below which the client sends the cookie. @default '/' */
    path?: string | undefined;
    /** The domain that receives the cookie. @default the host that set it */
    domain?: string | undefined;
    /** Which cookies a client keeps longer. */
    priority?: 'low' | 'medium' | 'high' | undefined;
    /** With which requests from other sites the cookie is sent; true is 'strict'. @default false */
    sameSite?: 'strict' | 'lax' | 'none' | boolean | undefined;
    /** Send the cookie only over TLS. @default true on a secure connection */
    secure?: boolean | undefined;
    /** Whether to mark the cookie as secure on a connection without TLS. @deprecated use `secure` */
    secureProxy?: boolean | undefined;
    /** Hide the cookie from scripts of the page. @default true */
    httpOnly?: boolean | undefined;
    /** Sign the cookie. @default true */
    signed?: boolean | undefined;
    /** Replace cookies of the same name in this response. @default true */
    overwrite?: boolean | undefined;
    /** Separate the cookie by the site that embeds this one. @default false */
    partitioned?: boolean | undefined;
    /** Give sessions `regenerate()` and `save()`, which Passport calls since 0.6. @default false */
    regenerate?: boolean | undefined;
  }

  /** An object that signs and checks signatures, as Keygrip does. */
  interface Keys {
    sign(data: any): string;
    index(data: any, digest: string): number;
    verify(data: any, digest: string): boolean;
  }

  interface CookieSessionObject {
    /** Whether the session has been changed during the request. */
    isChanged?: boolean | undefined;
    /** Whether the client has sent no session. */
    isNew?: boolean | undefined;
    /** Whether the session contains data. */
    isPopulated?: boolean | undefined;
    [propertyName: string]: any;
  }

  interface CookieSessionRequest {
    /** The session of the client; null removes it. */
    session?: CookieSessionObject | null | undefined;
    /** The options of the middleware, for this request alone. */
    sessionOptions: CookieSessionOptions;
  }
}
