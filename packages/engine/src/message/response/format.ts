/** `res.format`: content negotiation on Accept, with a handler for each type (RFC 9110 section 12.5.1). */
import { httpError } from '../../protocol/errors';
import { isPromise } from '../../realms';
import { ignore, reasonToError, reportLate } from '../../router/rejection';
import type { NextFunction, Request, Response } from '../../types/core';
import { versionOf } from '../../version';

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/**
 * Calls the handler of the type that the client prefers, and sets `Content-Type` to that type. Without an `Accept`
 * header, it calls the first handler; if no type matches, it calls `default`, or else passes an error 406 to `next`,
 * whose `types` lists the available ones. A rejection of the handler's promise is passed to `next`, or logged after the response.
 */
export function format(this: Response, obj: Record<string, Handler>): Response {
  const { req } = this;
  const { normalizeType } = versionOf(this).responses;
  const next = req.next!;
  const types = Object.keys(obj).filter(type => type !== 'default');
  const key = types.length > 0 ? req.accepts(types) : false;

  this.vary('Accept');
  if (key) {
    this.set('Content-Type', normalizeType(key).value);
    watch(obj[key]!(req, this, next), this, next);
  } else if (obj.default) {
    watch(obj.default(req, this, next), this, next);
  } else {
    next(httpError(406, undefined, { types: types.map(type => normalizeType(type).value) }));
  }
  return this;
}

function watch(result: unknown, res: Response, next: NextFunction): void {
  if (!isPromise(result)) return;
  result.then(ignore, (reason: unknown) => {
    if (res.headersSent) reportLate(reasonToError(reason), res.req);
    else next(reasonToError(reason));
  });
}
