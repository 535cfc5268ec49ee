/** The members of responses that differ in 5.x. */
import { STATUS_CODES } from 'node:http';
import depd = require('depd');
import encodeUrl = require('encodeurl');
import { appendVary, bufferOf, registeredContentType } from '@ristretto/private-engine/lib/protocol';
import {
  HTML_TYPE,
  sendContent,
  isData,
  mistakesOf,
  redirectTo,
  sendBytes,
  sendJson,
  sendJsonp,
  sendObject,
  sendText,
} from '@ristretto/private-engine/lib/response';
import { getField } from '@ristretto/private-engine/lib/serving';
import type { CookieOptions } from '@ristretto/private-engine/lib/types/cookie';
import type { Response } from '@ristretto/private-engine/lib/types/internals';

const deprecate = depd('express');

/** Sets the status code, which must be valid. */
export function status(this: Response, code: number): Response {
  if (!Number.isInteger(code)) {
    throw new TypeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be an integer.`);
  }
  if (code < 100 || code > 999) {
    throw new RangeError(
      `Invalid status code: ${JSON.stringify(code)}. Status code must be greater than 99 and less than 1000.`,
    );
  }
  this.statusCode = code;
  return this;
}

/** Sends a response; a status is not accepted. */
export function send(this: Response, body?: unknown): Response {
  if (typeof body === 'string') {
    // A value that is not a string counts as missing; the header keeps its position
    const type: unknown = getField(this, 'content-type');
    if (type !== undefined && typeof type !== 'string') this.setHeader('Content-Type', HTML_TYPE);
    sendText(this, body);
  } else if (body === null) {
    sendContent(this, '');
  } else if (ArrayBuffer.isView(body)) {
    sendBytes(this, bufferOf(body));
  } else if (typeof body === 'object') {
    if (isData(body)) return this.json(body);
    sendObject(this, body);
  } else if (typeof body === 'boolean' || typeof body === 'number') {
    if (typeof body === 'number') warnOfStatus(this, 'send', body, arguments.length);
    return this.json(body);
  } else {
    // For a function, a symbol or a bigint, Buffer.from throws a clear error.
    sendContent(this, body === undefined ? undefined : Buffer.from(body as string));
  }
  return this;
}

/** In development, warns of a status in place of the body, or before it. */
function warnOfStatus(res: Response, name: 'send' | 'json', status: number, count: number): void {
  if (STATUS_CODES[status] === undefined) return;
  const isAlone = count === 1;
  mistakesOf(res)?.warnOfOldForm(
    isAlone ? `res.${name}(${status})` : `res.${name}(${status}, body)`,
    `sends the number as the body of a 200`,
    isAlone ? `res.sendStatus(${status})` : `res.status(${status}).${name}(body)`,
  );
}

/** Sends JSON; a status is not accepted. */
export function json(this: Response, obj?: unknown): Response {
  if (arguments.length > 1 && typeof obj === 'number') warnOfStatus(this, 'json', obj, arguments.length);
  return sendJson(this, obj);
}

/** Sends JSON, wrapped in a call of the function that a query parameter names. */
export function jsonp(this: Response, obj?: unknown): Response {
  return sendJsonp(this, obj);
}

/** Sets one header, or several given as an object: the types are those of mime-types 3. */
export function header(this: Response, field: string | Record<string, unknown>, val?: unknown): Response {
  // An explicit undefined is a value (and is sent as such), so only the number of arguments distinguishes the forms.
  if (arguments.length === 2) {
    setHeader(this, field as string, val);
    return this;
  }
  for (const name in field as Record<string, unknown>) {
    this.set(name, (field as Record<string, string>)[name]);
  }
  return this;
}

function setHeader(res: Response, name: string, val: unknown): void {
  if (val === undefined) mistakesOf(res)?.warnOfUndefined(`res.set('${name}')`);
  const value = Array.isArray(val) ? val.map(String) : String(val);
  if (name.toLowerCase() !== 'content-type') {
    res.setHeader(name, value);
  } else {
    if (Array.isArray(value)) throw new TypeError('Content-Type cannot be set to an Array');
    // An unknown word becomes false, as in Express: the header counts as missing, but is sent unless it is set again
    res.setHeader(name, registeredContentType(value) as string);
  }
}

/** Sets `Content-Type`: to the type itself if it contains a '/', otherwise to the type of the extension. */
export function contentType(this: Response, type: string): Response {
  return this.set(
    'Content-Type',
    type.includes('/') ? type : registeredContentType(type) || 'application/octet-stream',
  );
}

/** Adds links to the `Link` header; a relation may have several. */
export function links(this: Response, links: Record<string, string | readonly string[]>): Response {
  const previous = this.get('Link');
  const added = Object.keys(links).flatMap(relation => {
    const urls = links[relation]!;
    const list: readonly unknown[] = Array.isArray(urls) ? urls : [urls];
    return list.map(url => `<${String(url)}>; rel="${relation}"`);
  });
  return this.set('Link', (previous ? `${previous}, ` : '') + added.join(', '));
}

/** Adds a header name to `Vary` unless it is already listed; a name is required. */
export function vary(this: Response, field: string | string[]): Response {
  if (!field) throw new TypeError('field argument is required');
  const present = this.getHeader('Vary') ?? '';
  const value = appendVary(Array.isArray(present) ? present.join(', ') : String(present), field);
  if (value) this.setHeader('Vary', value);
  return this;
}

/** Sets a cookie that has expired. */
export function clearCookie(this: Response, name: string, options?: CookieOptions): Response {
  const attributes = { path: '/', ...options, expires: new Date(1) };
  delete attributes.maxAge;
  return this.cookie(name, '', attributes);
}

/**
 * Sets `Location`. Characters that are not allowed in a URL are percent-encoded, encoded ones stay as they are, and the
 * encoding never changes the host (CVE-2024-29041); otherwise the URL is not checked.
 */
export function location(this: Response, url: string): Response {
  const target: unknown = url;
  if (target === 'back') {
    const instead = "res.redirect(req.get('Referrer') || '/')";
    mistakesOf(this)?.warnOfOldForm("'back' as a URL", "is a path, 'back'", instead);
  }
  if (target === undefined) mistakesOf(this)?.warnOfUndefined('res.redirect() or res.location()');
  return this.set('Location', encodeUrl(String(target)));
}

/**
 * Redirects to a URL. The page has no link, the URL in it is escaped, and it has a `Content-Security-Policy` that allows
 * nothing unless the application has set another one (CVE-2024-43796).
 */
export function redirect(this: Response, url: string | number): void {
  let address: unknown = url;
  let status: unknown = 302;
  if (arguments.length === 2) {
    status = url;
    // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
    address = arguments[1];
  }
  if (!address) deprecate('Provide a url argument');
  if (typeof address !== 'string') deprecate('Url must be a string');
  if (typeof status !== 'number') deprecate('Status must be a number');
  redirectTo(this, address, status as number);
}
