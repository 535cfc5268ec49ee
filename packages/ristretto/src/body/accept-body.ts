/**
 * The question every body parser asks first: is there a body, is it unparsed, and is it of the parser's type? And the
 * way on for requests that have none.
 */
import { excessHeaders, tooManyHeaders } from '../http/excess-headers';
import { hasBody } from '../protocol/content-type';
import type { BodyRequest, Dialect } from './dialect';
import type { TypeTest } from './options';

export type Next = (error?: unknown) => void;

/** The `type` option of one parser, and its answer to the last Content-Type it was asked about. */
export interface TypeFilter {
  dialect: Dialect;
  type: TypeTest | readonly unknown[];
  lastHeader: string | undefined;
  lastAnswer: boolean;
}

export function createTypeFilter({ type, dialect }: Pick<TypeFilter, 'type' | 'dialect'>): TypeFilter {
  return { dialect, type, lastHeader: undefined, lastAnswer: false };
}

/** Whether a parser is to read the body. */
export function acceptsBody(req: BodyRequest, filter: TypeFilter): boolean {
  return filter.dialect.isUnread(req) && hasBody(req.headers) && isOfType(req, filter);
}

/**
 * Calls `next` for a request that a parser does not accept, with an error where Node has left out the headers that the
 * parser decides by and there is a body: nobody would read it, and `req.body` would be `{}`.
 */
export function passOn(req: BodyRequest, next: Next): void {
  const excess = excessHeaders(req);
  if (excess < 0 || req._body) {
    next();
  } else if (hasBody(req.headers)) {
    if (excess > 0 && req.headers['content-type'] === undefined) next(tooManyHeaders(req));
    else next();
  } else {
    // Node has parsed a request without a body to its end by then.
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
    filter.lastAnswer = filter.dialect.typeIs(header, type) !== false;
    filter.lastHeader = header;
  }
  return filter.lastAnswer;
}
