/** `web.limit()`: rejects requests whose body is too large. */
import type { Readable } from 'node:stream';
import { sizeOption } from '@ristretto/private-engine/lib/amount';
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Request } from './connect';

/** A request that may already have a limit; the first one applies. */
interface LimitedRequest extends Request {
  _limit?: boolean;
}

/**
 * Create middleware that responds with 413 if `Content-Length` exceeds `size`, and destroys the connection if a body of
 * undeclared length exceeds it.
 *
 * Deprecated: give the body parsers their option `limit`.
 * @param size in bytes, or text such as `'5mb'`
 * @throws TypeError for an invalid size
 * @example
 * app.use(web.limit('4b')).use(web.json());
 * // POST / {"name":"Ada"} -> 413
 */
function limit(size: number | string): Handler {
  const most = sizeOption('web.limit()', 'size', size, 0);
  return function limit(req: LimitedRequest, _res, next) {
    if (req._limit) {
      next();
      return;
    }
    req._limit = true;
    if (Number(req.headers['content-length']) > most) {
      next(httpError(413, undefined, { limit: most, type: 'entity.too.large' }));
      return;
    }
    cutAfter(req, most);
    next();
  };
}

/** Counts the received bytes without starting to read. */
function cutAfter(req: Readable, most: number): void {
  let received = 0;
  const { push } = req;
  req.push = function (this: Readable, chunk: unknown, ...rest: never[]): boolean {
    if (Buffer.isBuffer(chunk)) received += chunk.length;
    if (received <= most) return Reflect.apply(push, this, [chunk, ...rest]) as boolean;
    this.destroy();
    return false;
  };
}

export = limit;
