/** The arguments of `web.valid`, and the types that the handlers after it get from them. */
import type * as core from 'express-serve-static-core';
import type { RouteDescription } from './description';

/**
 * A schema of any library that implements Standard Schema, version 1 (https://standardschema.dev): zod 4, valibot, arktype
 * and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the library gives: https://standardschema.dev. */
  readonly '~standard': StandardProperties<Input, Output>;
}

/** The properties of a schema by Standard Schema. */
export interface StandardProperties<Input = unknown, Output = Input> {
  /** The version of Standard Schema. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /**
   * Check a value.
   * @returns the output, or issues; or a promise of either
   */
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The types of input and output, which exist for the compiler only. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** The output of a schema, or what is wrong with the value. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong, for people. */
  readonly message: string;
  /** Where in the value: keys from the outside in. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The parts of a request that can be checked, in the order in which they are. */
export type RequestPart = 'params' | 'headers' | 'cookies' | 'query' | 'body';

/** One thing that is wrong with a request. */
export interface ValidationIssue {
  /** The part of the request. */
  location: RequestPart;
  /** Where in the part, as a JSON Pointer (RFC 6901): `/items/3/price`; empty for the whole of it. */
  path: string;
  /** What the schema's library says; the value that the client sent is left out of it. */
  message: string;
  /** What the client sent, if the option `values` is on. */
  value?: unknown;
}

/** What goes to the error handlers when a request does not match. */
export interface ValidationError extends Error {
  /** The status of the error: 400 or 422. @default 400 */
  status: number;
  /** The same as `status`. */
  statusCode: number;
  /** The message may be shown to the client. */
  expose: true;
  /** What tells it from other errors. */
  type: 'validation.failed';
  /** At most as many as the option `maxIssues` says. */
  issues: ValidationIssue[];
  /** How many issues were left out. */
  omitted: number;
}

/** Schemas of responses by status: `201`, `'2XX'`, or `default` for all others. */
export interface ResponseSchemas extends Readonly<Record<number, StandardSchema>> {
  /** Responses with a status from 100 to 199. */
  readonly '1XX'?: StandardSchema;
  /** Responses with a status from 200 to 299. */
  readonly '2XX'?: StandardSchema;
  /** Responses with a status from 300 to 399. */
  readonly '3XX'?: StandardSchema;
  /** Responses with a status from 400 to 499. */
  readonly '4XX'?: StandardSchema;
  /** Responses with a status from 500 to 599. */
  readonly '5XX'?: StandardSchema;
  /** Responses with any other status. */
  readonly default?: StandardSchema;
}

/** The schemas of a route. */
export interface Schemas {
  /** Checks `req.params`. */
  readonly params?: StandardSchema;
  /** Checks `req.query`. */
  readonly query?: StandardSchema;
  /** Checks `req.headers`; headers that the output lacks stay. */
  readonly headers?: StandardSchema;
  /** Checks `req.cookies`, or the Cookie header where no middleware has parsed it. */
  readonly cookies?: StandardSchema;
  /** Checks `req.body`. A body parser has to run before. */
  readonly body?: StandardSchema;
  /** Checks what `res.json` and `res.send` are given, outside production. */
  readonly response?: ResponseSchemas;
  /** What `web.openapi` says of the route besides: summary, tags, examples. */
  readonly describe?: RouteDescription;
}

/** Options of `web.valid`. */
export interface ValidOptions {
  /** The status of the error: 400 or 422. @default 400 */
  status?: 400 | 422 | undefined;
  /** Whether issues have the `value` that the client sent, which may be secret, and messages may quote it. @default false */
  values?: boolean | undefined;
  /** The most issues that an error has. @default 100 */
  maxIssues?: number | undefined;
  /** Milliseconds that an asynchronous schema may take; after that the request is a 503. @default 10_000 */
  timeout?: number | undefined;
  /** Whether responses are checked. @default true where the setting `env` is not `production` */
  checkResponse?: boolean | undefined;
}

type Types<Schema> = Schema extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T>
  : never;
type OutputOf<Schema> = Types<Schema> extends { readonly output: infer Output } ? Output : unknown;
type InputOf<Schema> = Types<Schema> extends { readonly input: infer Input } ? Input : unknown;

/* eslint-disable @typescript-eslint/no-explicit-any -- what has no schema has the type that it has in any handler */

type OutputOr<S, Part extends keyof S | string, Otherwise> =
  S extends Readonly<Record<Part, infer Schema>> ? OutputOf<Schema> : Otherwise;

/** What `res.json` may be given when the status is this one. */
type BodyOfStatus<R, Status extends number> = Status extends keyof R
  ? InputOf<R[Status]>
  : R extends { readonly default: infer Schema }
    ? InputOf<Schema>
    : any;

type ResponseOf<S, LocalsObj extends Record<string, any>> = S extends { readonly response: infer R }
  ? StatusOf<R, LocalsObj> & core.Response<InputOf<R[keyof R]>, LocalsObj>
  : core.Response<any, LocalsObj>;

interface StatusOf<R, LocalsObj extends Record<string, any>> {
  /** Set the status; what the body may be follows from it. */
  status<Code extends number>(code: Code): core.Response<BodyOfStatus<R, Code>, LocalsObj>;
}

/** Names of parameters of which only one side knows; `never` if there are none, or the path is not a literal. */
type Unmatched<Path, S> = S extends { readonly params: infer Schema }
  ? string extends keyof Path
    ? never
    : Exclude<keyof Path, keyof InputOf<Schema>> | Exclude<keyof InputOf<Schema>, keyof Path>
  : never;

/** In place of a request and its response where path and schema name different parameters: any use is an error. */
interface ParametersDiffer<Names> {
  /** These names are in the path or in the schema of `params`, and not in both. */
  'path and params schema name different parameters': Names;
}

type Unless<Names, Wanted> = [Names] extends [never] ? Wanted : ParametersDiffer<Names>;

/** A request after `web.valid`. */
export type ValidRequest<S, Path, LocalsObj extends Record<string, any>> = core.Request<
  OutputOr<S, 'params', Path>,
  any,
  OutputOr<S, 'body', any>,
  OutputOr<S, 'query', core.Query>,
  LocalsObj
> &
  (S extends { readonly headers: infer Schema } ? { headers: OutputOf<Schema> } : unknown) &
  (S extends { readonly cookies: infer Schema } ? { cookies: OutputOf<Schema> } : unknown);

/** A handler after `web.valid`: `S` are its schemas, `Path` the path. */
export type ValidatedHandler<S, Path, LocalsObj extends Record<string, any>> = (
  req: Unless<Unmatched<Path, S>, ValidRequest<S, Path, LocalsObj>>,
  res: Unless<Unmatched<Path, S>, ResponseOf<S, LocalsObj>>,
  next: core.NextFunction,
) => any;

type OtherHandler = (req: any, res: any, next: core.NextFunction) => any;

/** What else the same call may have: a handler, or an array of them. */
export type OtherHandlers = OtherHandler | readonly OtherHandler[];

/**
 * What `web.valid` returns. Its request has an optional member that none has: so it can be assigned to a `RequestHandler` and
 * is no subtype of one, and of the routing methods' signatures those for it are chosen whatever stands beside it.
 */
export interface ValidHandler<S> {
  (
    req: core.Request<any, any, any, any, any> & { readonly '~valid'?: never },
    res: core.Response<any, any>,
    next: core.NextFunction,
  ): void;
  /** The schemas, for tools that describe routes. */
  readonly '~schemas': S;
  /** The status of requests that do not match. */
  readonly '~status': 400 | 422;
}
