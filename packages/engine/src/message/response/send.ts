/**
 * `res.send`: sends a response with a body of any type. Nearly every response goes through here, so this is
 * straight-line code: type, length, entity tag, freshness, and then one write.
 */
import { Buffer } from 'node:buffer';
import depd = require('depd');
import statuses = require('statuses');
import { deferred } from '../../deferred';
import { getField, isSpelled, removeField, setField } from '../../serving/fields';
import { GATE } from '../../serving/hook-gate';
import type { Gated } from '../../serving/hook-gate';
import { writeContent, TextForm } from '../../serving/write-content';
import { entityTag, strongETag, weakETag } from '../../protocol/entity-tag';
import type { ETagFunction } from '../../protocol/entity-tag';
import type { Response } from '../../types/internals';
import { versionOf } from '../../version';
import type { Version } from '../../version';
import type * as sources from './body-source';
import { BYTES_TYPE, HTML_TYPE, JSON_TYPE } from './body-types';
import type * as streaming from './send-stream';

const deprecate = depd('express');
const bodySources = deferred(() => require('./body-source') as typeof sources);
const streamed = deferred(() => require('./send-stream') as typeof streaming);

/**
 * Express passes long or hashed text to `res.end` as a Buffer. Tools that patch `res.end` see that, so we do the same.
 */
const LONG = 1000;

/**
 * Sends the response. Sets `Content-Type` unless it is set, `Content-Length`, and `ETag` according to the `etag`
 * setting; sends 304 for a conditional request that is fresh; omits the body for HEAD, 204, 205 and 304.
 *
 * @param body string (`text/html`), bytes or a stream (`application/octet-stream`), or object, array, boolean or null
 * as JSON; docs/guide/streams.md lists which objects are streams
 * @returns the response, for chaining
 * @throws TypeError if the body is a function, symbol or bigint, or a `Response` that has been read
 * @example res.status(201).send({ id: 1 });
 */
export function send(this: Response, body?: unknown): Response {
  let chunk = body;
  // eslint-disable-next-line prefer-rest-params -- the number of arguments distinguishes the deprecated signatures
  if (arguments.length === 2) chunk = bodyOfOldForm(this, body, arguments[1]);

  if (typeof chunk === 'string') {
    sendText(this, chunk);
    return this;
  }
  if (typeof chunk === 'number' && arguments.length === 1) {
    return sendStatusOfOldForm(this, chunk);
  }
  if (typeof chunk === 'object' || typeof chunk === 'boolean' || typeof chunk === 'number') {
    if (chunk === null) {
      withCharset(this, getField(this, 'content-type'));
      sendContent(this, '');
    } else if (Buffer.isBuffer(chunk)) {
      sendBytes(this, chunk);
    } else if (typeof chunk !== 'object' || isData(chunk)) {
      return this.json(chunk);
    } else {
      return sendObject(this, chunk);
    }
    return this;
  }
  // For a function, a symbol or a bigint, Buffer.from throws a clear error.
  sendContent(this, chunk === undefined ? chunk : Buffer.from(chunk as string));
  return this;
}

/** Sends text, as HTML unless another type is set. */
export function sendText(res: Response, text: string): void {
  const type = getField(res, 'content-type');
  if (type) withCharset(res, type);
  else setField(res, 'content-type', 'Content-Type', HTML_TYPE);
  sendContent(res, text);
}

/** Sends bytes, as `application/octet-stream` unless another type is set. */
export function sendBytes(res: Response, bytes: Buffer): void {
  if (!getField(res, 'content-type')) setField(res, 'content-type', 'Content-Type', BYTES_TYPE);
  sendContent(res, bytes);
}

/** Whether an object can only be sent as JSON, which is true of nearly all. */
export function isData(value: object): boolean {
  return (
    Array.isArray(value) ||
    (Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value))
  );
}

/** Sends bytes and streams as such, and any other object as JSON. */
export function sendObject(res: Response, value: object): Response {
  const content = bodySources().contentOf(value);
  if (content === undefined) return res.json(value);
  if (Buffer.isBuffer(content)) {
    sendBytes(res, content);
  } else if (!streamed().sendStream(res, content)) {
    sendContent(res, undefined);
  }
  return res;
}

let lastType = HTML_TYPE;
let lastTypeInUtf8 = HTML_TYPE;
let lastVersion: Version | undefined;

/**
 * Strings are sent as UTF-8, whatever charset their type has. Applications use few types, so the last one is cached.
 */
