/**
 * Decides whether a body parser reads a body (there is one, it is unparsed, and it is of the parser's type), and passes
 * on the requests that it does not read.
 */
import { excessHeaders, tooManyHeaders } from '../http/excess-headers';
import { hasBody } from '../protocol/content-type';
import type { Next } from '../types/next';
import type { BodyRequest, Dialect } from './dialect';
import type { TypeTest } from './options';

/** The `type` option of one parser, and the result for the last Content-Type it was tested with. */
export interface TypeFilter {
  dialect: Dialect;
  type: TypeTest | readonly unknown[];
  lastHeader: string | undefined;
  lastAnswer: boolean;
}

export function createTypeFilter({ type, dialect }: Pick<TypeFilter, 'type' | 'dialect'>): TypeFilter {
  return { dialect, type, lastHeader: undefined, lastAnswer: false };
}

/** Whether a parser should read the body. */
export function acceptsBody(req: BodyRequest, filter: TypeFilter): boolean {
  return filter.dialect.isUnread(req) && hasBody(req.headers) && isOfType(req, filter);
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
    filter.lastAnswer = filter.dialect.typeIs(header, type) !== false;
    filter.lastHeader = header;
  }
  return filter.lastAnswer;
}
