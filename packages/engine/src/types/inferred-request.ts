/**
 * The types that handlers derive from the handlers before them: outputs of `web.validate`, and members declared by
 * `web.Adds`. The routing methods collect them from their arguments, in order; nothing exists at run time.
 */
import type * as core from 'express-serve-static-core';

/* eslint-disable @typescript-eslint/no-explicit-any -- what nothing is known about has the type that it has in any handler */

type Types<Schema> = Schema extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T>
  : never;
/** The type of a schema's output. */
export type OutputOf<Schema> = Types<Schema> extends { readonly output: infer Output } ? Output : unknown;
/** The type that a schema accepts. */
export type InputOf<Schema> = Types<Schema> extends { readonly input: infer Input } ? Input : unknown;

/**
 * The names under which it is collected: parts of the request, `response` for schemas, `added` for members, `mount` for the
 * parameters of a router's mount path.
 */
export type Key =
  'params' | 'query' | 'headers' | 'cookies' | 'body' | 'response' | 'added' | 'mount' | 'names';

/**
 * Middleware that adds members to the request, for the handlers after it. `Needed` are members that it needs. It is an
 * intersection for the same reason as `ValidateHandler`.
 */
export type Adds<Added extends object, Needed = unknown> = ((
  req: core.Request & Needed & Partial<Added>,
  res: core.Response,
  next: core.NextFunction,
) => any) &
  AddedMembers<Added>;

interface AddedMembers<Added> {
  /** The members, for the compiler only. */
  readonly '~adds'?: Added;
}

/** No member is known. */
export interface Nothing {}

/** The handlers of `H`, a union, that have a mark. */
type MarkedOnly<H> = H extends unknown
  ? '~schemas' extends keyof H
    ? H
    : '~adds' extends keyof H
      ? H
      : never
  : never;

/** The elements of the arrays in `H`, and its other members. */
type Elements<H> = H extends readonly (infer Element)[] ? Element : H;

/**
 * All handlers with a mark, also those in arrays, and arrays in arrays. Of a package without types, the compiler makes any condition on
 * a handler itself `any`, but not one on a tuple.
 */
export type Marked<H> = [unknown] extends [H] ? never : MarkedOnly<Elements<Elements<H>>>;

type KeyOfEach<S> = S extends unknown ? keyof S : never;

/** The output of a part: `unknown` if it may have no schema. */
type OutputOfPart<S, Part extends PropertyKey> =
  S extends Readonly<Record<Part, infer Schema>> ? OutputOf<Schema> : unknown;

/** `Known` after `web.validate`. */
export type KnownOfSchemas<S> = {
  [Part in KeyOfEach<S> & Key]: Part extends 'response' ? S[Part & keyof S] : OutputOfPart<S, Part>;
} & (S extends { readonly params: infer Schema } ? { names: keyof InputOf<Schema> } : unknown);

type AddedBy<H> = H extends { readonly '~adds'?: infer Added } ? { added: NonNullable<Added> } : Nothing;

type KnownOf<H> = [H] extends [{ readonly '~schemas': infer S }] ? KnownOfSchemas<S> : AddedBy<H>;

/** `Known` after a handler that may be missing. */
type Uncertain<Known> = {
  [K in Exclude<keyof Known, 'response' | 'names'>]: K extends 'added'
    ? { [Name in keyof Known[K]]: unknown }
    : unknown;
};

type Plain = object & { readonly length?: never };

/** As at run time: objects are merged, anything else is replaced. */
type MergedValue<Before, After> = [Before, After] extends [Plain, Plain]
  ? { [K in keyof Before | keyof After]: K extends keyof After ? After[K] : Before[K & keyof Before] }
  : After;

type Merged<Before, After> = [keyof Before] extends [never]
  ? After
  : {
      [K in keyof Before | keyof After]: K extends keyof After
        ? K extends keyof Before
          ? K extends 'names'
            ? Before[K] | After[K]
            : MergedValue<Before[K], After[K]>
          : After[K]
        : Before[K & keyof Before];
    };