function withCharset(res: Response, type: unknown): void {
  if (typeof type !== 'string') return;
  const typed = type === JSON_TYPE ? type : typeInUtf8(type, versionOf(res));
  // The name is always sent as `Content-Type`, even if it was set as `content-type` and the value stays the same
  if (typed !== type || !isSpelled(res, 'content-type', 'Content-Type')) {
    res.setHeader('Content-Type', typed);
  }
}

function typeInUtf8(type: string, version: Version): string {
  if (type !== lastType || version !== lastVersion) {
    lastTypeInUtf8 = version.responses.setCharset(type, 'utf-8');
    lastType = type;
    lastVersion = version;
  }
  return lastTypeInUtf8;
}

/** Sends the body after the hooks of the response have run. */
export function sendContent(res: Response, chunk: string | Buffer | undefined): void {
  const gate = (res as Gated)[GATE];
  if (gate === undefined) {
    sendContentNow(res, chunk);
    return;
  }
  gate.sendWhole(chunk ?? '', content => {
    sendContentNow(res, chunk === undefined && content === '' ? undefined : content);
  });
}

/** Sets length, entity tag and freshness, then writes the response. */
function sendContentNow(res: Response, chunk: string | Buffer | undefined): void {
  const { req } = res;
  const { responses } = versionOf(res);
  let body = chunk;
  let form = TextForm.text;
  if (body !== undefined) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const makeTag = res.app.settings['etag fn'];
    if (!responses.omitsLengthIfEncoded || !getField(res, 'transfer-encoding')) {
      setField(res, 'content-length', 'Content-Length', String(length));
    } else if (typeof body === 'string' && body !== '') {
      // Sets no other header: a second response would be written, and an uncaught error end the process
      const type = getField(res, 'content-type');
      if (typeof type === 'string') res.setHeader('Content-Type', type);
    }
    const asBytes = length === body.length ? TextForm.asciiBytes : TextForm.bytes;
    if (body.length >= LONG) form = asBytes;
    if (typeof makeTag === 'function' && !getField(res, 'etag')) {
      form = asBytes;
      setTag(res, makeTag, body);
    }
  }
  if (req.fresh) {
    if (responses.callsStatus) res.status(304);
    else res.statusCode = 304;
  }

  const { statusCode } = res;
  if (statusCode === 204 || statusCode === 304) {
    removeField(res, 'content-type');
    removeField(res, 'content-length');
    removeField(res, 'transfer-encoding');
    body = '';
    form = TextForm.text;
  } else if (statusCode === 205) {
    res.setHeader('Content-Length', '0');
    res.removeHeader('Transfer-Encoding');
    body = '';
    form = TextForm.text;
  }

  if (req.method === 'HEAD') writeContent(res, undefined);
  else writeContent(res, body, form);
}

/** Our own functions hash the text itself; an application's function gets bytes, or the text, depending on the version. */
function setTag(res: Response, makeTag: ETagFunction, body: string | Buffer): void {
  if (makeTag === weakETag) {
    setField(res, 'etag', 'ETag', entityTag(body, true));
  } else if (makeTag === strongETag) {
    setField(res, 'etag', 'ETag', entityTag(body, false));
  } else {
    const isText = typeof body === 'string';
    const tag =
      isText && versionOf(res).responses.tagsText
        ? makeTag(body, 'utf8')
        : makeTag(isText ? Buffer.from(body) : body, undefined);
    if (tag) res.setHeader('ETag', tag);
  }
}

/** `res.send(body, status)` and `res.send(status, body)`. */
function bodyOfOldForm(res: Response, first: unknown, second: unknown): unknown {
  if (typeof first !== 'number' && typeof second === 'number') {
    deprecate('res.send(body, status): Use res.status(status).send(body) instead');
    res.statusCode = second;
    return first;
  }
  deprecate('res.send(status, body): Use res.status(status).send(body) instead');
  res.statusCode = first as number;
  return second;
}

/** `res.send(status)`: the body is the name of the status; a status without a name has no body. */
function sendStatusOfOldForm(res: Response, code: number): Response {
  if (!res.get('Content-Type')) res.type('txt');
  deprecate('res.send(status): Use res.sendStatus(status) instead');
  res.statusCode = code;
  const name = statuses.message[code];
  if (name === undefined) sendContent(res, undefined);
  else sendText(res, name);
  return res;
}
