/**
 * The signatures of the methods that register handlers: they derive the handlers' types from the path and from
 * `web.validate`.
 *
 * There are many signatures with `web.validate`, because other middleware may precede and follow it. Each of these has its
 * own type parameter: the compiler then selects the signature in its first, strict pass, and does not infer the
 * handlers' parameters from a signature that does not match in the end.
 */
import type * as core from 'express-serve-static-core';
import type { ParsedQs } from 'qs';
import type { OtherHandlers, ValidatedHandler, ValidateHandler } from './validation';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

/** Prevents the compiler from inferring `T` here: it has its default, or the type that the program specified. */
export type Settled<T> = [T][T extends any ? 0 : never];

/**
 * The arguments of a routing method after its path: request or error handlers with any parameters, and arrays of them.
 * Inline handlers get their types from the first two members, depending on the number of their parameters. The compiler
 * ignores a member with several signatures for that number, so the others have an additional one, which every such
 * function satisfies: that of a method, whose parameters may be wider or narrower. It is the last one because the compiler
 * infers type parameters from it in calls that return middleware, such as `morgan('tiny', { skip: (req, res) => … })`.
 */
export type HandlerArgument<P, ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> =
  | core.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | InlineErrorHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | TypedHandler<ResBody, ReqBody, ReqQuery, LocalsObj>
  | TypedErrorHandler<ResBody, ReqBody, ReqQuery, LocalsObj>
  | HandlerArgument<P, ResBody, ReqBody, ReqQuery, LocalsObj>[];

/** No function has this type, but it provides the types of inline handlers with four parameters, and only of those. */
type InlineErrorHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = ((
  err: any,
  req: core.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>,
  res: core.Response<ResBody, LocalsObj>,
  next: core.NextFunction,
) => any) &
  { other<_>(err: unknown, req: unknown, res: unknown): any }['other'];

/** A handler with a declared type, whatever its parameters are: `never` is assignable to all of them. */
type TypedHandler<ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = ((
  req: core.Request<never, ResBody, ReqBody, ReqQuery, LocalsObj>,
  res: core.Response<ResBody, LocalsObj>,
  next: core.NextFunction,
) => any) &
  {
    other<_>(
      req: core.Request<any, any, any, any, any>,
      res: core.Response<any, any>,
      next: core.NextFunction,
    ): any;
  }['other'];

/** An error handler, inline or not. */
type TypedErrorHandler<ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = ((
  err: any,
  req: core.Request<never, ResBody, ReqBody, ReqQuery, LocalsObj>,
  res: core.Response<ResBody, LocalsObj>,
  next: core.NextFunction,
) => any) &
  { other<_>(err: unknown, req: unknown, res: unknown, next: unknown): any }['other'];

declare module 'express-serve-static-core' {
  /** A method that registers handlers for a path. `T` is its return type; the method's name has no effect. */
  // prettier-ignore
  interface IRouterMatcher<
    T,
     
    _Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, third: H, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, third: H, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, F extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidateHandler<S>, next: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>,
      ...handlers: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>[]
    ): T;
    <Route extends string, S, L extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidateHandler<S>, next: L, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <
      Route extends string, P = RouteParameters<Route>,
      ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
    >(path: Route, ...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
    <
      P = ParamsDictionary,
      ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
    >(path: PathParams, ...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
    (path: PathParams, subApplication: Application): T;
  }

  /** A method that registers handlers without a path argument. `Route` is the path that they already have. */
  // prettier-ignore
  interface IRouterHandler<T, Route extends string = string> {
    <S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, third: H, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, third: H, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, F extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, valid: ValidateHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidateHandler<S>, next: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>,
      ...handlers: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>[]
    ): T;
    <S, L extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidateHandler<S>, next: L, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidateHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <
      P = RouteParameters<Route>,
      ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
    >(...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
  }
}

export type { IRouterHandler, IRouterMatcher } from 'express-serve-static-core';
