/** The messages that the framework publishes on channels of `node:diagnostics_channel`. */
import type { Express, Request, Response } from 'express-serve-static-core';

/**
 * A call of a handler, published on the tracing channel `express.router.request`: of middleware, a mounted router, a
 * route handler, an error handler, or a parameter callback. All events of a call receive the same object.
 * @example
 * tracingChannel('express.router.request').start.subscribe(message => {
 *   const { handler, route } = message as web.HandlerTrace;
 * });
 */
export interface HandlerTrace {
  /** The request. */
  req: Request;
  /** The response. */
  res: Response;
  /** The layer of the handler; for a parameter callback, the layer whose path has the parameter. */
  layer: { name: string };
  /** The called function. */
  handler: (...args: never[]) => unknown;
  /**
   * The path of the router's layer as registered, without the paths of parent routers; if it is an array, the matching
   * element.
   */
  route: string | RegExp | undefined;
  /** The name of the parameter, for a parameter callback. */
  param?: string | number;
  /** The error passed to an error handler. */
  incomingError?: unknown;
  /** Whether the handler is an error handler. */
  errorHandler?: true;
  /** The return value of the handler, or the value its promise resolved to. */
  result?: unknown;
  /**
   * The error that the handler threw, rejected with, or passed to `next`. Each error is reported once, where it
   * originated.
   */
  error?: unknown;
}

/**
 * A request, published on the tracing channel `ristretto.request`. `start` and `end` enclose the synchronous part of
 * routing, `asyncStart` and `asyncEnd` follow the end of the response or of its connection, and `error` reports an
 * error that no handler handled, before the response to it. All events of a request receive the same object.
 * @example
 * tracingChannel('ristretto.request').asyncEnd.subscribe(message => {
 *   const { req, res, aborted } = message as web.RequestTrace;
 *   requests.inc({ method: req.method, status: aborted ? 'aborted' : res.statusCode });
 * });
 */
export interface RequestTrace {
  /** The outermost application. */
  app: Express;
  /** The request. */
  req: Request;
  /** The response. */
  res: Response;
  /** The error that no handler handled. */
  error?: unknown;
  /** Whether the connection ended before the response was complete; set from `asyncStart` on. */
  aborted?: boolean;
}

/**
 * A route that a request has reached, published on the channel `ristretto.request.route` before the route's first
 * handler runs.
 */
export interface RouteReport {
  /** The request. */
  req: Request;
  /** The response. */
  res: Response;
  /** The route, as in `req.route`. */
  route: { path: string | RegExp | (string | RegExp)[] };
}

/**
 * The rendering of a view by `app.render` or `res.render`, published on the tracing channel `ristretto.render`. `start`
 * and `end` enclose the synchronous part, `asyncStart` and `asyncEnd` the callback.
 */
export interface RenderTrace {
  /** The application that renders the view. */
  app: Express;
  /** The name of the view, as passed. */
  view: string;
  /** The locals, as passed. */
  options: object;
  /** The rendered text. */
  result?: string;
  /** The error, if rendering failed. */
  error?: unknown;
}
