/** `web.cookieParser()`: the cookies of a request, those that are signed and those that are JSON included. */
import cookie = require('cookie');
import type { Handler } from './connect';
import { isSigned, unsign } from './signed-value';

type Cookies = Record<string, unknown>;

const JSON_MARK = 'j:';

/**
 * Middleware that fills `req.cookies`, and `req.signedCookies` where there is a secret. A cookie with a wrong
 * signature is `false` there. Values that begin with `j:` are parsed as JSON.
 *
 * @param secret what cookies are signed with; it is `req.secret` for the sessions behind
 * @param options `decode`: what makes the value of its text, `decodeURIComponent` by default
 * @throws TypeError for a secret that is not text
 * @example
 * app.use(web.cookieParser('keyboard cat'));
 * app.get('/', (req, res) => res.send(req.cookies.theme));
 * // GET / (Cookie: theme=dark) -> 200 dark
 */
function cookieParser(secret?: string, options?: cookieParser.Options): Handler {
  if (secret !== undefined && secret !== null && typeof secret !== 'string') {
    throw new TypeError(`cookieParser(): expected the secret to be a string, got ${typeof secret}`);
  }
  return function cookieParser(req, _res, next) {
    if (req.cookies) {
      next();
      return;
    }
    const parsed: Record<string, string> = cookie.parse(req.headers.cookie ?? '', options);
    req.secret = secret;
    req.signedCookies = secret ? JSONCookies(takeSigned(parsed, secret)) : {};
    req.cookies = JSONCookies(parsed);
    next();
  };
}

/** Takes the signed cookies out of all. */
function takeSigned(cookies: Record<string, string>, secret: string): Cookies {
  const signed = Object.create(null) as Cookies;
  for (const [name, value] of Object.entries(cookies)) {
    if (!isSigned(value)) continue;
    signed[name] = signedCookie(value, secret);
    delete cookies[name];
  }
  return signed;
}

/** The value of a JSON cookie; undefined for another one. */
function JSONCookie(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(JSON_MARK)) return undefined;
  try {
    return JSON.parse(value.slice(JSON_MARK.length));
  } catch {
    return undefined;
  }
}

/** Puts values in the place of JSON; gives the same object. */
function JSONCookies<T extends object>(cookies: T): T {
  for (const [name, value] of Object.entries(cookies)) {
    const parsed = JSONCookie(value);
    if (parsed) (cookies as Cookies)[name] = parsed;
  }
  return cookies;
}

/** The value of a signed cookie, false for a wrong signature; other text as it is, and undefined for what is no text. */
function signedCookie(value: unknown, secret: string): string | false | undefined {
  if (typeof value !== 'string') return undefined;
  return isSigned(value) ? unsign(value, secret) : value;
}

Object.assign(cookieParser, { JSONCookie, JSONCookies, signedCookie, signedCookies: takeSigned });

declare namespace cookieParser {
  /** The value of a JSON cookie; undefined for another one. */
  let JSONCookie: (value: unknown) => unknown;
  /** Puts the values of JSON cookies in the place of their text. */
  let JSONCookies: <T extends object>(cookies: T) => T;
  /** The value of a signed cookie, false for a wrong signature; other text as it is. */
  let signedCookie: (value: unknown, secret: string) => string | false | undefined;
  /** Takes the signed cookies out of all of them. */
  let signedCookies: (cookies: Record<string, string>, secret: string) => Record<string, unknown>;

  interface Options {
    /** Makes the value of a cookie of its text. @default `decodeURIComponent` */
    decode?(text: string): string;
  }
}

export = cookieParser;
