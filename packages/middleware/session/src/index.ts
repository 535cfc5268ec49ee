// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- global types, which an import would not keep in the declarations
/// <reference path="../global.d.ts" preserve="true" />
/** Sessions: `req.session` holds the data of a client, which a store keeps between requests. */
import type { CipherKey } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { inspect, types } from 'node:util';
import type express = require('express');
import depd = require('depd');
import { Keyed } from '@ristretto/signed-cookies';
import { Cookie } from './cookie';
import type { CookieData } from './cookie';
import { createMiddleware } from './middleware';
import { Session } from './session';
import type { CookieFunction, SessionRequest } from './session-request';
import { MemoryStore, Store } from './store';

const deprecate = depd('express-session');
const { NODE_ENV: mode = '', RISTRETTO_WARNINGS: warnings } = process.env;

/** The maximum duration of a store call in milliseconds, unless `storeTimeout` is set. */
const STORE_TIMEOUT = 30_000;

/**
 * Create middleware that gives each client a session, `req.session`, which is identified by a signed cookie.
 * @param options `secret` (required), `store`, `resave`, `saveUninitialized`, `rolling`, `name` (`'connect.sid'`),
 * `cookie`, `genid`, `proxy`, `unset`, `storeTimeout`
 * @throws TypeError for an invalid option
 * @example
 * app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
 * app.get('/', (req, res) => res.send(String((req.session.views = (req.session.views ?? 0) + 1))));
 */
function session(options?: session.SessionOptions): express.RequestHandler {
  const given = (options || {}) as GivenOptions;
  const store = given.store || new MemoryStore();
  const { genid, secret, unset } = given;
  let { resave, saveUninitialized } = given;
  if (genid && typeof genid !== 'function') throw new TypeError('genid option must be a function');
  if (resave === undefined) {
    deprecate('undefined resave option; provide resave option');
    resave = true;
  }
  if (saveUninitialized === undefined) {
    deprecate('undefined saveUninitialized option; provide saveUninitialized option');
    saveUninitialized = true;
  }
  if (unset && unset !== 'destroy' && unset !== 'keep') {
    throw new TypeError('unset option must be "destroy" or "keep"');
  }
  if (Array.isArray(secret) && secret.length === 0) {
    throw new TypeError('secret option array must contain one or more strings');
  }
  if (!secret) {
    deprecate('req.secret; provide secret option');
    if ((mode === '' || mode === 'development') && warnings !== 'off')
      process.emitWarning(NO_SECRET, { type: 'RistrettoWarning', code: 'RISTRETTO_SESSION_SECRET' });
  }
  checkCookie(given.name || given.key || 'connect.sid', given.cookie);
  const keys = secret ? [secret].flat().map(each => new Keyed(each as CipherKey)) : undefined;
  if (mode === 'production' && store instanceof MemoryStore) {
    // eslint-disable-next-line no-console -- express-session prints it there
    console.warn(MEMORY_WARNING);
  }
  return createMiddleware({
    cookie: given.cookie || {},
    genid: (genid as GenerateId | null) || undefined,
    keys,
    name: given.name || given.key || 'connect.sid',
    proxy: given.proxy,
    resave: Boolean(resave),
    rolling: Boolean(given.rolling),
    saveUninitialized: Boolean(saveUninitialized),
    store,
    storeTimeout: timeoutOf(given.storeTimeout),
    unset: unset === 'destroy' ? 'destroy' : 'keep',
  }) as unknown as express.RequestHandler;
}

/** @throws TypeError for a name or an attribute, such as a `maxAge` of `'1 day'`, with which no cookie can be set */
function checkCookie(name: string, cookie: GivenOptions['cookie']): void {
  const given = typeof cookie === 'object' ? cookie : {};
  const { maxAge, ...others } = given as { maxAge?: unknown } & Partial<CookieData>;
  if (maxAge && typeof maxAge !== 'number' && !types.isDate(maxAge))
    throw new TypeError(`cookie.maxAge must be a number of milliseconds, got ${inspect(maxAge)}`);
  const sameSite = others.sameSite === 'auto' || others.sameSite;
  const expires: unknown = others.expires;
  try {
    // Milliseconds become a date when a session begins.
    const dated = { ...others, expires: typeof expires === 'number' ? null : (expires as Date) };
    new Cookie({ ...dated, sameSite }).serialize(name, 'id');
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`session() can set no cookie ${inspect(name)} with ${inspect(given)}: ${message}`);
  }
}

