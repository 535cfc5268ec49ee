/** `web.session()`: sessions in a store, with the package @ristretto/session and the options of 3.x. */
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { Handler, Request } from './connect';

/* eslint-disable @typescript-eslint/no-explicit-any -- a session holds what the application puts there */

interface SessionPackage {
  (options: object): Handler;
  Store: typeof session.Store;
  MemoryStore: typeof session.MemoryStore;
  Session: typeof session.Session;
  Cookie: typeof session.Cookie;
}

const sessions = require('@ristretto/session') as SessionPackage;

/**
 * Create middleware that gives each client a session, `req.session`, which is kept in a store and identified by a
 * signed cookie.
 * @param options `secret` (that of `cookieParser()` by default), `key` (the cookie's name, `'connect.sid'`), `store` (a
 * `MemoryStore`, for development), `cookie` (`path`, `httpOnly`, `maxAge`, `secure`, …), `proxy`, and those of
 * @ristretto/session: `rolling`, `resave`, `saveUninitialized`, `unset`, `genid`, `storeTimeout`
 * @example
 * app.use(web.cookieParser());
 * app.use(web.session({ secret: 'keyboard cat', cookie: { maxAge: 60000 } }));
 * app.get('/', (req, res) => res.send(String((req.session.visits = 1))));
 * // GET / -> 200 (Set-Cookie: connect.sid=…; Path=/; Expires=…; HttpOnly) 1
 */
function session(options: session.Options = {}): Handler {
  const { key, ...given } = options;
  const settings = {
    // The defaults of 3.x for options that the package requires.
    resave: true,
    saveUninitialized: true,
    name: key,
    ...given,
    store: given.store ?? new sessions.MemoryStore(),
  };
  let secret: unknown = given.secret;
  let handle = secret ? sessions(settings) : undefined;

  return function session(req, res, next) {
    if (!given.secret && req.secret !== secret) {
      secret = req.secret;
      handle = secret ? sessions({ ...settings, secret }) : undefined;
    }
    if (handle) handle(req, res, next);
    else next(new Error('secret option required for sessions: session({ secret }) or cookieParser(secret)'));
  };
}

Object.assign(session, {
  Store: sessions.Store,
  MemoryStore: sessions.MemoryStore,
  Session: sessions.Session,
  Cookie: sessions.Cookie,
});

declare namespace session {
  /** The base class of session stores, which implement `get`, `set` and `destroy`. */
  class Store extends EventEmitter {
    constructor(options?: object);
    get(id: string, done: (error: any, session?: any) => void): void;
    set(id: string, session: any, done?: (error?: any) => void): void;
    destroy(id: string, done?: (error?: any) => void): void;
    regenerate(req: Request, done: (error?: any) => void): void;
    load(id: string, done: (error: any, session?: Session) => void): void;
    createSession(req: Request, session: any): Session;
  }

  /** Keeps sessions in memory: for development only, because expired sessions are removed only when they are read. */
  class MemoryStore extends Store {
    all(done: (error: any, sessions?: Record<string, any>) => void): void;
    clear(done?: (error?: any) => void): void;
    length(done: (error: any, length?: number) => void): void;
    touch(id: string, session: any, done?: (error?: any) => void): void;
  }

  /** The class of `req.session`. */
  class Session {
    constructor(req: Request, data?: object);
    [name: string]: any;
    cookie: Cookie;
    touch(): this;
    resetMaxAge(): this;
    save(done?: (error?: any) => void): this;
    reload(done: (error?: any) => void): this;
    destroy(done?: (error?: any) => void): this;
    regenerate(done: (error?: any) => void): this;
  }

  /** The cookie of a session. */
  class Cookie {
    constructor(options?: CookieOptions | null);
    path: string;
    /** In milliseconds; null for a session that ends when the browser is closed. */
    maxAge: number | null;
    originalMaxAge: number | null;
    expires: Date | null;
    httpOnly: boolean;
    secure?: boolean;
    domain?: string;
    serialize(name: string, value: string): string;
  }

  interface CookieOptions {
    /** `'/'` by default. */
    path?: string | undefined;
    domain?: string | undefined;
    /** @default true */
    httpOnly?: boolean | undefined;
    /** In milliseconds; null, the default, for a session that ends when the browser is closed. */
    maxAge?: number | null | undefined;
    expires?: Date | null | undefined;
    secure?: boolean | 'auto' | undefined;
    sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined;
  }

  interface Options {
    /** The secret that signs the cookie; of several, the first signs, all verify. @default that of `cookieParser()` */
    secret?: string | string[] | undefined;
    /** The name of the cookie. @default 'connect.sid' */
    key?: string | undefined;
    /** The store of the sessions. @default a `MemoryStore`, which is for development */
    store?: Store | undefined;
    /** The attributes of the cookie. @default `path: '/'`, `httpOnly: true` */
    cookie?: CookieOptions | undefined;
    /** Whether to trust `X-Forwarded-Proto`. @default false */
    proxy?: boolean | undefined;
    /** Whether each response renews the cookie. @default false */
    rolling?: boolean | undefined;
    /** Whether to save a session that was not changed. @default true */
    resave?: boolean | undefined;
    /** Whether to save a new session that was not changed. @default true */
    saveUninitialized?: boolean | undefined;
    /** What happens to the stored session if `req.session` is deleted. @default 'keep' */
    unset?: 'destroy' | 'keep' | undefined;
    /** Returns the id of a new session. @default 24 random bytes */
    genid?: ((req: http.IncomingMessage) => string) | undefined;
    /** The longest time in milliseconds to wait for the store; 0 for no limit. @default 30000 */
    storeTimeout?: number | undefined;
  }
}

export = session;
