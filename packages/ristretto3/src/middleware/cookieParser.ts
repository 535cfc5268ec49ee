/** `web.cookieParser()`: parses the cookies of a request, including signed cookies and JSON cookies. */
import cookie = require('cookie');
import type { Handler } from './connect';
import { isSigned, unsign } from './signed-value';

type Cookies = Record<string, unknown>;

const JSON_MARK = 'j:';

/**
 * Create middleware that sets `req.cookies`, and `req.signedCookies` if there is a secret. A signed cookie with a wrong
 * signature is `false`. Values that begin with `j:` are parsed as JSON.
 *
 * @param secret the secret with which cookies are signed; it is set as `req.secret` for session middleware
 * @param options `decode`: converts a cookie's text to its value, `decodeURIComponent` by default
 * @throws TypeError for a secret that is not a string
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

/** Moves the signed cookies out of all cookies into a new object. */
function takeSigned(cookies: Record<string, string>, secret: string): Cookies {
  const signed = Object.create(null) as Cookies;
  for (const [name, value] of Object.entries(cookies)) {
    if (!isSigned(value)) continue;
    signed[name] = signedCookie(value, secret);
    delete cookies[name];
  }
  return signed;
}

/** Returns the value of a JSON cookie; `undefined` for any other cookie. */
function JSONCookie(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(JSON_MARK)) return undefined;
  try {
    return JSON.parse(value.slice(JSON_MARK.length));
  } catch {
    return undefined;
  }
}

/** Replaces the text of JSON cookies with their values; returns the same object. */
function JSONCookies<T extends object>(cookies: T): T {
  for (const [name, value] of Object.entries(cookies)) {
    const parsed = JSONCookie(value);
    if (parsed) (cookies as Cookies)[name] = parsed;
  }
  return cookies;
}

/**
 * Returns the value of a signed cookie, or false for a wrong signature; other text unchanged, and `undefined` for a
 * value that is not a string.
 */
function signedCookie(value: unknown, secret: string): string | false | undefined {
  if (typeof value !== 'string') return undefined;
  return isSigned(value) ? unsign(value, secret) : value;
}

Object.assign(cookieParser, { JSONCookie, JSONCookies, signedCookie, signedCookies: takeSigned });

declare namespace cookieParser {
  /** Return the value of a JSON cookie; `undefined` for any other cookie. */
  let JSONCookie: (value: unknown) => unknown;
  /** Replace the text of JSON cookies with their values. */
  let JSONCookies: <T extends object>(cookies: T) => T;
  /** Return the value of a signed cookie, or false for a wrong signature; other text unchanged. */
  let signedCookie: (value: unknown, secret: string) => string | false | undefined;
  /** Move the signed cookies out of all cookies into a new object. */
  let signedCookies: (cookies: Record<string, string>, secret: string) => Record<string, unknown>;

  interface Options {
    /** Converts a cookie's text to its value. @default `decodeURIComponent` */
    decode?(text: string): string;
  }
}

export = cookieParser;
