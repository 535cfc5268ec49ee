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
  // The deprecated forms with two arguments are not declared, and a promise is not a body: it would be sent as `{}`.
  interface Send<ResBody = any, T = Response<ResBody>> {
    // No call matches this signature. Without it, `body` in `res.json = body => …`, which many programs contain, would be
    // `unknown`: the compiler joins the parameters of all signatures that have the same type parameters. `_No` is never in
    // a call, but any where the compiler compares functions: `jest.Mocked<Response>` needs a signature that takes any arguments.
    <B extends AnyBody<B>, _No extends never = never>(body: ResBody, noMore: _No): T;
    // Takes further arguments, so that programs can assign `(...args) => …`, whose `args` come from the signature above.
    // Editors show this for a call: of a member with several signatures, they do not show the member's own documentation.
    /**
     * Send a response with this body: `send` as its type says (text is HTML, bytes and streams are bytes, anything else is JSON), `json` and
     * `jsonp` as JSON, formatted according to the settings `json replacer`, `json spaces` and `json escape`.
     * @param body a value, not a promise
     * @returns the response, for chaining
     */
    <B extends AnyBody<B>, _No extends never = never>(body?: Sent<ResBody, B>, ...noMore: NoMore<B>): T;
  }
}

/** Without a declared type, the type of the argument, by which promises are recognized. */
type Sent<ResBody, B> = 0 extends 1 & ResBody ? B : ResBody;

/** Any type. It depends on `B`, so that the compiler has `any` for `Parameters<Response['json']>`, too. */
type AnyBody<B> = Of<B> extends Of<PromiseIsNoBody> ? any : unknown;

/**
 * No further arguments; for a promise, a type that no arguments have. Where the argument's type is a type parameter, the
 * compiler takes the first result for `any`, which is false. Editors do not show an empty tuple. For `any`, an array: the
 * compiler puts `any` in place of `B` where a program assigns a function.
 */
type NoMore<B> =
  true extends IsPromise<B> ? never[] & PromiseIsNoBody : Of<B> extends Of<PromiseIsNoBody> ? never[] : [];

/** Whether `B`, or a member of it, is a promise. The first condition is true for `any` only. */
type IsPromise<B> = Of<B> extends Of<PromiseIsNoBody> ? false : B extends PromiseLike<unknown> ? true : false;

/** An object is compared where a type alone would decide the condition both ways for `any`. */
interface Of<B> {
  of: B;
}

/** The property name is the error text that TypeScript prints. */
interface PromiseIsNoBody {
  'A promise cannot be sent. Send what it resolves to: await it first.': never;
}

export type { RequestHandler } from 'express-serve-static-core';
