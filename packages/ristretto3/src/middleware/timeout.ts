/** `web.timeout()`: limits the time until the response begins. */
import onHeaders = require('on-headers');
import { timerDuration } from '@ristretto/private-engine/lib/amount';
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Request } from './connect';

/** A request with a time limit. */
interface TimedRequest extends Request {
  /** Whether the request has timed out. */
  timedout?: boolean;
  /** Removes the time limit. */
  clearTimeout?: () => void;
}

/**
 * Create middleware that emits the event `timeout` on a request whose response does not begin in time, and passes an
 * error with status 503 and `code` `'ETIMEDOUT'` to the error handlers. `req.timedout` is then true;
 * `req.clearTimeout()` removes the limit.
 * @param time in milliseconds, or text such as `'5s'`; 5000 by default
 * @param options `respond: false` only emits the event
 * @throws TypeError for an invalid time
 * @example
 * app.use(web.timeout(50));
 * app.get('/', () => {}); // never responds
 * // GET / -> 503
 */
function timeout(time: number | string = 5000, options?: timeout.Options): Handler {
  const delay = timerDuration('web.timeout()', time, 0);
  const respond = options?.respond !== false;
  return function timeout(req: TimedRequest, res, next) {
    const timer = setTimeout(() => {
      req.timedout = true;
      req.emit('timeout', delay);
    }, delay);
    const stop = (): void => clearTimeout(timer);
    req.timedout = false;
    req.clearTimeout = stop;
    if (respond) {
      req.on('timeout', () =>
        next(httpError(503, 'Response timeout', { code: 'ETIMEDOUT', timeout: delay })),
      );
    }
    res.on('close', stop);
    onHeaders(res, stop);
    next();
  };
}

declare namespace timeout {
  interface Options {
    /** Whether the error handlers are called. @default true */
    respond?: boolean | undefined;
  }
}

export = timeout;
