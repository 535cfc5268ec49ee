/** What happens when nothing handled a request, or an error was left over. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type finalHandlerType = require('finalhandler');
import { explainsErrors } from '../diagnose/gate';
import type * as errorPage from '../error-page/explain';
import { gateOf } from '../http/gate';
import { causeOf } from '../protocol/errors';
import { expiryOf } from '../router/expiry';
import type { Expiry } from '../router/expiry';
import * as log from '../report/log';
import { watcher } from '../router/tracer';
import type { Application } from '../types/internals';
import { presentable } from './presentable-error';
import { sendProblem } from './problem';
import { requestTracer } from './request-tracer';
import type * as explained from './send-explained';

type FinalHandler = typeof finalHandlerType;

// Required at the first need, and under its own name: tools wrap it to see unhandled errors.
let finalHandler: FinalHandler | undefined;

/**
 * Answers 404, or the error with its status, else 500; the stack is shown outside production only. Once headers are
 * out the socket is destroyed, so that no client takes a broken body for a whole one.
 * @param err the error that no handler took, if any
 * @param toText what is written to the standard error where the application has no logger
 */
export function finish(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err?: unknown,
  toText?: (error: unknown) => unknown,
): void {
  answer(app, req, res, err, error => {
    logError(app, error, req, res, toText);
  });
}

/** Answers with an error that is only the client's, and is not logged: clients would fill the log with it. */
export function finishQuietly(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err: unknown,
): void {
  answer(app, req, res, err, () => undefined);
}

function answer(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err: unknown,
  onerror: (error: unknown) => void,
): void {
  const expiry = expiryOf(req);
  if (expiry?.isAnswered) {
    receiveLate(expiry, err, onerror);
    return;
  }
  const isExpired = expiry !== undefined && !res.headersSent;
  if (err && !isExpired && gateOf(res)?.isHoldingWhole) {
    // As if it had been sent: an error that comes after it can't change it.
    onerror(err);
    return;
  }
  if (err) {
    requestTracer()?.traceError(app, req, res, err);
    watcher()?.noteUnhandled(req);
  } else {
    watcher()?.noteEnd(req);
  }
  if (!isExpired && sendProblem(app, req, res, err)) return;
  const shown = isExpired ? expiry.error : err && presentable(err);
  finalHandler ??= require('finalhandler') as FinalHandler;
  // finalhandler would take it for the status, and fail where nobody catches it: one request could end the process
  if (Number.isNaN(res.statusCode)) res.statusCode = 500;
  const options = {
    env: app.get('env'),
    onerror: () => {
      onerror(err || shown);
    },
  };
  const respond = finalHandler(req, res, options);
  if (isExpired) {
    withoutWaiting(req, () => respond(shown));
  } else if (err && !res.headersSent && explainsErrors(app.settings)) {
    const { sendExplained } = require('./send-explained') as typeof explained;
    withoutWaiting(req, () => {
      sendExplained(app, req, res, err, () => respond(shown));
    });
  } else {
    respond(shown);
  }
}

/** What a handler passes on when its request has been answered in its place. */
function receiveLate(expiry: Expiry, err: unknown, onerror: (error: unknown) => void): void {
  if (!err) expiry.reportLate();
  else if (err !== expiry.error && causeOf(err) !== expiry.error) onerror(err);
}

/** finalhandler waits for the end of the request, unless it finds it finished: a slow upload would delay the response. */
function withoutWaiting(req: IncomingMessage, respond: () => void): void {
  Object.defineProperty(req, 'finished', { value: true, configurable: true });
  respond();
  Reflect.deleteProperty(req, 'finished');
}

/** Logs an unhandled error, by default to the standard error, but in tests. */
export function logError(
  app: Application,
  error: unknown,
  req?: IncomingMessage,
  res?: ServerResponse,
  toText?: (error: unknown) => unknown,
): void {
  const entry = { message: 'unhandled request error', error, req, res };
  log.logError(app, entry, () =>
    app.get('env') === 'test' ? undefined : (toText?.(error) ?? textOf(app, error, req)),
  );
}

/** The text of an error for the standard error; in development with a folded stack and hints. */
function textOf(app: Application, error: unknown, req: unknown): string {
  const isExplained = explainsErrors(app.settings);
  const explain = (): string =>
    (require('../error-page/explain') as typeof errorPage).explainInLog(error, req);
  // the stack, or else what the error says, or else what it holds
  for (const read of [...(isExplained ? [explain] : []), () => stackOrText(error), () => inspect(error)]) {
    try {
      return read();
    } catch {
      // the next way may be able to
    }
  }
  return 'The error cannot be read';
}

function stackOrText(error: unknown): string {
  const { stack } = Object(error) as { stack?: unknown };
  const text = stack || String(error);
  return typeof text === 'string' ? text : inspect(text);
}
