/** `web.cookieParser()`: parses the cookies of a request, with the package @ristretto/cookie-parser. */
import type { Handler } from './connect';

const parser = require('@ristretto/cookie-parser') as typeof cookieParser;

/**
 * Create middleware that sets `req.cookies`, and `req.signedCookies` if there is a secret. A signed cookie with a wrong
 * signature is `false`. Values that begin with `j:` are parsed as JSON.
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
  return parser(secret, options);
}

const { JSONCookie, JSONCookies, signedCookie, signedCookies } = parser;
Object.assign(cookieParser, { JSONCookie, JSONCookies, signedCookie, signedCookies });

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