/** `Known` after another handler, or a tuple or array of handlers. */
export type After<Known, H> = [unknown] extends [H]
  ? Known
  : [H] extends [{ readonly '~schemas': infer S }]
    ? Merged<Known, KnownOfSchemas<S>>
    : '~adds' extends keyof H
      ? Merged<Known, AddedBy<H>>
      : [Marked<H>] extends [never]
        ? Known
        : [H] extends [readonly [infer First, ...infer Rest]]
          ? After<After<Known, First>, Rest>
          : Merged<Known, Uncertain<KnownOf<Marked<H>>>>;

/** `Then` if a handler has a mark, or the router knows something; otherwise `never`, so that the signature does not match. */
export type IfKnown<Known, H, Then> = [keyof Known] extends [never]
  ? [Marked<H>] extends [never]
    ? never
    : Then
  : Then;

type Get<Known, K, Otherwise> = K extends keyof Known ? Known[K] : Otherwise;

/**
 * Parameter names that only the path or only the schemas have; `never` if the schemas have all names of the path, or if
 * names are unknown. Others in the schemas may be parameters of the mount, with `mergeParams`.
 */
type Unmatched<Path, Names> = string extends keyof Path
  ? never
  : string extends Names
    ? never
    : [Exclude<keyof Path, Names>] extends [never]
      ? never
      : Exclude<keyof Path, Names> | Exclude<Names, keyof Path>;

/** Replaces the request and response if path and schema name different parameters, so that any use is an error. */
interface ParametersDiffer<Names> {
  /** These names are only in the path or only in the schema of `params`. */
  'path and params schema name different parameters': Names;
}

type Unless<Names, Wanted> = [Names] extends [never] ? Wanted : ParametersDiffer<Names>;

type UnlessUnmatched<Path, Known, Wanted> = 'names' extends keyof Known
  ? Unless<Unmatched<Path, Known['names']>, Wanted>
  : Wanted;

/** The parameters of a path, and those of the mount path. */
type AllParameters<Path, Known> = Known extends { readonly mount: infer Mount }
  ? { [K in keyof Path | keyof Mount]: K extends keyof Path ? Path[K] : Mount[K & keyof Mount] }
  : Path;

type Part<Known, K extends 'headers' | 'cookies'> = K extends keyof Known ? Record<K, Known[K]> : unknown;

/** The methods that read headers, for the names in their schema. */
interface ReadsHeaders<Headers> {
  get<Name extends keyof Headers>(name: Name): Headers[Name];
  header<Name extends keyof Headers>(name: Name): Headers[Name];
}

type HeadersOf<Known> = Known extends { readonly headers: infer Headers } ? ReadsHeaders<Headers> : unknown;

/** The request in handlers that know `Known`. */
export type KnownRequest<Path, Known, LocalsObj extends Record<string, any>> = HeadersOf<Known> &
  core.Request<
    Get<Known, 'params', AllParameters<Path, Known>>,
    any,
    Get<Known, 'body', any>,
    Get<Known, 'query', core.Query>,
    LocalsObj
  > &
  Part<Known, 'headers'> &
  Part<Known, 'cookies'> &
  Get<Known, 'added', unknown>;

/** The type of bodies with a status that has no response schema. */
interface NoSchema<Status> {
  /** Add a schema for this status, or `'unchecked'`. */
  'no response schema for the status': Status;
}

type BodyOf<Schema> = Schema extends 'unchecked' ? any : InputOf<Schema>;

/** The key of the schema for a status. */
type KeyOfStatus<R, Status extends number> = Status extends keyof R
  ? Status
  : `${Status}` extends `${infer First}${string}`
    ? `${First}XX` extends keyof R
      ? `${First}XX`
      : 'default' & keyof R
    : never;

