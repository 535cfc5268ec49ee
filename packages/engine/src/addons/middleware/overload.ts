/** `web.overload`: rejects requests with a 503 while the process is overloaded. */
import { writeContent } from '../../serving/write-content';
import { retryAfterOf, sizeOption, timerDuration } from '../../amount';
import { rejectedRequests } from '../../report/channels';
import { FUNCTION, READ, checkOption, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import type { NextFunction, Request, RequestHandler, Response } from '../../types/core';
import type { OverloadOptions, OverloadPriority, OverloadReason } from '../../types/operation';
import { isHealthCheck } from './health-paths';
import { Load } from './load';

const CALLER = 'web.overload()';
const OPTIONS = {
  maxDelay: READ,
  maxRequests: ['a whole number from 1', value => Number.isSafeInteger(value) && (value as number) >= 1],
  maxHeap: ['a number above 0, up to 1', value => typeof value === 'number' && value > 0 && value <= 1],
  maxRss: READ,
  retryAfter: READ,
  priority: FUNCTION,
} satisfies Kinds<OverloadOptions>;
const PRIORITIES: readonly unknown[] = ['critical', 'normal', 'low'] satisfies OverloadPriority[];
const SERVICE_UNAVAILABLE = 503;
const BODY = 'Service Unavailable';

/**
 * Creates middleware that responds with 503 and `Retry-After` while the event loop is late, too many requests wait for a
 * response, or memory is short. The response is sent directly, without error handlers, because it must cost little.
 * @throws TypeError for an invalid option; RangeError for a duration out of range
 * @example app.use(web.overload());
 */
export function overload(options: OverloadOptions = {}): RequestHandler {
  checkOptions(CALLER, options, OPTIONS);
  const { maxRequests, maxHeap = 0.9, maxRss, priority, retryAfter = '1s' } = options;
  const load = new Load({
    maxDelay: timerDuration(`the maxDelay of ${CALLER}`, options.maxDelay ?? '20ms', 1),
    maxRequests: maxRequests ?? Infinity,
    maxHeap,
    maxRss: sizeOption(CALLER, 'maxRss', maxRss ?? Infinity),
  });
  const after = retryAfterOf(CALLER, retryAfter);

  return function overload(req: Request, res: Response, next: NextFunction) {
    const own = priority === undefined ? 'normal' : checkedPriority(priority(req));
    const reason = load.reasonToReject(own);
    if (reason === undefined || isHealthCheck(req)) {
      load.enter(req, res);
      next();
    } else {
      load.reject(() => {
        try {
          reject(req, res, reason, after);
        } catch (error) {
          // A wrapper of the response has failed. In the timer of delayed rejections, nothing would catch it.
          next(error);
        }
      });
    }
  };
}

function checkedPriority(value: unknown): OverloadPriority {
  checkOption(PRIORITIES.includes(value), CALLER, 'the priority', `'critical', 'normal' or 'low'`, value);
  return value as OverloadPriority;
}

function reject(req: Request, res: Response, reason: OverloadReason, after: string | undefined): void {
  if (res.headersSent) return;
  res.statusCode = SERVICE_UNAVAILABLE;
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.setHeader('Content-Length', BODY.length);
  res.setHeader('Cache-Control', 'no-store');
  if (after !== undefined) res.setHeader('Retry-After', after);
  writeContent(res, BODY);
  if (rejectedRequests.hasSubscribers) rejectedRequests.publish({ req, res, reason });
}
