/**
 * The signatures of the methods that register handlers: they derive the handlers' types from the path, and from the
 * handlers before them if these are marked: by `web.validate` or as `web.Adds` (see `inferred-request.ts`).
 *
 * For marked handlers there is a signature for each number of arguments, because the compiler infers type parameters from
 * left to right only for parameters of their own, and one for any number. The condition `IfKnown` rejects these signatures
 * for all other calls before the compiler has looked at inline handlers: it would give their parameters types only once.
 */
import type * as core from 'express-serve-static-core';
import type { ParsedQs } from 'qs';
import type { After, Hint, IfKnown, Key, Last, Next, Nothing } from './inferred-request';
import type { MembersAdded, OtherHandlers } from './validation';
import type { KnowingSocketMatcher } from './websocket';

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

/** A handler of any declared type: `never` is assignable to all its parameters. */
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

/** Signatures with a path for marked handlers. `T` is the return type, and `Known` what the router knows. */
// prettier-ignore
export interface FollowingMatcher<T, Known> {
  <Route extends string, A extends Next<Route, Known>>(
    path: IfKnown<Known, A, Route>, a: A | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>>(
    path: IfKnown<Known, A | B, Route>, a: A | Hint, b: B | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>>(
    path: IfKnown<Known, A | B | C, Route>, a: A | Hint, b: B | Hint, c: C | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>>(
    path: IfKnown<Known, A | B | C | D, Route>, a: A | Hint, b: B | Hint, c: C | Hint, d: D | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>>(
    path: IfKnown<Known, A | B | C | D | E, Route>, a: A | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>, F extends Next<Route, After<After<After<After<After<Known, A>, B>, C>, D>, E>>>(
    path: IfKnown<Known, A | B | C | D | E | F, Route>, a: A | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint, f: F | Hint
  ): T;
  <Route extends string, A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>, F extends Next<Route, After<After<After<After<After<Known, A>, B>, C>, D>, E>>, G extends Next<Route, After<After<After<After<After<After<Known, A>, B>, C>, D>, E>, F>>>(
    path: IfKnown<Known, A | B | C | D | E | F | G, Route>, a: A | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint, f: F | Hint, g: G | Hint
  ): T;
  <Route extends string, M extends OtherHandlers[], Z extends Last<Route, After<Known, M>>>(
    path: IfKnown<Known, M[number], Route>, ...handlers: [...M, Z]
  ): T;
}

/** Signatures without a path for marked handlers. `Kind` is what passes its knowledge on: see `Passing`. */
// prettier-ignore
export interface FollowingHandler<T, Route extends string, Kind, Known> {
  <A extends Next<Route, Known>>(
    a: IfKnown<Known, A, A> | Hint
  ): Passing<T, Route, Kind, After<Known, A>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>>(
    a: IfKnown<Known, A | B, A> | Hint, b: B | Hint
  ): Passing<T, Route, Kind, After<After<Known, A>, B>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>>(
    a: IfKnown<Known, A | B | C, A> | Hint, b: B | Hint, c: C | Hint
  ): Passing<T, Route, Kind, After<After<After<Known, A>, B>, C>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>>(
    a: IfKnown<Known, A | B | C | D, A> | Hint, b: B | Hint, c: C | Hint, d: D | Hint
  ): Passing<T, Route, Kind, After<After<After<After<Known, A>, B>, C>, D>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>>(
    a: IfKnown<Known, A | B | C | D | E, A> | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint
  ): Passing<T, Route, Kind, After<After<After<After<After<Known, A>, B>, C>, D>, E>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>, F extends Next<Route, After<After<After<After<After<Known, A>, B>, C>, D>, E>>>(
    a: IfKnown<Known, A | B | C | D | E | F, A> | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint, f: F | Hint
  ): Passing<T, Route, Kind, After<After<After<After<After<After<Known, A>, B>, C>, D>, E>, F>>;
  <A extends Next<Route, Known>, B extends Next<Route, After<Known, A>>, C extends Next<Route, After<After<Known, A>, B>>, D extends Next<Route, After<After<After<Known, A>, B>, C>>, E extends Next<Route, After<After<After<After<Known, A>, B>, C>, D>>, F extends Next<Route, After<After<After<After<After<Known, A>, B>, C>, D>, E>>, G extends Next<Route, After<After<After<After<After<After<Known, A>, B>, C>, D>, E>, F>>>(
    a: IfKnown<Known, A | B | C | D | E | F | G, A> | Hint, b: B | Hint, c: C | Hint, d: D | Hint, e: E | Hint, f: F | Hint, g: G | Hint
  ): Passing<T, Route, Kind, After<After<After<After<After<After<After<Known, A>, B>, C>, D>, E>, F>, G>>;
  <A extends OtherHandlers, M extends OtherHandlers[], Z extends Last<Route, After<Known, [A, ...M]>>>(
    a: IfKnown<Known, A | M[number], A> | Hint, ...handlers: [...M, Z]
  ): Passing<T, Route, Kind, After<Known, [A, ...M]>>;
}

/** Signatures with a path for all other handlers. */
// prettier-ignore
interface OrdinaryMatcher<T> {
  <
    Route extends string, P = core.RouteParameters<Route>,
    ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
  >(path: Route, ...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
  <
    P = core.ParamsDictionary,
    ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
  >(path: core.PathParams, ...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
  (path: core.PathParams, subApplication: core.Application): T;
}

/** Signatures without a path for all other handlers. */
// prettier-ignore
interface OrdinaryHandler<T, Route extends string> {
  // eslint-disable-next-line @typescript-eslint/prefer-function-type -- an interface can extend it
  <
    P = core.RouteParameters<Route>,
    ResBody = any, ReqBody = any, ReqQuery = ParsedQs, LocalsObj extends Record<string, any> = Record<string, any>,
  >(...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]): T;
}

/** `router` for routers and applications, which pass on what the middleware of `use` adds. */
type KindOf<T> = 'use' extends keyof T ? 'router' : 'other';

/** What a call returns: a router or route that knows what the arguments have added. */
type Passing<T, Route extends string, Kind, Known> = Kind extends 'router'
  ? [keyof Known & PassedByRouter] extends [never]
    ? T
    : KnowingRouter<Kept<Known, PassedByRouter>> & T
  : Kind extends 'route'
    ? KnowingRoute<Route, Known> & T
    : T;

/** What middleware of a router passes to its routes. The router resets `req.params` for each layer. */
type PassedByRouter = Exclude<Key, 'params' | 'names'>;

/** The members of `Known` with these keys, as an object type of its own, which editors show. */
type Kept<Known, Keys> = Known extends infer All
  ? { [K in keyof All as K extends Keys ? K : never]: All[K] }
  : never;

/** The members of a router or application whose middleware has added something. They precede its other signatures. */
export interface KnowingRouter<Known> {
  use: FollowingHandler<this, string, 'router', Known> & FollowingMatcher<this, Known>;
  route<Route extends string>(prefix: Route): KnowingRoute<Route, Known> & core.IRoute<Route>;
  ws: KnowingSocketMatcher<this, Known>;
  all: FollowingMatcher<this, Known>;
  get: FollowingMatcher<this, Known>;
  post: FollowingMatcher<this, Known>;
  put: FollowingMatcher<this, Known>;
  patch: FollowingMatcher<this, Known>;
  delete: FollowingMatcher<this, Known>;
  options: FollowingMatcher<this, Known>;
  head: FollowingMatcher<this, Known>;
}

/**
 * A router in a file of its own, whose handlers know the parameters of its mount path, and what middleware before it adds. It
 * can be mounted only behind such middleware, because this is the only type that it has when it is called.
 */
export type MountedRouter<Mount, Added> = KnowingRouter<{ mount: Mount; added: MembersAdded<Added> }> & {
  [Member in keyof core.Router]: core.Router[Member];
} & ((req: core.Request & MembersAdded<Added>, res: core.Response, next: core.NextFunction) => any);

/** The members of a route whose router, or whose middleware of `all`, has added something. */
interface KnowingRoute<Route extends string, Known> {
  all: FollowingHandler<this, Route, 'route', Known>;
  get: FollowingHandler<this, Route, 'other', Known>;
  post: FollowingHandler<this, Route, 'other', Known>;
  put: FollowingHandler<this, Route, 'other', Known>;
  patch: FollowingHandler<this, Route, 'other', Known>;
  delete: FollowingHandler<this, Route, 'other', Known>;
  options: FollowingHandler<this, Route, 'other', Known>;
  head: FollowingHandler<this, Route, 'other', Known>;
}

declare module 'express-serve-static-core' {
  /** A method that registers handlers for a path. `T` is its return type; the method's name has no effect. */
  interface IRouterMatcher<
    T,
    _Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  >
    extends FollowingMatcher<T, Nothing>, OrdinaryMatcher<T> {}

  /** A method that registers handlers without a path argument. `Route` is the path that they already have. */
  interface IRouterHandler<T, Route extends string = string>
    extends FollowingHandler<T, Route, KindOf<T>, Nothing>, OrdinaryHandler<T, Route> {}
}

export type { IRouterHandler, IRouterMatcher } from 'express-serve-static-core';
