/** `res.send`, `res.json` and `res.jsonp`, which accept only a body. */
import { getField } from '@ristretto/private-engine/lib/serving';
import { bufferOf } from '@ristretto/private-engine/lib/protocol';
import {
  HTML_TYPE,
  finishResponse,
  isData,
  sendBytes,
  sendJson,
  sendJsonp,
  sendObject,
  sendText,
} from '@ristretto/private-engine/lib/response';
import type { Response } from '@ristretto/private-engine/lib/types/internals';

/**
 * Sends the response. Sets `Content-Type` unless it is set, `Content-Length` unless the body is sent in chunks, and
 * `ETag` according to the `etag` setting; sends 304 for a conditional request that is fresh; omits the body for HEAD,
 * 204, 205 and 304.
 *
 * @param body string (`text/html`), bytes or a stream (`application/octet-stream`), or anything else as JSON
 * @returns the response, for chaining
 * @throws TypeError if the body is a function, symbol or bigint, or a `Response` that has been read, or the type that
 * was set is invalid
 * @example res.status(201).send({ id: 1 });
 */
export function send(this: Response, body?: unknown): Response {
  if (typeof body === 'string') {
    // A value that is not a string counts as missing; the header keeps its position
    const type: unknown = getField(this, 'content-type');
    if (type !== undefined && typeof type !== 'string') this.setHeader('Content-Type', HTML_TYPE);
    sendText(this, body);
  } else if (body === null) {
    finishResponse(this, '');
  } else if (ArrayBuffer.isView(body)) {
    sendBytes(this, bufferOf(body));
  } else if (typeof body === 'object') {
    if (isData(body)) return this.json(body);
    sendObject(this, body);
  } else if (typeof body === 'boolean' || typeof body === 'number') {
    return this.json(body);
  } else {
    // For a function, a symbol or a bigint, Buffer.from throws a clear error.
    finishResponse(this, body === undefined ? undefined : Buffer.from(body as string));
  }
  return this;
}

/**
 * Sends JSON. The settings `json replacer`, `json spaces` and `json escape` apply.
 *
 * @param obj any value that JSON can represent; undefined results in no body
 * @returns the response, for chaining
 * @throws TypeError for circular structures and bigints
 * @example res.json({ user: 'tobi' });
 */
export function json(this: Response, obj?: unknown): Response {
  return sendJson(this, obj);
}

/**
 * Sends JSON, wrapped in a call of the function whose name is in the query parameter that the setting `jsonp callback
 * name` specifies.
 *
 * @example res.jsonp({ a: 1 }); // for ?callback=f the script: typeof f === 'function' && f({"a":1});
 */
export function jsonp(this: Response, obj?: unknown): Response {
  return sendJsonp(this, obj);
}
