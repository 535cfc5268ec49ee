/** The types of request, error and parameter handlers, using this package's types of request and response. */
import type { ParsedQs } from 'qs';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

declare module 'express-serve-static-core' {
  /** Values by arbitrary names. */
  interface Dictionary<T> extends Record<string, T> {}

  /** A path, a regular expression, or an array of these: the first argument of every routing method. */
  type PathParams = string | RegExp | (string | RegExp)[];

  /** The type of `req.query` unless a handler declares its own. */
  type Query = ParsedQs;

  /**
   * A request handler. If it returns a promise that rejects, the error handlers receive the reason.
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

  /** `RequestHandler` with the default type arguments. */
  interface Handler extends RequestHandler {}

  /**
   * An error handler. It is recognized by its four parameters, so all of them must be declared.
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

  /** A handler, an error handler, or an array of them. */
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

  /** A callback of `app.param()`: runs once for each value of a parameter, before the handlers of the route. */
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
  // The deprecated forms with two arguments are not declared: with a second signature, the compiler could not infer the
  // type of `body` in `res.json = body => …`, which many programs contain.
  type Send<ResBody = any, T = Response<ResBody>> = (body?: ResBody) => T;
}

export type { RequestHandler } from 'express-serve-static-core';
