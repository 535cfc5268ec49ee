/**
 * Decides whether a body parser reads a body (there is one, it is unparsed, and it is of the parser's type), and passes
 * on the requests that it does not read.
 */
import type * as http from 'node:http';
import { setImmediate } from 'node:timers';
import type onFinished = require('on-finished');
import { deferred } from '../deferred';
import { excessHeaders, tooManyHeaders } from '../serving/excess-headers';
import { hasBody, typeIs } from '../protocol/content-type';
import { devWatch } from '../router/observers';
import type { Next } from '../types/next';
import type { BodyVersion } from '../version';
import type { TypeTest } from './parser-options';

/** A request with the properties that body parsers set. */
export interface BodyRequest extends http.IncomingMessage {
  body?: unknown;
  /** Set when a parser has taken the body, so that no other one reads it. Third-party body middleware uses it too. */
  _body?: boolean;
}

const atEnd = deferred(() => require('on-finished') as typeof onFinished);

/** The `type` option of one parser, and the result for the last Content-Type it was tested with. */
interface TypeFilter {
  version: BodyVersion;
  type: TypeTest | readonly unknown[];
  lastHeader: string | undefined;
  lastResult: boolean;
}

export function createTypeFilter({ type, version }: Pick<TypeFilter, 'type' | 'version'>): TypeFilter {
  return { version, type, lastHeader: undefined, lastResult: false };
}

/** Whether the body may still be read; if so, sets `req.body` to its value for requests without a body. */
function isUnread(req: BodyRequest, filter: TypeFilter): boolean {
  const { bodies } = filter.version;
  if (bodies.marksRead ? req._body : atEnd().isFinished(req)) {
    devWatch()?.noteParsed(req, () => isOfType(req, filter));
    return false;
  }
  if (bodies.hasEmptyBody) req.body = req.body || {};
  // Defines an own property, so that `'body' in req` is true; a value that is already set stays.
  else if (!('body' in req)) req.body = undefined;
  return true;
}

/** Whether a parser should read the body. */
export function acceptsBody(req: BodyRequest, filter: TypeFilter): boolean {
  return isUnread(req, filter) && hasBody(req.headers) && isOfType(req, filter);
}

/**
 * Calls `next` for a request that a parser does not accept. Passes an error if there is a body but Node has dropped the
 * headers needed to decide about it: otherwise the body would stay unread and `req.body` would be `{}`.
 */
export function passOn(req: BodyRequest, next: Next): void {
  const excess = excessHeaders(req);
  if (excess < 0 || req._body) {
    next();
  } else if (hasBody(req.headers)) {
    if (excess > 0 && req.headers['content-type'] === undefined) next(tooManyHeaders(req));
    else next();
  } else {
    // By then Node has parsed a request without a body to its end.
    setImmediate(() => {
      if (req.complete && req.readableLength === 0) next();
      else next(tooManyHeaders(req));
    });
  }
}

function isOfType(req: BodyRequest, filter: TypeFilter): boolean {
  const { type } = filter;
  if (typeof type === 'function') return Boolean(type(req));
  const header = req.headers['content-type'];
  if (header !== filter.lastHeader) {
    filter.lastResult = typeIs(header, type, filter.version.requests) !== false;
    filter.lastHeader = header;
  }
  return filter.lastResult;
}
