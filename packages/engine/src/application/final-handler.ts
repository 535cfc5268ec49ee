/** Responds when no handler did, or when an error was not handled. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type finalHandlerType = require('finalhandler');
import type onFinishedType = require('on-finished');
import { deferred } from '../deferred';
import { explainsErrors } from '../report/development';
import type * as viewer from '../dev/error-page/viewer';
import { COMPLETE, inherited } from '../serving/hook-gate';
import { cutOff, destroyInTurn } from '../serving/closing';
import { causeOf, httpError } from '../protocol/errors';
import { pathnameOf } from '../protocol/url';
import { expiryOf } from '../router/expiry';
import type { Expiry } from '../router/expiry';
import * as log from '../report/log';
import { devWatch } from '../router/observers';
import type { Application } from '../types/internals';
import { toLog } from './log-text';
import { addUploadStatus, presentable } from './presentable-error';
import { sendProblem } from './problem';
import { requestTracer } from './request-tracer';
import type * as explained from './send-explained';
import type * as routes from '../router/routes-at';

type FinalHandler = typeof finalHandlerType;

// Required under its own name and not with the framework, because tools wrap it to see unhandled errors.
const finalHandler = deferred(() => require('finalhandler') as FinalHandler);
const routesAt = deferred(() => require('../router/routes-at') as typeof routes);
const atEnd = deferred(() => require('on-finished') as typeof onFinishedType);
const explanations = deferred(() => require('./send-explained') as typeof explained, explainsErrors);
const viewers = deferred(() => require('../dev/error-page/viewer') as typeof viewer, explainsErrors);

log.formatErrors(toLog);

/**
 * Responds with 404, or with the error's status, or 500; the stack is shown only outside production. If the headers
 * have already been sent, the socket is destroyed, so that no client takes a truncated body for a complete one.
 * @param err the error that no handler handled, if any
 */
export function sendFinalResponse(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err?: unknown,
): void {
  let isLogged = false;
  const log = (error: unknown): void => {
    if (!isLogged) logError(app, error, req, res);
    isLogged = true;
  };
  try {
    respond(app, req, res, err, log);
  } catch (failure) {
    // This error would hide the one that caused it
    log(err || failure);
    endPlainly(res);
  }
}

/** Ends a response that could not be sent: behind asynchronous middleware, nothing else would. */
export function endPlainly(res: ServerResponse): void {
  try {
    // The client has disconnected
    if (res.destroyed) return;
    if (!res.headersSent) {
      Object.assign(res, { statusCode: 500, statusMessage: undefined });
      // The length of a page that was not sent: the client would wait for its bytes
      res.removeHeader('Content-Length');
    }
    res.end();
  } catch {
    // Writing the response has failed. Unless it is ended, the client waits for the rest.
    destroyInTurn(res);
  }
}

/** Responds with an error caused by the client without logging it, because clients could otherwise flood the log. */
export function sendFinalQuietly(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err: unknown,
): void {
  respond(app, req, res, err, () => undefined);
}

function respond(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err: unknown,
  onerror: (error: unknown) => void,
): void {
  if (!err && explainsErrors(app.settings) && viewers().openLink(req, res)) return;
  if (!err && refuseMethod(app, req, res)) return;
  if (err && app.get('error format') === 'problem') addUploadStatus(err);
  const expiry = expiryOf(req);
  if (expiry?.hasResponded() === true) {
    receiveLate(expiry, err, onerror);
    return;
  }
  const isExpired = expiry !== undefined && !res.headersSent;
  if (!isExpired && COMPLETE in res) {
    // The response is as good as sent: a later error cannot change it.
    if (err) onerror(err);
    return;
  }
  if (err) {
    requestTracer()?.traceError(app, req, res, err);
    devWatch()?.noteUnhandled(req);
    // A response that has ended for other code may wait for hooks, with nothing sent. One that has only begun to wait is
    // as good as sent.
    const hasBegun = !isExpired && (res.writableEnded ? inherited(res, 'headersSent') : res.headersSent);
    const isElsewhere = res.socket !== req.socket || req.httpVersionMajor > 1;
    if (hasBegun && isElsewhere && (res.writableEnded || isQueued(req, res))) {
      // The connection carries another request, behind a proxy another user's: finalhandler would cut it off
      if (!res.writableEnded) cutOff(res);
      onerror(err);
      return;
    }
  } else {
    devWatch()?.noteEnd(req, res);
  }
  const shown = isExpired ? expiry.error : err && presentable(err);
  const sent = sendProblem(app, req, res, isExpired ? expiry.error : err);
  if (sent !== undefined) {
    if (sent >= 500) onerror(err);
    return;
  }
  // finalhandler would use NaN as the status and throw where it cannot be caught: one request could end the process
  if (Number.isNaN(res.statusCode)) res.statusCode = 500;
  // finalhandler does not replace a reason phrase that HTTP/2 does not send, but Node would still reject it
  if (req.httpVersionMajor > 1) res.statusMessage = undefined as never;
  const options = {
    env: app.get('env'),
    onerror: () => {
      onerror(err || shown);
    },
  };
  const sendPage = finalHandler()(req, res, options);
  if (err && !isExpired && !res.headersSent && explainsErrors(app.settings)) {
    removeTrailer(res);
    withoutWaiting(req, () => {
      explanations().sendExplained(app, req, res, err, () => sendPage(shown));
    });
  } else if (isExpired || !canBeWaitedFor(req)) {
    removeTrailer(res);
    withoutWaiting(req, () => sendPage(shown));
  } else {
    // finalhandler waits for the end of the request. Until then a stream may respond, and the header would belong to
    // that response.
    if (hasTrailer(res)) {
      if (atEnd().isFinished(req)) removeTrailer(res);
      else atEnd()(req, () => removeTrailer(res));
    }
    catchAtEnd(req, res, onerror, () => sendPage(shown));
  }
}

