/** Handlers of requests, errors and parameters, by the types of request and response that the package declares. */
import type { ParsedQs } from 'qs';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

declare module 'express-serve-static-core' {
  /** Values under names that are not known beforehand. */
  interface Dictionary<T> extends Record<string, T> {}

  /** A path, a regular expression, or a list of both: what every routing method takes as its first argument. */
  type PathParams = string | RegExp | (string | RegExp)[];

  /** The type of `req.query` unless a handler declares its own. */
  type Query = ParsedQs;

  /**
   * A handler. The promise of an async handler may reject: the reason goes to the error handlers.
   * @example const hello: RequestHandler = (req, res) => res.send('Hello');
   */
  interface RequestHandler<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = ParsedQs,
    LocalsObj extends Record<string, any> = Record<string, any>,
  > {
    // eslint-disable-next-line @typescript-eslint/prefer-function-type -- programs extend the interface
    (
      req: Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>,
      res: Response<ResBody, LocalsObj>,
      next: NextFunction,
    ): any;
  }

  /** The same as `RequestHandler`, with no types of its own. */
  interface Handler extends RequestHandler {}

  /**
   * An error handler. Its four parameters tell it from other handlers, so all of them must be written.
   * @example app.use(((err, req, res, next) => res.status(500).send(err.message)) as ErrorRequestHandler);
   */
  type ErrorRequestHandler<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = ParsedQs,
    LocalsObj extends Record<string, any> = Record<string, any>,
  > = (
    err: any,
    req: Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>,
    res: Response<ResBody, LocalsObj>,
    next: NextFunction,
  ) => any;

  /** A handler, an error handler, or a list of them. */
  type RequestHandlerParams<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = ParsedQs,
    LocalsObj extends Record<string, any> = Record<string, any>,
  > =
    | RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
    | ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
    | (RequestHandler<P> | ErrorRequestHandler<P>)[];

  /** A trigger of `app.param()`: runs once for each value of a parameter, before the handlers of the route. */
  type RequestParamHandler = (
    req: Request,
    res: Response,
    next: NextFunction,
    value: any,
    name: string,
  ) => any;

  /** `app.use()`: registers middleware, with or without a path. */
  type ApplicationRequestHandler<T> = IRouterHandler<T> &
    IRouterMatcher<T> &
    ((...handlers: RequestHandlerParams[]) => T);

  /** A function that sends a body and returns the response: `res.send`, `res.json`, `res.jsonp`. */
  // The forms with two arguments are deprecated and not declared: a second signature would keep the compiler from
  // knowing the type of `body` in `res.json = body => …`, which many programs contain.
  type Send<ResBody = any, T = Response<ResBody>> = (body?: ResBody) => T;
}

export type { RequestHandler } from 'express-serve-static-core';
