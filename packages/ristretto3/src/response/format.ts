/** `res.format` of 3.x: as in 4.x, but the chosen type is sent with its charset. */
import { format as formatByType } from '@ristretto/private-engine/lib/response';
import { charsetOf } from '@ristretto/private-engine/lib/protocol';
import type { NextFunction, Request, Response } from '../types/core';

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/**
 * Calls the handler for the media type that the client prefers, and sets `Content-Type` to that type.
 *
 * @param handlers maps media types or extensions, and `default`, to handlers
 * @example res.format({ json: () => res.json(user), html: () => res.render('user', user) });
 */
export function format(this: Response, handlers: Record<string, Handler>): Response {
  const all: Record<string, Handler> = {};
  for (const [type, handler] of Object.entries(handlers)) {
    all[type] =
      type === 'default'
        ? handler
        : (req, res, next) => {
            addCharset(res);
            return handler(req, res, next);
          };
  }
  Reflect.apply(formatByType, this, [all]);
  return this;
}

function addCharset(res: Response): void {
  // `res.charset` does not matter: the body is a JavaScript string, sent in UTF-8
  const [type] = res.get('Content-Type')!.split(';', 1) as [string];
  const charset = charsetOf(type);
  if (charset) res.set('Content-Type', `${type}; charset=${charset.toLowerCase()}`);
}
