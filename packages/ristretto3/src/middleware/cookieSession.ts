/** `web.cookieSession()`: sessions that are stored in a signed cookie. */
import type { TLSSocket } from 'node:tls';
import onHeaders = require('on-headers');
import { pathnameOf } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Request } from './connect';
import sessions = require('./session');

interface Keyed {
  sign(text: string): string;
}

const { findCookie, Keyed, unsign } = require('@ristretto/signed-cookies') as {
  findCookie(header: string, name: string): string | undefined;
  Keyed: new (secret: string) => Keyed;
  unsign(signed: string, keys: Keyed[]): string | false;
};

const DEFAULT_KEY = 'web.sess';
/** The cookie name that Express uses: sessions of a migrated application stay valid. */
const FORMER_KEY = 'connect.sess';
/** Precedes the text in the value of a signed cookie. */
const MARK = 's:';

type Session = Record<string, unknown>;

/**
 * Create middleware that stores `req.session` in a cookie, which the client can read but not change. The cookie is sent
 * if the session was changed, and with the secret of `cookieParser()` in each response, which renews its expiry;
 * `req.session = null` clears it.
 * @param options `key` (the cookie's name, `'web.sess'`), `secret` (that of `cookieParser()` by default), `cookie`
 * (path `'/'`, httpOnly true, maxAge null by default) and `proxy` (whether to trust `X-Forwarded-Proto`; a `secure`
 * cookie is only sent over a secure connection)
 * @express the cookie is `connect.sess` by default, and `cookieParser()` must be mounted before it
 * @example
 * app.use(web.cookieSession({ secret: 'keyboard cat', cookie: { maxAge: 60 * 60 * 1000 } }));
 * app.get('/', (req, res) => res.send(String((req.session.visits = 1))));
 * // GET / -> 200 (Set-Cookie: web.sess=…; Path=/; Expires=…; HttpOnly) 1
 */
function cookieSession(options: cookieSession.Options = {}): Handler {
  const keys = options.key === undefined ? [DEFAULT_KEY, FORMER_KEY] : [options.key];
  const key = keys[0]!;

  return function cookieSession(req, res, next) {
    const secret = options.secret ?? req.secret;
    if (!secret) {
      next(
        new Error(
          '`secret` option required for cookie sessions: cookieSession({ secret }) or cookieParser(secret)',
        ),
      );
      return;
    }
    const cookie = new sessions.Cookie(options.cookie);
    req.session = { cookie };
    if (!pathnameOf(req.originalUrl ?? req.url!)?.startsWith(cookie.path)) {
      next();
      return;
    }
    const signing = new Keyed(secret);
    const header = req.headers.cookie ?? '';
    const found = keys.find(name => findCookie(header, name) !== undefined);
    const before = found === undefined ? undefined : signedText(findCookie(header, found)!, signing);
    if (before !== undefined) req.session = { ...parse(before), cookie };

    onHeaders(res, () => {
      const fields: string[] = [];
      if (!req.session) {
        cookie.expires = new Date(0);
        fields.push(cookie.serialize(key, ''));
        if (found !== undefined && found !== key) fields.push(cookie.serialize(found, ''));
      } else {
        const after = stringify(req.session as Session);
        // As in Express 3, a cookie that `cookieParser(secret)` has verified is sent again, which renews its expiry
        const isSaved = found === key && before === after && req.secret !== secret;
        if (isSaved || (cookie.secure && !isSecure(req, options.proxy === true))) return;
        fields.push(cookie.serialize(key, MARK + signing.sign(after)));
      }
      for (const field of fields) res.appendHeader('Set-Cookie', field);
    });
    next();
  };
}

/** Returns the signed text; `undefined` if the signature is missing or wrong. */
function signedText(value: string, signing: Keyed): string | undefined {
  const text = value.startsWith(MARK) && unsign(value.slice(MARK.length), [signing]);
  return text === false ? undefined : text;
}

function parse(text: string): Session {
  try {
    const value: unknown = text.startsWith('j:') ? JSON.parse(text.slice(2)) : undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Session) : {};
  } catch {
    return {};
  }
}

function stringify({ cookie: _cookie, ...session }: Session): string {
  return 'j:' + JSON.stringify(session);
}

function isSecure(req: Request, trustsProxy: boolean): boolean {
  if ((req.socket as Partial<TLSSocket>).encrypted) return true;
  const proto = req.headers['x-forwarded-proto'];
  return trustsProxy && String(proto).split(',', 1)[0]!.trim().toLowerCase() === 'https';
}

declare namespace cookieSession {
  interface Options {
    /** The name of the cookie. @default 'web.sess' */
    key?: string | undefined;
    /** The secret with which the cookie is signed. @default that of `cookieParser()` */
    secret?: string | undefined;
    /** The attributes of the cookie. @default path `'/'`, httpOnly true */
    cookie?: sessions.CookieOptions | undefined;
    /** Whether to trust the reverse proxy's `X-Forwarded-Proto`. @default false */
    proxy?: boolean | undefined;
  }
}

export = cookieSession;
