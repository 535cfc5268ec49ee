// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- global types, which an import would not keep in the declarations
/// <reference path="../global.d.ts" preserve="true" />
/** Sessions: `req.session` holds the data of a client, which a store keeps between requests. */
import type { CipherKey } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import depd = require('depd');
import type express = require('express');
import { addResponseHook } from '@ristretto/response-hooks';
import { findCookie, Keyed } from '@ristretto/signed-cookies';
import { Cookie } from './cookie';
import type { CookieData } from './cookie';
import { debug } from './debug';
import { RequestSession, callStore, idOf, isSecure, peek } from './request-session';
import type { Settings } from './request-session';
import { Session } from './session';
import { generateId } from './session-id';
import type { Callback, SessionRequest, StoredData } from './session-request';
import { MemoryStore, Store } from './store';

const deprecate = depd('express-session');
const parseUrl = require('parseurl') as {
  original(req: IncomingMessage): { pathname: string | null } | undefined;
};
const isProduction = process.env.NODE_ENV === 'production';

/** The maximum duration of a store call in milliseconds, unless `storeTimeout` is set. */
const STORE_TIMEOUT = 30_000;

/**
 * Create middleware that gives each client a session, `req.session`, which is identified by a signed cookie.
 *
 * @param options `secret` (required), `store`, `resave`, `saveUninitialized`, `rolling`, `name` (`'connect.sid'`),
 * `cookie`, `genid`, `proxy`, `unset`, `storeTimeout`
 * @throws TypeError for an invalid option
 * @example
 * app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
 * app.get('/', (req, res) => res.send(String((req.session.views = (req.session.views ?? 0) + 1))));
 */
function session(options?: session.SessionOptions): express.RequestHandler {
  const given = (options || {}) as GivenOptions;
  const cookieOptions = given.cookie || {};
  const newId = given.genid || generateId;
  const store = given.store || new MemoryStore();
  const secret: unknown = given.secret;
  let { resave, saveUninitialized } = given;

  if (typeof newId !== 'function') throw new TypeError('genid option must be a function');
  if (resave === undefined) {
    deprecate('undefined resave option; provide resave option');
    resave = true;
  }
  if (saveUninitialized === undefined) {
    deprecate('undefined saveUninitialized option; provide saveUninitialized option');
    saveUninitialized = true;
  }
  if (given.unset && given.unset !== 'destroy' && given.unset !== 'keep') {
    throw new TypeError('unset option must be "destroy" or "keep"');
  }
  if (Array.isArray(secret) && secret.length === 0) {
    throw new TypeError('secret option array must contain one or more strings');
  }
  if (!secret) deprecate('req.secret; provide secret option');
  const keys = secret ? [secret].flat().map(each => new Keyed(each as CipherKey)) : undefined;
  if (isProduction && store instanceof MemoryStore) {
    // eslint-disable-next-line no-console -- express-session prints it there
    console.warn(MEMORY_WARNING);
  }

  const proxy = given.proxy;
  const optionsFor = (req: SessionRequest): Partial<CookieData> =>
    typeof cookieOptions === 'function' ? cookieOptions(req) : cookieOptions;
  const settings: Settings = {
    name: given.name || given.key || 'connect.sid',
    store,
    generate(req) {
      const resolved = optionsFor(req);
      req.sessionID = newId(req);
      const created = new Session(req);
      req.session = created;
      const cookie = (created.cookie = new Cookie(resolved));
      if (resolved.secure === 'auto') cookie.secure = isSecure(req, proxy);
      if (resolved.sameSite === 'auto') cookie.sameSite = isSecure(req, proxy) ? 'none' : 'lax';
    },
    newId,
    create(req, id) {
      const created = new Session(req, undefined, id);
      created.cookie = new Cookie(cookieOptions as Partial<CookieData>);
      return created;
    },
    createsLate: !given.genid && !saveUninitialized && isFixed(cookieOptions),
    isMemory: store.constructor === MemoryStore,
    hasTouch: typeof store.touch === 'function',
    resave: Boolean(resave),
    rolling: Boolean(given.rolling),
    saveUninitialized: Boolean(saveUninitialized),
    destroysUnset: given.unset === 'destroy',
    proxy,
    storeTimeout: timeoutOf(given.storeTimeout),
  };
  let isConnected = true;
  store.generate = settings.generate;
  store.on('disconnect', () => {
    isConnected = false;
  });
  store.on('connect', () => {
    isConnected = true;
  });

  function session(req: SessionRequest, res: ServerResponse, next: Callback): void {
    if (peek(req)) {
      next();
      return;
    }
    if (!isConnected) {
      debug?.('store is disconnected');
      next();
      return;
    }
    if (!isBelow(req, optionsFor(req).path || '/')) {
      debug?.('pathname mismatch');
      next();
      return;
    }
    const verifying = keys ?? keysOf(req.secret);
    if (verifying === undefined) {
      next(new Error('secret option required for sessions'));
      return;
    }
    req.sessionStore = store;
    const id = sentId(req, settings.name, verifying);
    req.sessionID = id!;
    const record = new RequestSession(settings, req, next, verifying, id);
    // Without a response, as for WebSockets, the session can be read, and stored by calling its methods.
    if (typeof res?.writeHead === 'function' && typeof res.end === 'function') {
      if (!res.headersSent) addResponseHook(res, record);
      else if (!res.writableEnded) record.storeAfter(res);
    }

    if (!id) {
      debug?.('no SID sent, generating session');
      record.generate();
      next();
      return;
    }
    debug?.('fetching %s', id);
    callStore<StoredData | null>(
      settings,
      done => store.get(id, done),
      (error, data) => {
        if (error && (error as { code?: unknown }).code !== 'ENOENT') {
          debug?.('error %j', error);
          next(error);
          return;
        }
        try {
          if (error || !data) {
            debug?.('no session found');
            record.generate();
          } else {
            debug?.('session found');
            record.load(data);
          }
        } catch (error) {
          next(error);
          return;
        }
        next();
      },
    );
  }
  return session as unknown as express.RequestHandler;
}

