/**
 * Sets headers as 3.x does: a `Content-Type` is sent as given, plus the charset that `res.charset` names; and
 * `Set-Cookie` is appended to earlier ones, which the middleware of 3.x relies on. The event `header` comes before they
 * are sent.
 */
import depd = require('depd');
import { ServerResponse } from 'node:http';
import onHeaders = require('on-headers');
import { contentTypeOf } from '@ristretto/private-engine/lib/protocol';
import { mistakesOf } from '@ristretto/private-engine/lib/response';
import type { Response } from '../types/core';

const deprecate = depd('express');

const CHARSET: unique symbol = Symbol('charset');

interface WithCharset {
  [CHARSET]?: string;
}

type Value = number | string | readonly string[];

/**
 * Sets one header, or several given as an object.
 *
 * @param value a string, or an array for a header that is sent several times; other values are converted to strings
 * @example res.set('X-Frame-Options', 'DENY').set({ 'X-A': '1', 'X-B': ['2', '3'] });
 */
export function header(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  if (typeof field === 'string') {
    if (value === undefined) mistakesOf(this)?.warnOfUndefined(`res.set('${field}')`);
    this.setHeader(field, Array.isArray(value) ? value.map(String) : String(value));
  } else {
    for (const name of Object.keys(field)) this.set(name, field[name] as string);
  }
  return this;
}

/**
 * Calls Node's `setHeader`, with the two rules of 3.x.
 * @throws TypeError for an invalid name, or a line break in a value
 */
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

/**
 * Sets `Content-Type`: to the type itself if it contains a '/', otherwise to the type of the extension.
 * @example res.type('json'); res.type('image/png'); res.type('.html');
 */
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
