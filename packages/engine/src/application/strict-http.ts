/** The setting `strict http`, which makes requests and responses conform strictly to RFC 9110 and RFC 9112. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { excessHeaders, tooManyHeaders } from '../serving/excess-headers';
import { isStrict } from '../serving/strict';
import { examineRequest, targetOf } from '../serving/strict-request';
import { forgetLength, governResponse } from '../serving/strict-response';
import type { HttpError } from '../protocol/errors';
import type { Application } from '../types/internals';
import { isForeign } from './handling';
import { sendFinalResponse, sendFinalQuietly } from './final-handler';
import { requestTracer } from './request-tracer';

/** Applications whose `handle` has been wrapped. */
const enforcing = new WeakSet<Application>();

/**
 * Makes an application check each request before handling it. Replaces `handle` only in applications with the setting,
 * so that others pay nothing.
 */
export function enforceStrictHttp(app: Application): void {
  if (enforcing.has(app)) return;
  enforcing.add(app);
  const { handle } = app;
  app.handle = function (this: Application, req, res, done) {
    // A foreign request reaches `handle` again, with request and response objects of the application.
    if (!this.enabled('strict http') || isStrict(req) || isForeign(this, req)) {
      handle.call(this, req, res, done);
      return;
    }
    const run = (): void => {
      if (!isHttp2(req)) {
        governResponse(res);
        const refusal = lacksHeaders(req) ?? examineRequest(req);
        if (refusal) {
          sendFinalQuietly(this, req, res, refusal);
          return;
        }
      }
      const out = (err?: unknown): void => {
        sendFinalStrictly(this, req, res, err);
      };
      handle.call(this, req, res, done ?? out);
    };
    // Traced here, because `handle` assumes that the caller ends a request with `done`, and `run` always passes one.
    const tracer = done === undefined ? requestTracer() : undefined;
    if (tracer === undefined) run();
    else tracer.traceRequest(this, req, res, run);
  };
}

/**
 * Returns an error (RFC 6585, section 5) if Node has dropped headers: without them not even a single Host can be
 * verified.
 */
function lacksHeaders(req: IncomingMessage): HttpError | undefined {
  if (excessHeaders(req) <= 0) return undefined;
  return tooManyHeaders(req, { headers: { Connection: 'close' }, stack: undefined });
}

/** HTTP/2 has its own message format, which Node enforces: only the fallback responses apply to it. */
function isHttp2(req: IncomingMessage): boolean {
  return 'stream' in req;
}

/** Responds when no handler did: to OPTIONS for the server, or as without the setting. */
function sendFinalStrictly(app: Application, req: IncomingMessage, res: ServerResponse, err: unknown): void {
  if (!err && isForServer(req)) {
    res.writeHead(204).end();
    return;
  }
  // The page contains the method, so its length differs between HEAD and GET
  forgetLength(res);
  sendFinalResponse(app, req, res, err);
}

/**
 * Whether this is an OPTIONS request for the server itself: `*`, or an absolute target without path and query (RFC
 * 9112, section 3.2.4).
 */
function isForServer(req: IncomingMessage): boolean {
  return req.method === 'OPTIONS' && /^(?:\*|https?:\/\/[^/?]+)$/i.test(targetOf(req));
}