type CookieFunction = (req: SessionRequest) => Partial<CookieData>;

/** Options as JavaScript programs pass them. */
interface GivenOptions {
  cookie?: Partial<CookieData> | CookieFunction;
  genid?: (req: SessionRequest) => string;
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

const MEMORY_WARNING =
  'Warning: connect.session() MemoryStore is not\n' +
  'designed for a production environment, as it will leak\n' +
  'memory, and will not scale past a single process.';

/** Whether cookies with these options are the same whenever they are created, and can be created. */
function isFixed(options: unknown): boolean {
  if (typeof options !== 'object') return false;
  const { expires, maxAge, secure, sameSite } = options as Partial<CookieData> & { maxAge?: unknown };
  return expires == null && maxAge == null && secure !== 'auto' && sameSite !== 'auto';
}

function timeoutOf(given: unknown): number {
  if (given === undefined) return STORE_TIMEOUT;
  if (typeof given === 'number' && given >= 0 && given < 2 ** 31) return given;
  throw new TypeError(
    `storeTimeout option must be a number of milliseconds, or 0 for no limit, got ${JSON.stringify(given)}`,
  );
}

/** Returns whether the path of the request, as the client has sent it, begins with the path of the cookie. */
function isBelow(req: SessionRequest, path: string): boolean {
  if (path === '/' && (req.originalUrl ?? req.url)?.startsWith('/')) return true;
  return (parseUrl.original(req)?.pathname || '/').startsWith(path);
}

/** The secret of the cookie parser that was used last, and its key. */
let parserSecret: string | undefined;
let parserKeys: Keyed[] = [];

function keysOf(secret: string | undefined): Keyed[] | undefined {
  if (!secret) return undefined;
  if (secret !== parserSecret) {
    parserKeys = [new Keyed(secret)];
    parserSecret = secret;
  }
  return parserKeys;
}

/** Returns the ID that the client has sent with a valid signature. */
function sentId(req: SessionRequest, name: string, keys: readonly Keyed[]): string | undefined {
  const header = req.headers.cookie;
  const value = header && findCookie(header, name);
  const id = value && idOf(value, keys);
  if (id) return id;
  const parsed = req.signedCookies?.[name];
  if (parsed) {
    deprecate('cookie should be available in req.headers.cookie');
    return parsed as string;
  }
  const raw = req.cookies?.[name] as string | undefined;
  const unsigned = raw && idOf(raw, keys);
  if (unsigned) deprecate('cookie should be available in req.headers.cookie');
  return unsigned || undefined;
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
