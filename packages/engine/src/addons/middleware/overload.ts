/** `web.overload`: rejects requests with a 503 while the process is overloaded. */
import { writeContent } from '../../serving/write-content';
import { retryAfterOf, sizeOption, timerDuration } from '../../amount';
import { rejectedRequests } from '../../report/channels';
import { checkNames, checkOption } from '../../report/option-checks';
import type { NextFunction, Request, RequestHandler, Response } from '../../types/core';
import type { OverloadOptions, OverloadPriority, OverloadReason } from '../../types/operation';
import { isHealthCheck } from './health-paths';
import { Load } from './load';

const CALLER = 'web.overload()';
const OPTIONS = [
  'maxDelay',
  'maxRequests',
  'maxHeap',
  'maxRss',
  'retryAfter',
  'priority',
] satisfies (keyof OverloadOptions)[];
const PRIORITIES: readonly unknown[] = ['critical', 'normal', 'low'] satisfies OverloadPriority[];
const SERVICE_UNAVAILABLE = 503;
const BODY = 'Service Unavailable';

/**
 * Creates middleware that responds with 503 and `Retry-After` while the event loop is late, too many requests wait for a
 * response, or memory is short. The response is sent directly, without error handlers, because it must cost little.
 *
 * @throws TypeError for an invalid option; RangeError for a duration out of range
 * @example app.use(web.overload());
 */
export function overload(options: OverloadOptions = {}): RequestHandler {
  checkNames(CALLER, options, OPTIONS);
  const { maxRequests, maxHeap = 0.9, maxRss, priority, retryAfter = '1s' } = options;
  checkOption(isCount(maxRequests), CALLER, 'maxRequests', 'a whole number from 1', maxRequests);
  const isShare = typeof maxHeap === 'number' && maxHeap > 0 && maxHeap <= 1;
  checkOption(isShare, CALLER, 'maxHeap', 'a number above 0, up to 1', maxHeap);
  const isFunction = priority === undefined || typeof priority === 'function';
  checkOption(isFunction, CALLER, 'priority', 'a function', priority);
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
      load.enter(res);
      next();
    } else {
      load.reject(() => {
        reject(req, res, reason, after);
      });
    }
  };
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1);
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