/** Whether a response waits for those in front of it, on a connection that is open. */
function isQueued({ socket }: IncomingMessage, res: ServerResponse): boolean {
  // A request created by hand may have no socket
  return res.socket === null && (socket as Partial<Socket> | undefined)?.destroyed === false;
}

/** A request on which on-finished stores what it will call. */
interface Awaited {
  __onFinished?: { queue?: ((...args: unknown[]) => void)[] | null } | null;
}

/**
 * Catches what finalhandler throws when the request has ended, where nothing else would: by then, another response may have been
 * sent, or a header may have a value that cannot be sent.
 */
function catchAtEnd(
  req: IncomingMessage,
  res: ServerResponse,
  onerror: (error: unknown) => void,
  send: () => void,
): void {
  const queue = () => (req as Awaited).__onFinished?.queue ?? [];
  const before = queue().length;
  send();
  const awaiting = queue();
  if (awaiting.length !== before + 1) return;
  const write = awaiting.pop()!;
  awaiting.push((...args) => {
    const isOther = res.headersSent;
    try {
      write(...args);
    } catch (failure) {
      if (isOther) return;
      onerror(failure);
      endPlainly(res);
    }
  });
}

/**
 * Sends 405 if the setting `method not allowed` is on, and the path has handlers for other methods only (RFC 9110, section
 * 15.5.6).
 * @returns whether it was sent
 */
export function refuseMethod(app: Application, req: IncomingMessage, res: ServerResponse): boolean {
  if (!app.enabled('method not allowed')) return false;
  const path = pathnameOf((req as { originalUrl?: string }).originalUrl ?? req.url!);
  const allowed = path === undefined ? undefined : routesAt().allowedMethods(app, path, req.method!);
  if (allowed === undefined || allowed.length === 0) return false;
  sendFinalQuietly(
    app,
    req,
    res,
    httpError(405, undefined, {
      type: 'method.unsupported',
      headers: { Allow: allowed.join(',') },
      stack: undefined,
    }),
  );
  return true;
}

function hasTrailer(res: ServerResponse): boolean {
  return !res.headersSent && (res as Partial<ServerResponse>).hasHeader?.('Trailer') === true;
}

/**
 * Prepares a response for a page, which has a length: Node rejects trailers beside it by an exception that nothing would
 * catch.
 */
function removeTrailer(res: ServerResponse): void {
  if (hasTrailer(res) && !res.chunkedEncoding) res.removeHeader('Trailer');
}

/** Handles a late call of `next` by a handler whose request has timed out and been responded to. */
function receiveLate(expiry: Expiry, err: unknown, onerror: (error: unknown) => void): void {
  if (!err) expiry.reportLate();
  else if (err !== expiry.error && causeOf(err) !== expiry.error) onerror(err);
}

/** Whether the end of a request can be waited for. Adapters of serverless platforms may give it a socket without events. */
function canBeWaitedFor({ socket }: IncomingMessage): boolean {
  return !socket || typeof (socket as Partial<IncomingMessage['socket']>).on === 'function';
}

/**
 * finalhandler waits for the end of the request unless the request is finished: a slow upload would delay the response.
 */
function withoutWaiting(req: IncomingMessage, respond: () => void): void {
  Object.defineProperty(req, 'finished', { value: true, configurable: true });
  respond();
  Reflect.deleteProperty(req, 'finished');
}

/** Logs an unhandled error, by default to standard error, except in the `test` environment. */
export function logError(
  app: Application,
  error: unknown,
  req?: IncomingMessage,
  res?: ServerResponse,
): void {
  log.logError(app, { message: 'unhandled request error', error, req, res });
}
