/** Requests as they reach an application: the function that it is, and its member `handle`. */
import { IncomingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { deferred } from '../deferred';
import { prototypesOf } from '../serving/adopt';
import { respondsToProbe } from '../serving/probe';
import type { handleForeign as handleForeignType } from '../serving/http2/compat-api';
import type { Application, Request, Response } from '../types/internals';
import type { Next } from '../types/next';
import { logError, sendFinalResponse } from './final-handler';
import { requestTracer } from './request-tracer';

const foreign = deferred(
  () => require('../serving/http2/compat-api') as { handleForeign: typeof handleForeignType },
);

/** Creates the function that an application is, without its members. */
export function createFunction(): Application {
  const app = function (req: IncomingMessage, res: ServerResponse, next?: Next): void {
    // Tools wrap `handle`, so it is called once for each request, with the application's request and response objects.
    if (req.httpVersionMajor === 2 && isForeign(app, req)) receiveForeign(app, req, res, next);
    else app.handle(req, res, next);
  } as Application;
  return app;
}

type Handle = (this: Application, req: Request, res: Response, done?: Next) => void;

/**
 * Creates the member `handle`, which handles a request. Its last parameter is called if no handler responds, with the
 * error if there is one; without it, the application responds itself.
 * @param run passes a request through the handlers
 * @param finish responds in their place
 */
export function handleWith(
  run: (app: Application, req: Request, res: Response, out: Next) => void,
  finish: typeof sendFinalResponse = sendFinalResponse,
): Handle {
  return function handle(req, res, done) {
    if (req.httpVersionMajor === 2 && isForeign(this, req)) {
      receiveForeign(this, req, res, done);
      return;
    }
    const out: Next =
      done ??
      (err => {
        finish(this, req, res, err);
      });
    const tracer = done === undefined ? requestTracer() : undefined;
    if (tracer === undefined) {
      run(this, req, res, out);
    } else {
      tracer.traceRequest(this, req, res, () => {
        run(this, req, res, out);
      });
    }
  };
}

/**
 * Whether this is a request of Node's HTTP/2 compatibility API, whose members differ from those of `node:http`, and the
 * application's request prototype does not inherit from its class.
 */
export function isForeign(app: Application, req: IncomingMessage): boolean {
  if (req.httpVersionMajor !== 2 || req instanceof IncomingMessage) return false;
  const base = Object.getPrototypeOf(req) as object | null;
  return base !== null && !Object.prototype.isPrototypeOf.call(base, prototypesOf(app).request);
}

/** Lets the application handle such a request with its own request and response objects. */
function receiveForeign(app: Application, req: IncomingMessage, res: ServerResponse, next?: Next): void {
  if (respondsToProbe(app, req)) return;
  const [outerReq, outerRes] = [req, res] as unknown as [Http2ServerRequest, Http2ServerResponse];
  foreign().handleForeign(app, outerReq, outerRes, next, error => {
    logError(app, error);
  });
}

/** Copies the members that the target lacks, including accessors and non-enumerable ones. */
export function mixin(target: object, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    if (Object.hasOwn(target, name)) continue;
    Object.defineProperty(target, name, Object.getOwnPropertyDescriptor(source, name)!);
  }
}
