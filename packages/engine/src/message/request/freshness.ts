/** Checks whether the client's cached copy is still fresh, so that a 304 is enough. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { symbolNamed } from '../../serving/node-internals';
import { isFresh } from '../../protocol/fresh';
import type { Validators } from '../../protocol/fresh';
import type { Request } from '../../types/core';
import { versionOf } from '../../version';

/**
 * `req.fresh`: whether a GET, HEAD or QUERY is conditional and its conditions hold for the `ETag` and `Last-Modified`
 * set on the response so far, if its status is 2xx or 304.
 */
export function fresh(this: Request): boolean {
  const method = this.method;
  const response = this.res!;
  const status = response.statusCode;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
  // The status may have any type: if it is not a number, the request is not fresh.
  const isGood = status >= 200 && status < 300;
  if (!isGood && status !== 304) return false;
  // Checked first, because every response gets here, but few requests are conditional.
  if (isUnconditional(this)) return false;
  const { headers } = this;
  if (!headers['if-none-match'] && !headers['if-modified-since']) return false;
  const validators = {
    etag: response.get('ETag'),
    'last-modified': response.get('Last-Modified'),
  } as Validators;
  return isFresh(headers, validators, versionOf(this).requests.tagDecides);
}

/** `req.stale`: the opposite of `req.fresh`. */
export function stale(this: Request): boolean {
  return !this.fresh;
}

/** The symbol under which Node keeps `headers`: null until they are read, which takes 2 % of a small request. */
const HEADERS = symbolNamed(new IncomingMessage(new Socket()), 'kHeaders');

const CONDITION = /^if-(?:none-match|modified-since)$/i;

/** Whether nothing has read or replaced the received headers, and they contain no condition. */
function isUnconditional(req: Request): boolean {
  if (HEADERS === undefined || (req as unknown as Record<symbol, unknown>)[HEADERS] !== null) return false;
  if (Object.hasOwn(req, 'headers')) return false;
  const { rawHeaders } = req;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if ((name.length === 13 || name.length === 17) && CONDITION.test(name)) return false;
  }
  return true;
}