type GenerateId = (req: SessionRequest) => string;

/** Options as JavaScript programs pass them. */
interface GivenOptions {
  cookie?: Partial<CookieData> | CookieFunction;
  genid?: unknown;
  key?: string;
  name?: string;
  proxy?: boolean;
  resave?: unknown;
  rolling?: unknown;
  saveUninitialized?: unknown;
  secret?: unknown;
  store?: Store;
  storeTimeout?: unknown;
  unset?: unknown;
}

const NO_SECRET =
  'session() got no secret, so that each request fails unless earlier middleware sets req.secret. Pass one: session({ secret: process.env.SESSION_SECRET }).';

const MEMORY_WARNING =
  'Warning: connect.session() MemoryStore is not\n' +
  'designed for a production environment, as it will leak\n' +
  'memory, and will not scale past a single process.';

function timeoutOf(given: unknown): number {
  if (given === undefined) return STORE_TIMEOUT;
  if (typeof given === 'number' && given >= 0 && given < 2 ** 31) return given;
  throw new TypeError(
    `storeTimeout option must be a number of milliseconds, or 0 for no limit, got ${JSON.stringify(given)}`,
  );
}

Object.assign(session, { Store, Cookie, Session, MemoryStore });

// Never runs: Node.js finds the names for `import { Store } from` by reading this text.
if (false as boolean) {
  /* eslint-disable @typescript-eslint/no-unsafe-member-access -- `exports` has no type */
  exports.Store = exports.Cookie = exports.Session = exports.MemoryStore = undefined;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- errors of stores are whatever they pass; the types of
   @types/express-session, against which stores and applications are written */
declare namespace session {
  interface SessionOptions {
    /**
     * The secret with which the cookie is signed. With several, the first one signs and each is accepted, so that a
     * secret can be replaced.
     */
    secret: CipherKey | CipherKey[];
    /** Returns a new, unique and unpredictable ID. @default 24 random bytes */
    genid?(req: express.Request): string;
    /** The name of the cookie. @default 'connect.sid' */
    name?: string | undefined;
    /** Where sessions are kept. @default a new MemoryStore, for development */
    store?: Store | undefined;
    /** Attributes of the cookie, or a function that returns them. @default { path: '/', httpOnly: true, secure: false, maxAge: null } */
    cookie?: CookieOptions | ((req: express.Request) => CookieOptions) | undefined;
    /** Send the cookie with every response, so that it expires `maxAge` after the last one. @default false */
    rolling?: boolean | undefined;
    /** Store sessions that have not changed. @default true, with a deprecation warning */
    resave?: boolean | undefined;
    /** Trust `X-Forwarded-Proto` for `secure` cookies. @default the setting 'trust proxy' of the application */
    proxy?: boolean | undefined;
    /** Store new sessions that have not been changed. @default true, with a deprecation warning */
    saveUninitialized?: boolean | undefined;
    /** What happens to the stored session if `req.session` is deleted or set to null. @default 'keep' */
    unset?: 'destroy' | 'keep' | undefined;
    /** The longest time in milliseconds to wait for the store; 0 for no limit. @default 30000 */
    storeTimeout?: number | undefined;
  }

  class Session {
    private constructor(request: Express.Request, data: SessionData);

    /** The ID of the session. */
    id: string;
    /** The cookie of the session; changes of its attributes are sent. */
    cookie: Cookie;

    /**
     * Replace the session with a new one that has another ID. Call it when a user logs in, to prevent session
     * fixation.
     */
    regenerate(callback: (err: any) => void): this;
    regenerate(): Promise<void>;
    /** Delete the session: `req.session`, and the data in the store. */
    destroy(callback: (err: any) => void): this;
    destroy(): Promise<void>;
    /** Replace `req.session` with the data in the store. */
    reload(callback: (err: any) => void): this;
    reload(): Promise<void>;
    /** Set `cookie.maxAge` to its original value. */
    resetMaxAge(): this;
    /** Store the session now. Otherwise, it is stored at the end of the response if it has changed. */
    save(callback: (err: any) => void): this;
    save(): Promise<void>;
    /** Restart the time until the session expires; this happens with each response. */
    touch(): this;
  }

  /** The data of a session; merge your own members into it. */
  interface SessionData {
    cookie: Cookie;
  }

  interface CookieOptions {
    /** Milliseconds until the session expires. @default none: until the client is closed */
    maxAge?: number | undefined;
    /** Separate the cookie by the site that embeds this one. @default false */
    partitioned?: boolean | undefined;
    /** Which cookies a client keeps longer. */
    priority?: 'low' | 'medium' | 'high' | undefined;
    signed?: boolean | undefined;
    /** When the cookie expires; use `maxAge`. */
    expires?: Date | null | undefined;
    /** Hide the cookie from scripts of the page. @default true */
    httpOnly?: boolean | undefined;
    /** The path below which sessions exist. @default '/' */
    path?: string | undefined;
    /** The domain that receives the cookie. @default the host that set it */
    domain?: string | undefined;
    /** Send the cookie only over TLS; 'auto' if this connection is. @default false */
    secure?: boolean | 'auto' | undefined;
    encode?: ((val: string) => string) | undefined;
    /**
     * With which requests from other sites the cookie is sent; 'auto' is 'none' over TLS and otherwise 'lax'.
     * @default false
     */
    sameSite?: boolean | 'lax' | 'strict' | 'none' | 'auto' | undefined;
  }

  class Cookie implements CookieOptions {
    constructor(options?: CookieOptions);
    /** The original time to live in milliseconds. */
    originalMaxAge: number | null;
    maxAge?: number | undefined;
    signed?: boolean | undefined;
    expires?: Date | null | undefined;
    httpOnly?: boolean | undefined;
    path?: string | undefined;
    domain?: string | undefined;
    secure?: boolean | 'auto' | undefined;
    sameSite?: boolean | 'lax' | 'strict' | 'none' | 'auto' | undefined;
    partitioned?: boolean | undefined;
    priority?: 'low' | 'medium' | 'high' | undefined;
  }

  abstract class Store extends EventEmitter {
    regenerate(req: express.Request, callback: (err?: any) => any): void;
    load(sid: string, callback: (err: any, session?: SessionData) => any): void;
    createSession(req: express.Request, session: SessionData): Session & SessionData;
    /** Get a session by its ID. */
    abstract get(sid: string, callback: (err: any, session?: SessionData | null) => void): void;
    /** Insert or replace a session. */
    abstract set(sid: string, session: SessionData, callback?: (err?: any) => void): void;
    /** Delete a session. */
    abstract destroy(sid: string, callback?: (err?: any) => void): void;
    /** Get all sessions. */
    all?(callback: (err: any, obj?: SessionData[] | Record<string, SessionData> | null) => void): void;
    /** Get the number of sessions. */
    length?(callback: (err: any, length?: number) => void): void;
    /** Delete all sessions. */
    clear?(callback?: (err?: any) => void): void;
    /** Store the expiry of a session, without its data. */
    touch?(sid: string, session: SessionData, callback?: () => void): void;
  }

  /** Keeps sessions in the memory of the process: for development. */
  class MemoryStore extends Store {
    get(sid: string, callback: (err: any, session?: SessionData | null) => void): void;
    set(sid: string, session: SessionData, callback?: (err?: any) => void): void;
    destroy(sid: string, callback?: (err?: any) => void): void;
    all(callback: (err: any, obj?: Record<string, SessionData> | null) => void): void;
    length(callback: (err: any, length?: number) => void): void;
    clear(callback?: (err?: any) => void): void;
    touch(sid: string, session: SessionData, callback?: () => void): void;
  }
}

export = session;
