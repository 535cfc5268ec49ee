/** `res.format`: content negotiation on Accept, with a handler for each type (RFC 9110 section 12.5.1). */
import type { HttpError } from 'http-errors';
import { normalizeType } from '../protocol/content-type';
import { httpError } from '../protocol/errors';
import type { NextFunction, Request, Response } from '../types/core';

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/**
 * Calls the handler of the type that the client prefers, and sets `Content-Type` to that type. Without an `Accept`
 * header, it calls the first handler; if no type matches, it calls `default`, or else passes an error 406 to `next`,
 * whose `types` lists the available ones.
 *
 * @param obj maps media types or extensions, and `default`, to handlers
 * @returns the response, for chaining
 * @example res.format({ json: () => res.json(user), html: () => res.render('user', user) });
 */
export function format(this: Response, obj: Record<string, Handler>): Response {
  return formatWith(this, obj, normalizeType);
}

/** Implements `res.format` with a given conversion of keys to media types. */
export function formatWith(
  res: Response,
  obj: Record<string, Handler>,
  normalize: typeof normalizeType,
): Response {
  const { req } = res;
  const next = req.next!;
  const types = Object.keys(obj).filter(type => type !== 'default');
  const key = types.length > 0 ? req.accepts(types) : false;

  res.vary('Accept');
  if (key) {
    res.set('Content-Type', normalize(key).value);
    obj[key]!(req, res, next);
  } else if (obj.default) {
    obj.default(req, res, next);
  } else {
    next(notAcceptable(types, normalize));
  }
  return res;
}

function notAcceptable(types: string[], normalize: typeof normalizeType): HttpError {
  return httpError(406, undefined, { types: types.map(type => normalize(type).value) });
}
