/** Creates the middleware from its options: finds the session of each request, in the store or as a new one. */
import type { ServerResponse } from 'node:http';
import depd = require('depd');
import { addResponseHook } from '@ristretto/response-hooks';
import { findCookie } from '@ristretto/signed-cookies';
import type { Keyed } from '@ristretto/signed-cookies';
import { Cookie } from './cookie';
import type { CookieData } from './cookie';
import { debug } from './debug';
import { peek } from './request-session';
import { idOf, isBelow, isSecure, keysOf } from './sent-cookie';
import { Session } from './session';
import { SessionHook } from './session-hook';
import { generateId } from './session-id';
import type { Callback, Options, SessionRequest, Settings, StoredData } from './session-request';
import { MemoryStore } from './store';
import { acceptPromises, callStore } from './store-call';

const deprecate = depd('express-session');

type Middleware = (req: SessionRequest, res: ServerResponse, next: Callback) => void;

export function createMiddleware(options: Options): Middleware {
  const { cookie: cookieOptions, keys, proxy, saveUninitialized, store } = options;
  const newId = options.genid ?? generateId;
  const optionsFor = (req: SessionRequest): Partial<CookieData> =>
    typeof cookieOptions === 'function' ? cookieOptions(req) : cookieOptions;
  const settings: Settings = {
    ...options,
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
    createsLate: options.genid === undefined && !saveUninitialized && isFixed(cookieOptions),
    hasTouch: typeof store.touch === 'function',
    // Our own store in memory always calls back.
    storeTimeout: store.constructor === MemoryStore ? 0 : options.storeTimeout,
  };
  let isConnected = true;
  acceptPromises(store);
  store.generate = settings.generate;
  store.on('disconnect', () => {
    isConnected = false;
  });
  store.on('connect', () => {
    isConnected = true;
  });

  return function session(req, res, next) {
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
    const record = new SessionHook(settings, req, next, verifying, id);
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
    fetchSession(settings, id, record, next);
  };
}

/** A function of its own, so that only requests with a session allocate what its callbacks refer to. */
function fetchSession(
  { store, storeTimeout }: Settings,
  id: string,
  record: SessionHook,
  next: Callback,
): void {
  debug?.('fetching %s', id);
  const fetched = (error?: unknown, data?: StoredData | null): void => {
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
  };
  try {
    callStore<StoredData>(storeTimeout, callback => store.get(id, callback), fetched);
  } catch (error) {
    fetched(error);
  }
}

/** Whether cookies with these options are the same whenever they are created, and can be created. */
function isFixed(options: unknown): boolean {
  if (typeof options !== 'object') return false;
  const { expires, maxAge, secure, sameSite } = options as Partial<CookieData> & { maxAge?: unknown };
  return expires == null && maxAge == null && secure !== 'auto' && sameSite !== 'auto';
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
