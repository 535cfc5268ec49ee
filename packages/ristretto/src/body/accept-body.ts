/** The question every body parser asks first: is there a body, is it unparsed, and is it of the parser's type? */
import type * as http from 'node:http';
import { hasBody, typeIs } from '../protocol/content-type';
import type { TypeTest } from './options';

/** A request with what body parsers leave on it. */
export interface BodyRequest extends http.IncomingMessage {
  body?: unknown;
  /** Set when a parser has taken the body: no other one may read it. Other body middleware sets and reads it too. */
  _body?: boolean;
}

/** The `type` option of one parser, and its answer to the last Content-Type it was asked about. */
export interface TypeFilter {
  type: TypeTest | readonly unknown[];
  lastHeader: string | undefined;
  lastAnswer: boolean;
}

export function createTypeFilter(type: TypeFilter['type']): TypeFilter {
  return { type, lastHeader: undefined, lastAnswer: false };
}

/** Whether a parser is to read the body. `req.body` is an object afterwards unless it was something before. */
export function acceptsBody(req: BodyRequest, filter: TypeFilter): boolean {
  if (req._body) return false;
  req.body = req.body || {};
  return hasBody(req.headers) && isOfType(req, filter);
}

function isOfType(req: BodyRequest, filter: TypeFilter): boolean {
  const { type } = filter;
  if (typeof type === 'function') return Boolean(type(req));
  const header = req.headers['content-type'];
  if (header !== filter.lastHeader) {
    filter.lastAnswer = typeIs(header, type) !== false;
    filter.lastHeader = header;
  }
  return filter.lastAnswer;
}
