/** How a request comes to its application, whatever kind of server brings it. */
import { IncomingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { handleForeign as handleForeignType } from '../http2/foreign';
import type { Application } from '../types/internals';
import { logError } from './final-handler';

type Next = (err?: unknown) => void;

/** Lets the application handle a request. One of Node's compatibility API for HTTP/2 gets messages that it knows. */
export function arrive(app: Application, req: IncomingMessage, res: ServerResponse, next?: Next): void {
  if (req.httpVersionMajor !== 2 || !isForeign(app, req)) {
    app.handle(req, res, next);
    return;
  }
  const { handleForeign } = require('../http2/foreign') as { handleForeign: typeof handleForeignType };
  const [outerReq, outerRes] = [req, res] as unknown as [Http2ServerRequest, Http2ServerResponse];
  handleForeign(app, outerReq, outerRes, next, error => {
    logError(app, error);
  });
}

/** Whether a message has other members, and the application has not been made to inherit from its class. */
function isForeign(app: Application, req: object): boolean {
  if (req instanceof IncomingMessage) return false;
  const base = Object.getPrototypeOf(req) as object | null;
  return base !== null && !Object.prototype.isPrototypeOf.call(base, app.request);
}
