/** Requests of Node's HTTP/2 compatibility API, whose members differ from those of `node:http`. */
import { IncomingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { deferred } from '../deferred';
import type { handleForeign as handleForeignType } from '../http2/foreign';
import { prototypesOf } from '../http/adopt';
import type { Application } from '../types/internals';
import type { Next } from '../types/next';
import { logError } from './final-handler';

const foreign = deferred(() => require('../http2/foreign') as { handleForeign: typeof handleForeignType });

/** Whether this is an HTTP/2 request and the application's request prototype does not inherit from its class. */
export function isForeign(app: Application, req: IncomingMessage): boolean {
  if (req.httpVersionMajor !== 2 || req instanceof IncomingMessage) return false;
  const base = Object.getPrototypeOf(req) as object | null;
  return base !== null && !Object.prototype.isPrototypeOf.call(base, prototypesOf(app).request);
}

/** Lets the application handle such a request with its own request and response objects. */
export function receiveForeign(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
): void {
  const [outerReq, outerRes] = [req, res] as unknown as [Http2ServerRequest, Http2ServerResponse];
  foreign().handleForeign(app, outerReq, outerRes, next, error => {
    logError(app, error);
  });
}