/** The type of the `res.json` argument for a status. */
type BodyOfStatus<R, Status extends number> = number extends Status
  ? any
  : [KeyOfStatus<R, Status>] extends [never]
    ? `${Status}` extends `2${string}`
      ? NoSchema<Status>
      : any
    : BodyOf<R[KeyOfStatus<R, Status> & keyof R]>;

interface StatusOf<R, LocalsObj extends Record<string, any>> {
  /** Set the status, which determines the type of the body. */
  status<Code extends number>(code: Code): core.Response<BodyOfStatus<R, Code>, LocalsObj>;
}

/** The body of a response whose status is not in its type: 200, or what was set by another statement. */
type BodyOfAny<R> = [KeyOfStatus<R, 200>] extends [never] ? NoSchema<200> : BodyOf<R[keyof R]>;

type ResponseOf<Known, LocalsObj extends Record<string, any>> = Known extends { readonly response: infer R }
  ? StatusOf<NonNullable<R>, LocalsObj> & core.Response<BodyOfAny<NonNullable<R>>, LocalsObj>
  : core.Response<any, LocalsObj>;

/** A handler that knows `Known`; `Path` are the parameters of the path. */
export type KnowingHandler<Path, Known, LocalsObj extends Record<string, any> = Record<string, any>> = (
  req: UnlessUnmatched<Path, Known, KnownRequest<Path, Known, LocalsObj>>,
  res: UnlessUnmatched<Path, Known, ResponseOf<Known, LocalsObj>>,
  next: core.NextFunction,
) => any;

/** The body for handlers with a declared type. */
type DeclaredBody<Body> = unknown extends Body ? any : Body;

/** The request of handlers whose declared type has any parameters and query. */
type DeclaredRequest<Known> = core.Request<never, any, DeclaredBody<Get<Known, 'body', any>>, never, any> &
  Get<Known, 'added', unknown>;

/** The request in error handlers: it may lack validated parts and added members, because that middleware may have failed. */
type FailedRequest<Path, Known, Query> = core.Request<AllParameters<Path, Known>, any, any, Query, any> &
  Partial<Get<Known, 'added', unknown>>;

type KnowingErrorHandler<Path, Known> = ((
  err: any,
  req: FailedRequest<Path, Known, core.Query>,
  res: core.Response,
  next: core.NextFunction,
) => any) &
  { other<_>(err: unknown, req: unknown, res: unknown): any }['other'];

type DeclaredHandler<Known> = ((
  req: DeclaredRequest<Known>,
  res: core.Response,
  next: core.NextFunction,
) => any) &
  { other<_>(req: any, res: any, next: core.NextFunction): any }['other'];

type DeclaredErrorHandler<Known> = ((
  err: any,
  req: FailedRequest<never, Known, never>,
  res: core.Response,
  next: core.NextFunction,
) => any) &
  { other<_>(err: unknown, req: unknown, res: unknown, next: unknown): any }['other'];

/** See `HandlerArgument` about the members of this union. */
type Argument<Path, Known> =
  | KnowingHandler<Path, Known>
  | KnowingErrorHandler<Path, Known>
  | DeclaredHandler<Known>
  | DeclaredErrorHandler<Known>
  | readonly Argument<Path, Known>[]
  // Arrays in a call are inferred as tuples because of this, without `const`, which is newer than TypeScript 4.3
  | [];

/** An argument of a routing method, after others that have added `Known`. */
export type Next<Route extends string, Known> = Argument<core.RouteParameters<Route>, Known>;

/** The last of any number of arguments. Only this one can be an inline handler. */
export type Last<Route extends string, Known> = KnowingHandler<core.RouteParameters<Route>, Known>;

/**
 * No argument has this type. The compiler infers type parameters from it in calls that return middleware, such as
 * `morgan('tiny', { skip: (req, res) => … })`.
 */
export type Hint = core.RequestHandler &
  {
    other<_>(
      req: core.Request<any, any, any, any, any>,
      res: core.Response<any, any>,
      next: core.NextFunction,
    ): any;
  }['other'] & { readonly '~hint': never };
