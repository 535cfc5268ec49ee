/** What the framework reports on the channels of `node:diagnostics_channel`. */
import type { Express, Request, Response } from 'express-serve-static-core';

/**
 * A call of a handler, on the tracing channel `express.router.request`: of middleware, of a mounted router, of a route's
 * handler, of an error handler, or of a parameter callback. All events of a call get the same object.
 * @example
 * tracingChannel('express.router.request').start.subscribe(message => {
 *   const { handler, route } = message as web.HandlerTrace;
 * });
 */
export interface HandlerTrace {
  /** The request. */
  req: Request;
  /** The response to it. */
  res: Response;
  /** The layer that holds the handler; of a parameter callback, the layer whose path has the parameter. */
  layer: { name: string };
  /** The function that is called. */
  handler: (...args: never[]) => unknown;
  /** The path of the router's layer, as registered, without those of the routers around it; of an array, its member. */
  route: string | RegExp | undefined;
  /** The parameter's name, of a parameter callback. */
  param?: string | number;
  /** The error that an error handler is called with. */
  incomingError?: unknown;
  /** Whether the handler is an error handler. */
  errorHandler?: true;
  /** What the handler returned, or its promise resolved to. */
  result?: unknown;
  /** What the handler threw, rejected with, or passed to `next`. Each error is reported once, where it began. */
  error?: unknown;
}

/**
 * A request, on the tracing channel `ristretto.request`. `start` and `end` are around the synchronous part of routing,
 * `asyncStart` and `asyncEnd` follow the end of the response or of its connection, and `error` comes with an error that no
 * handler took, before the response to it. All events of a request get the same object.
 * @example
 * tracingChannel('ristretto.request').asyncEnd.subscribe(message => {
 *   const { req, res, aborted } = message as web.RequestTrace;
 *   requests.inc({ method: req.method, status: aborted ? 'aborted' : res.statusCode });
 * });
 */
export interface RequestTrace {
  /** The application that got the request first. */
  app: Express;
  /** The request. */
  req: Request;
  /** The response to it. */
  res: Response;
  /** The error that no handler took. */
  error?: unknown;
  /** From `asyncStart` on: whether the connection ended before the response was complete. */
  aborted?: boolean;
}

/** A route that a request has got to, on the channel `ristretto.request.route`: before the route's first handler. */
export interface RouteReport {
  /** The request. */
  req: Request;
  /** The response to it. */
  res: Response;
  /** The route, as in `req.route`. */
  route: { path: string | RegExp | (string | RegExp)[] };
}

/**
 * A view that is rendered, by `app.render` or `res.render`, on the tracing channel `ristretto.render`. `start` and `end`
 * are around the synchronous part, `asyncStart` and `asyncEnd` around the callback.
 */
export interface RenderTrace {
  /** The application that renders. */
  app: Express;
  /** The view's name, as it was given. */
  view: string;
  /** The locals that were given. */
  options: object;
  /** The rendered text. */
  result?: string;
  /** Why there is none. */
  error?: unknown;
}
