/**
 * The signatures by which handlers are registered: what a path and `web.valid` promise gives the handlers their types.
 *
 * Of signatures with `web.valid` there are many, because it may follow other middleware, and other middleware may
 * follow it. Each of these has a type parameter of its own: the compiler then takes the signature in its first,
 * strict pass, and does not fix the parameters of the handlers by a signature that turns out not to fit.
 */
import type * as core from 'express-serve-static-core';
import type { ParsedQs } from 'qs';
import type { OtherHandlers, ValidatedHandler, ValidHandler } from './validation';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

/** Keeps the compiler from inferring `T` here: it is what it is by default, or what the program wrote. */
export type Settled<T> = [T][T extends any ? 0 : never];

/**
 * What a routing method accepts after its path: handlers of requests or errors, and arrays of them, of any
 * parameters. Inline ones get their types from the first two members, by the number of their parameters. The compiler
 * passes over a member that has several signatures for that number, so the others have an additional one, which every
 * such function satisfies.
 */
export type HandlerArgument<P, ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> =
  | core.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | InlineErrorHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | TypedHandler<ResBody, ReqBody, ReqQuery, LocalsObj>
  | TypedErrorHandler<ResBody, ReqBody, ReqQuery, LocalsObj>
  | HandlerArgument<P, ResBody, ReqBody, ReqQuery, LocalsObj>[];

/* eslint-disable @typescript-eslint/consistent-type-definitions -- a compiler that writes declarations spells out a type
   that has no name of its own, and so names no file of this package */

/** No function is one; but an inline handler of four parameters, and no other, is typed by it. */
type InlineErrorHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = {
  (
    err: any,
    req: core.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>,
    res: core.Response<ResBody, LocalsObj>,
    next: core.NextFunction,
  ): any;
  <_>(err: never, req: never, res: never): any;
};

/** A handler whose type is known, whatever its parameters are: `never` fits all of them. */
type TypedHandler<ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = {
  (
    req: core.Request<never, ResBody, ReqBody, ReqQuery, LocalsObj>,
    res: core.Response<ResBody, LocalsObj>,
    next: core.NextFunction,
  ): any;
  <_>(req: never, res: never, next: never): any;
};

/** An error handler, inline or not. */
type TypedErrorHandler<ResBody, ReqBody, ReqQuery, LocalsObj extends Record<string, any>> = {
  (
    err: any,
    req: core.Request<never, ResBody, ReqBody, ReqQuery, LocalsObj>,
    res: core.Response<ResBody, LocalsObj>,
    next: core.NextFunction,
  ): any;
  <_>(err: never, req: never, res: never, next: never): any;
};

declare module 'express-serve-static-core' {
  /** A method that registers handlers under a path. `T` is what it hands back; the method's name is of no effect. */
  // prettier-ignore
  interface IRouterMatcher<
    T,
     
    _Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, third: H, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, third: H, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, second: G, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, F extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, F extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, first: F, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <Route extends string, S, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidHandler<S>, next: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>,
      ...handlers: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>[]
    ): T;
    <Route extends string, S, L extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidHandler<S>, next: L, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <Route extends string, S, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      path: Route, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
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

  /** A method that registers handlers without a path. `Route` is the path they have already. */
  // prettier-ignore
  interface IRouterHandler<T, Route extends string = string> {
    <S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, third: H, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, H extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, third: H, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, G extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, second: G, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, F extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, valid: ValidHandler<S>, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, F extends OtherHandlers, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      first: F, valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <S, LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidHandler<S>, next: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>,
      ...handlers: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>[]
    ): T;
    <S, L extends OtherHandlers, M extends OtherHandlers[], LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidHandler<S>, next: L, ...handlers: [...M, ValidatedHandler<S, RouteParameters<Route>, LocalsObj>]
    ): T;
    <S, M extends OtherHandlers, N extends OtherHandlers, LocalsObj extends Record<string, any> = Record<string, any>>(
      valid: ValidHandler<S>, fourth: M, fifth: N, last: ValidatedHandler<S, RouteParameters<Route>, LocalsObj>
    ): T;
    <
      P = RouteParameters<Route>,
      ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
    >(...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
  }
}

export type { IRouterHandler, IRouterMatcher } from 'express-serve-static-core';
