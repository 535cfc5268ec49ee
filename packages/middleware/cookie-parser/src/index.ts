/** Cookies of a request: `req.cookies` and `req.signedCookies`, parsed when they are read. */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- global types, which an import would not keep in the declarations
/// <reference path="../global.d.ts" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import type express = require('express');
import { Keyed, unsign } from '@ristretto/signed-cookies';
import type { Secret } from '@ristretto/signed-cookies';

type Cookies = Record<string, unknown>;

interface CookieRequest extends IncomingMessage {
  secret?: unknown;
  cookies?: Cookies;
  signedCookies?: Cookies;
  [UNPARSED]?: Unparsed;
}

interface Parsed {
  cookies: Cookies;
  signedCookies: Cookies;
}

/** The package `cookie` 0.7, which has no types. */
const { parse } = require('cookie') as {
  parse(header: string, options?: cookieParser.CookieParseOptions): Record<string, string>;
};

const UNPARSED: unique symbol = Symbol('cookies');

/** The header of a request, and its cookies once they have been read. */
class Unparsed {
  private parsed: Parsed | undefined = undefined;

  constructor(
    private readonly header: string,
    private readonly keys: readonly Keyed[],
    private readonly options: cookieParser.CookieParseOptions | undefined,
  ) {}

  get(): Parsed {
    return (this.parsed ??= this.parse());
  }

  private parse(): Parsed {
    const cookies = parse(this.header, this.options) as Cookies;
    const signedCookies =
      this.keys.length === 0 ? empty() : JSONCookies(takeSigned(cookies, value => verify(value, this.keys)));
    return { cookies: JSONCookies(cookies), signedCookies };
  }
}

/** Whether this file itself is reading `req.cookies`, to find out whether there are any. */
let isPeeking = false;

/** The properties of requests; the same for all, because objects with the same accessors share their shape. */
const accessors = { cookies: accessorOf('cookies'), signedCookies: accessorOf('signedCookies') };

function accessorOf(name: keyof Parsed): PropertyDescriptor & ThisType<CookieRequest> {
  return {
    configurable: true,
    enumerable: true,
    get() {
      const unparsed = this[UNPARSED]!;
      return isPeeking ? unparsed : unparsed.get()[name];
    },
    set(value: unknown) {
      if (this[UNPARSED] !== undefined) this[UNPARSED].get();
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  };
}

function hasCookies(req: CookieRequest): boolean {
  isPeeking = true;
  try {
    return Boolean(req.cookies);
  } finally {
    isPeeking = false;
  }
}

/**
 * Create middleware that sets `req.cookies`, and `req.signedCookies` to those with a valid signature. A cookie that is
 * marked as signed and has a wrong signature is `false` there. Values that begin with `j:` are parsed as JSON.
 * @param secret the secret with which cookies are signed, or several, each of which is accepted; the first one is set as
 * `req.secret`, with which `res.cookie` signs
 * @param options `decode`: converts a cookie's text to its value, `decodeURIComponent` by default
 * @throws TypeError for a secret that cannot sign
 * @example
 * app.use(cookieParser('keyboard cat'));
 * app.get('/', (req, res) => res.send(req.cookies.theme));
 * // GET / (Cookie: theme=dark) -> 200 dark
 */
function cookieParser(
  secret?: string | string[],
  options?: cookieParser.CookieParseOptions,
): express.RequestHandler {
  const secrets = listOf(secret);
  const keys = secrets.map(each => new Keyed(each));

  function cookieParser(req: CookieRequest, _res: ServerResponse, next: () => void): void {
    if (hasCookies(req)) {
      next();
      return;
    }
    const header = req.headers.cookie;
    req.secret = secrets[0];
    if (header) {
      req[UNPARSED] = new Unparsed(header, keys, options);
      Reflect.defineProperty(req, 'cookies', accessors.cookies);
      Reflect.defineProperty(req, 'signedCookies', accessors.signedCookies);
    } else {
      req.cookies = empty();
      req.signedCookies = empty();
    }
    next();
  }
  return cookieParser;
}

const empty = (): Cookies => Object.create(null) as Cookies;

function listOf(secret: unknown): Secret[] {
  if (Array.isArray(secret)) return secret as Secret[];
  return secret ? [secret as Secret] : [];
}

/** Returns the value of a cookie: without its signature if it is marked as signed, false if the signature is wrong. */
function verify(value: unknown, keys: readonly Keyed[]): string | false | undefined {
  if (typeof value !== 'string') return undefined;
  return value.startsWith('s:') ? unsign(value.slice(2), keys) : value;
}

/** Moves the cookies that are marked as signed into a new object. */
function takeSigned(cookies: Cookies, read: (value: unknown) => unknown): Cookies {
  const signed = empty();
  for (const name of Object.keys(cookies)) {
    const value = cookies[name];
    const result = read(value);
    if (result === value) continue;
    signed[name] = result;
    delete cookies[name];
  }
  return signed;
}

/** Returns the value of a JSON cookie; `undefined` for any other text. */
function JSONCookie(text: unknown): unknown {
  if (typeof text !== 'string' || !text.startsWith('j:')) return undefined;
  try {
    return JSON.parse(text.slice(2));
  } catch {
    return undefined;
  }
}

/** Replaces the text of JSON cookies with their values; returns the same object. */
function JSONCookies<T extends object>(cookies: T): T {
  for (const name of Object.keys(cookies)) {
    const value = JSONCookie((cookies as Cookies)[name]);
    if (value) (cookies as Cookies)[name] = value;
  }
  return cookies;
}

/** Returns the value of a signed cookie, or false for a wrong signature; any other text unchanged. */
function signedCookie(text: unknown, secret: unknown): string | false | undefined {
  if (typeof text !== 'string' || !text.startsWith('s:')) return verify(text, []);
  return verify(
    text,
    listOf(secret).map(each => new Keyed(each)),
  );
}

/** Moves the signed cookies out of an object into a new one. */
function signedCookies(cookies: Cookies, secret: unknown): Cookies {
  return takeSigned(cookies, value => signedCookie(value, secret));
}

Object.assign(cookieParser, { JSONCookie, JSONCookies, signedCookie, signedCookies });

// Never runs: Node.js finds the names for `import { JSONCookie } from` by reading this text.
if (false as boolean) {
  /* eslint-disable @typescript-eslint/no-unsafe-member-access -- `exports` has no type */
  exports.JSONCookie = exports.JSONCookies = exports.signedCookie = exports.signedCookies = undefined;
}

declare namespace cookieParser {
  interface CookieParseOptions {
    /** Converts the text of a cookie to its value. @default `decodeURIComponent` */
    decode?(val: string): string;
  }

  /** Parse a cookie with the prefix `j:` as JSON; undefined for any other. */
  function JSONCookie(jsonCookie: string): object | undefined;
  /** Replace the text of JSON cookies with their values. */
  function JSONCookies<T extends Record<string, string>>(
    jsonCookies: T,
  ): { [P in keyof T]: object | undefined };
  /** Check a cookie with the prefix `s:`: returns its value, or false for a wrong signature; any other unchanged. */
  function signedCookie(cookie: string, secret: string | string[]): string | false;
  /** Move the signed cookies out of an object into a new one. */
  function signedCookies<T extends Record<string, string>>(
    cookies: T,
    secret: string | string[],
  ): { [P in keyof T]?: string | false };
}

export = cookieParser;
