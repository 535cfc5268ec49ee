/** `web.deadline`: sends a 503 if there is no response in time, and aborts the request's signal. */
import { deferred } from '../../deferred';
import { reportsMistakes } from '../../report/development';
import type * as Warn from '../../dev/warn';
import { cutOff, onClosed } from '../../serving/closing';
import { abandonWaiting, COMPLETE, gateOf, hooks, inherited, isWaiting } from '../../serving/hook-gate';
import { abortSignal } from '../../serving/signal';
import type { SignalledRequest } from '../../serving/signal';
import { retryAfterOf, timerDuration } from '../../amount';
import { httpError } from '../../protocol/errors';
import type { HttpError } from '../../protocol/errors';
import { FLAG, READ, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import { expire, expiryOf } from '../../router/expiry';
import { routeName } from '../../router/matched-path';
import { upgradeOf } from '../../router/upgrade';
import type { RequestHandler } from '../../types/core';
import type { DeadlineOptions } from '../../types/operation';
import type { Request, Response } from '../../types/internals';
import type * as LateCalls from './late-calls';

const CALLER = 'web.deadline()';
const OPTIONS = { retryAfter: READ, destroy: FLAG } satisfies Kinds<DeadlineOptions>;
const RETRY_AFTER = '10s';
/** For how many milliseconds the 503 may wait for hooks, such as that of a session whose store stalls. */
const HOOK_TIME = 1000;

const lateCalls = deferred(() => require('./late-calls') as typeof LateCalls);
const warnings = deferred(() => require('../../dev/warn') as typeof Warn, reportsMistakes);

/** What happens when a deadline passes. */
interface Limit {
  readonly milliseconds: number;
  readonly retryAfter: string | undefined;
  readonly destroy: boolean;
}

/**
 * Creates middleware that limits the time of handlers. If the time is over and nothing has been sent, the error
 * handlers get an error with status 503; then `req.signal` is aborted with the same error as its reason.
 * @param time milliseconds, or text such as `'10s'`
 * @throws TypeError or RangeError for an invalid time or option
 * @example app.use(web.deadline('10s'));
 */
export function deadline(time: number | string, options: DeadlineOptions = {}): RequestHandler {
  checkOptions(CALLER, options, OPTIONS);
  const { destroy = false } = options;
  const limit: Limit = {
    milliseconds: timerDuration('a deadline', time, 1),
    retryAfter: retryAfterOf(CALLER, options.retryAfter ?? RETRY_AFTER),
    destroy,
  };
  return function deadline(req: Request, res: Response, next: (err?: unknown) => void) {
    // A WebSocket may stay open for any time. With `app.ws`, the response ends when the socket opens.
    if (!(req as { upgrade?: boolean }).upgrade || upgradeOf(req) !== undefined) {
      const timer = setTimeout(() => {
        pass(limit, req, res, next);
      }, limit.milliseconds);
      onClosed(req, res, () => {
        clearTimeout(timer);
      });
    }
    next();
  } as RequestHandler;
}

/** Handles a deadline that has passed. If a request has several, only the first one counts. */
function pass(limit: Limit, req: Request, res: Response, next: (err: unknown) => void): void {
  if (expiryOf(req) !== undefined) return;
  // A response that waits for its hooks or its schema has not been sent yet, and the hooks must not delay the 503 too.
  if (!abandonWaiting(res) && inherited(res, 'writableEnded')) return;
  const error = errorOf(limit);
  if (res.headersSent) {
    abortSignal(req as SignalledRequest, error);
    if (limit.destroy) cutOff(res);
    return;
  }
  // That of the handler's body would be wrong for any other
  if (res.hasHeader('Content-Length')) hooks().removeLength(res);
  const report = reporter(limit, req);
  let status: number | undefined;
  const reportLate = (): void => {
    report(status);
  };
  const hasEnded = lateCalls().ignoreLateCalls(res, {
    onHead: sent => {
      status = sent;
      if (isOfHandler(sent) && res.getHeader('Retry-After') === limit.retryAfter) {
        res.removeHeader('Retry-After');
      }
    },
    onEnd: () => {
      // Set only now, so that the response or error of an interrupted handler cannot replace the 503.
      abortSignal(req as SignalledRequest, error);
    },
    onLate: reportLate,
  });
  const hasResponded = (): boolean => hasEnded() || COMPLETE in res;
  expire(req, { error, hasResponded, reportLate });
  if (limit.retryAfter !== undefined) res.setHeader('Retry-After', limit.retryAfter);
  const respond = (): void => {
    next(error);
  };
  respondInstead(res, respond);
  limitHooks(req, res, respond);
}

/** Calls a function to send a response in place of that of the handler, which may go on to write it. */
function respondInstead(res: Response, respond: () => void): void {
  const gate = gateOf(res);
  if (gate === undefined) respond();
  else gate.runErrorHandlers(respond);
}

/** Calls a function to send a response in place of each one that hooks hold back for too long. */
function limitHooks(req: Request, res: Response, respond: () => void): void {
  let wasWaiting = isWaiting(res);
  const timer = setInterval(() => {
    if (wasWaiting && abandonWaiting(res)) respondInstead(res, respond);
    wasWaiting = isWaiting(res);
  }, HOOK_TIME);
  onClosed(req, res, () => {
    clearInterval(timer);
  });
}

/** Named `TimeoutError`, like the reason of a signal that times out. */
function errorOf({ milliseconds, retryAfter }: Limit): HttpError {
  const message = `No response was sent within ${milliseconds} ms`;
  return httpError(503, message, {
    name: 'TimeoutError',
    code: 'ETIMEDOUT',
    type: 'request.deadline',
    // The message and the type reveal nothing that the client can't see.
    expose: true,
    timeout: milliseconds,
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } }),
    // The stack would only show a timer, and no code of the application.
    stack: `TimeoutError: ${message}`,
  });
}

/**
 * Whether a response comes from the interrupted handler, which has responded before an asynchronous error handler. A
 * 429 may have its own `Retry-After`.
 */
function isOfHandler(status: number): boolean {
  return status < 500 && status !== 429;
}

/**
 * Returns the function to call with the status that was sent when code acts too late; it names the route that was
 * running when the deadline passed.
 */
function reporter({ milliseconds }: Limit, req: Request): (status: number | undefined) => void {
  const { app } = req;
  const route = routeName(req);
  return status => {
    if (!reportsMistakes(app.settings)) return;
    const isErrorLate = status !== undefined && isOfHandler(status);
    warnings().warnOnce(
      'RISTRETTO_LATE_RESPONSE',
      `The deadline of ${route} passed after ${milliseconds} ms, ` +
        (isErrorLate
          ? `but its handler responded with ${status} before the error handler, whose response was therefore ignored. ` +
            'Respond in the error handler without waiting for anything.'
          : 'and what its handler did afterwards was ignored. ' +
            'Pass req.signal to the operations that the handler awaits, or check req.signal.aborted.'),
    );
  };
}
