/** `web.responseTime()`: sends the response time in a header. */
import type * as http from 'node:http';
import { performance } from 'node:perf_hooks';
import onHeaders = require('on-headers');
import type { Handler, Request } from './connect';

type Report = (req: Request, res: http.ServerResponse, milliseconds: number) => void;

/**
 * Create middleware that sets `X-Response-Time: 2.345ms`, the time from this middleware to the response header.
 * @param options the number of decimal places; or options; or a function that is called with the time
 * @example
 * app.use(web.responseTime());
 * // GET / -> 404 (X-Response-Time: …ms)
 */
function responseTime(options?: number | responseTime.Options | Report): Handler {
  const report = typeof options === 'function' ? options : fieldSetter(options);
  return function responseTime(req, res, next) {
    const started = performance.now();
    onHeaders(res, () => report(req, res, performance.now() - started));
    next();
  };
}

function fieldSetter(options: number | responseTime.Options | undefined): Report {
  const {
    digits = 3,
    header = 'X-Response-Time',
    suffix = true,
  } = typeof options === 'number' ? { digits: options } : (options ?? {});
  return (_req, res, milliseconds) => {
    if (res.hasHeader(header)) return;
    res.setHeader(header, milliseconds.toFixed(digits) + (suffix ? 'ms' : ''));
  };
}

declare namespace responseTime {
  interface Options {
    /** The number of decimal places. @default 3 */
    digits?: number | undefined;
    /** The name of the header. @default 'X-Response-Time' */
    header?: string | undefined;
    /** Whether to append `ms` to the number. @default true */
    suffix?: boolean | undefined;
  }
}

export = responseTime;
