/** Requests of Node's compatibility API for HTTP/2, which have other members than those of `node:http`. */
import { IncomingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { handleForeign as handleForeignType } from '../http2/foreign';
import type { Application } from '../types/internals';
import { logError } from './final-handler';

type Next = (err?: unknown) => void;

/** Whether a request is one of HTTP/2, and the application has not been made to inherit from its class. */
export function isForeign(app: Application, req: IncomingMessage): boolean {
  if (req.httpVersionMajor !== 2 || req instanceof IncomingMessage) return false;
  const base = Object.getPrototypeOf(req) as object | null;
  return base !== null && !Object.prototype.isPrototypeOf.call(base, app.request);
}

/** Lets the application handle such a request with messages of its own. Its parts are loaded with the first one. */
export function receiveForeign(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
): void {
  const { handleForeign } = require('../http2/foreign') as { handleForeign: typeof handleForeignType };
  const [outerReq, outerRes] = [req, res] as unknown as [Http2ServerRequest, Http2ServerResponse];
  handleForeign(app, outerReq, outerRes, next, error => {
    logError(app, error);
  });
}
