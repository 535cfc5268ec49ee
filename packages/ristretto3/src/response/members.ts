/**
 * The members of responses that differ in 3.x. A `Content-Type` is sent as given, plus the charset that `res.charset`
 * names; and `Set-Cookie` is appended to earlier ones, which the middleware of 3.x relies on. The event `header` comes
 * before they are sent. URLs may be relative to the path where the application is mounted, or to the request.
 */
import depd = require('depd');
import { ServerResponse } from 'node:http';
import onHeaders = require('on-headers');
import { charsetOf, contentTypeOf, pathnameOf } from '@ristretto/private-engine/lib/protocol';
import {
  format as formatByType,
  location as setLocation,
  mistakesOf,
  referrer,
} from '@ristretto/private-engine/lib/response';
import type { NextFunction, Request, Response } from '../types/core';

const deprecate = depd('express');

const CHARSET: unique symbol = Symbol('charset');

interface WithCharset {
  [CHARSET]?: string;
}

type Value = number | string | readonly string[];

/** Sets one header, or several given as an object. */
export function header(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  if (typeof field === 'string') {
    if (value === undefined) mistakesOf(this)?.warnOfUndefined(`res.set('${field}')`);
    this.setHeader(field, Array.isArray(value) ? value.map(String) : String(value));
  } else {
    for (const name of Object.keys(field)) this.set(name, field[name] as string);
  }
  return this;
}

/** Calls Node's `setHeader`, with the two rules of 3.x. */
export function setHeader(this: Response & WithCharset, name: string, value: Value): Response {
  let sent = value;
  // Node.js rejects names that are not strings
  const key = typeof name === 'string' ? name.toLowerCase() : '';
  if (key === 'set-cookie') sent = withEarlier(this.getHeader(name), value);
  else if (key === 'content-type' && this[CHARSET]) sent = withCharset(String(value), this[CHARSET]);
  ServerResponse.prototype.setHeader.call(this, name, sent);
  return this;
}

/** Callers that pass a list often put the earlier cookies in front of it: these are not sent twice. */
function withEarlier(earlier: Value | undefined, value: Value): Value {
  if (earlier === undefined) return value;
  const before = ([] as string[]).concat(earlier as string | string[]);
  if (!Array.isArray(value)) return [...before, value as string];
  const list = value as string[];
  if (before.every((cookie, i) => list[i] === cookie)) return list;
  return [...before, ...list.filter(cookie => !before.includes(cookie))];
}

function withCharset(type: string, charset: string): string {
  return /;\s*charset\s*=/i.test(type) ? type : `${type}; charset=${charset}`;
}

/** Sets `Content-Type`: to the type itself if it contains a '/', otherwise to the type of the extension. */
export function contentType(this: Response, type: string): Response {
  return this.set('Content-Type', type.includes('/') ? type : contentTypeOf(type)!);
}

/** `res.charset`: the charset that is added to every `Content-Type` set afterwards without one. */
export const charset: PropertyDescriptor & ThisType<WithCharset> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[CHARSET];
  },
  set(value: string) {
    deprecate(
      'res.charset: Use res.type() with a charset instead, such as res.type("text/html; charset=utf-8")',
    );
    this[CHARSET] = value;
  },
};

/**
 * The functions that register a listener. A listener of `header` is called once, right before the headers are sent; the
 * last registered is called first.
 */
export const listening = Object.fromEntries(
  (['on', 'addListener', 'once'] as const).map(name => {
    const register = function (this: Response, event: string, listener: () => void): Response {
      if (event !== 'header')
        return Reflect.apply(ServerResponse.prototype[name], this, [event, listener]) as Response;
      deprecate(`res.${name}("header"): Use on-headers npm module instead`);
      onHeaders(this, listener);
      return this;
    };
    return [name, register];
  }),
);

/** `res.headerSent`: the former name of `res.headersSent`. */
export function headerSent(this: Response): boolean {
  deprecate('res.headerSent: Use res.headersSent instead');
  return this.headersSent;
}

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/** Calls the handler for the media type that the client prefers: as in 4.x, but the type is sent with its charset. */
export function format(this: Response, handlers: Record<string, Handler>): Response {
  const all: Record<string, Handler> = {};
  for (const [type, handler] of Object.entries(handlers)) {
    all[type] =
      type === 'default'
        ? handler
        : (req, res, next) => {
            addCharset(res);
            return Reflect.apply(handler, handlers, [req, res, next]);
          };
  }
  Reflect.apply(formatByType, this, [all]);
  return this;
}

function addCharset(res: Response): void {
  // `res.charset` does not matter: the body is a JavaScript string, sent in UTF-8
  const [type] = res.get('Content-Type')!.split(';', 1) as [string];
  const charset = charsetOf(type);
  if (charset) res.set('Content-Type', `${type}; charset=${charset.toLowerCase()}`);
}

/** URLs that are sent unchanged: with a host, or from the root of the host. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\/|^\//i;

/**
 * Sets `Location`: to a URL with a host or from the root; to `'../x'` and `'./x'` relative to the URL of the request, taken
 * as a directory; to any other, such as `'posts/new'`, relative to the path that the application is mounted at.
 */
export function location(this: Response, url: unknown): Response {
  if (url === undefined) mistakesOf(this)?.warnOfUndefined('res.redirect() or res.location()');
  const target = String(url);
  if (target === 'back') return setEncoded(this, referrer(this.req.get('Referrer')));
  if (ABSOLUTE.test(target)) return setEncoded(this, target);
  if (target.startsWith('.')) {
    deprecate('res.location("./path"): Use a path from the root instead, made of req.originalUrl');
    return setEncoded(this, withoutHost(fromRequest(this.req.originalUrl, target)));
  }
  deprecate('res.location("path"): Use a path from the root instead, such as req.baseUrl + "/path"');
  return setEncoded(this, withoutHost(`${this.app.path()}/${target}`));
}

function setEncoded(res: Response, url: string): Response {
  return Reflect.apply(setLocation, res, [url]) as Response;
}

/** Resolves `.` and `..` relative to the request's path, without leaving the root. */
function fromRequest(originalUrl: string, relative: string): string {
  const end = relative.search(/[?#]|$/);
  const [path, rest] = [relative.slice(0, end), relative.slice(end)];
  const steps = (pathnameOf(originalUrl) ?? '').split('/').filter(step => step !== '');
  const names = path.split('/');
  for (const name of names) {
    if (name === '..') steps.pop();
    else if (name !== '.' && name !== '') steps.push(name);
  }
  const isDirectory = ['', '.', '..'].includes(names[names.length - 1]!);
  return `/${steps.join('/')}${isDirectory && steps.length > 0 ? '/' : ''}${rest}`;
}

/**
 * Removes duplicate leading slashes, so that neither an application mounted at `/` nor a request for `//name` leads to
 * another host; browsers treat a backslash as a slash.
 */
function withoutHost(path: string): string {
  return path.replace(/^[\\/]{2,}/, '/');
}
