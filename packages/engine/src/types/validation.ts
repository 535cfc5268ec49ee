/** The arguments of `web.validate`, and the types that later handlers get from them. */
import type * as core from 'express-serve-static-core';
import type { KnowingHandler, KnownOfSchemas, KnownRequest } from './inferred-request';

/**
 * A schema of any library that implements Standard Schema, version 1 (https://standardschema.dev): zod 4, valibot, arktype
 * and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface defined by https://standardschema.dev. */
  readonly '~standard': StandardProperties<Input, Output>;
}

/** The properties that Standard Schema defines. */
export interface StandardProperties<Input = unknown, Output = Input> {
  /** The version of Standard Schema. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /**
   * Validate a value.
   * @returns the output or issues, or a promise of either
   */
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The types of input and output, which exist only for the compiler. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** The output of a schema, or the issues of the value. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A problem of a value. */
export interface StandardIssue {
  /** A description of the problem. */
  readonly message: string;
  /** The keys that lead to the problem, outermost first. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The parts of a request that can be validated, in the order of validation. */
export type RequestPart = 'params' | 'headers' | 'cookies' | 'query' | 'body';

/** A problem of a request. */
export interface ValidationIssue {
  /** The part of the request. */
  location: RequestPart;
  /** The location within the part, as a JSON Pointer (RFC 6901): `/items/3/price`; empty for the whole part. */
  path: string;
  /** The message of the schema's library, without the value that the client sent. */
  message: string;
  /** The value that the client sent, if the option `includeValues` is on. */
  value?: unknown;
}

/** The error passed to the error handlers if a request does not match its schemas. */
export interface ValidationError extends Error {
  /** The status of the error: 400 or 422. @default 400 */
  status: number;
  /** Same as `status`. */
  statusCode: number;
  /** Allows the message to be shown to the client. */
  expose: true;
  /** Identifies validation errors. */
  type: 'validation.failed';
  /** The issues, limited to the option `maxIssues`. */
  issues: ValidationIssue[];
  /** The number of issues omitted. */
  omitted: number;
}

/** A schema, or `'unchecked'` for a status whose responses are sent as they are. */
export type ResponseSchema = StandardSchema | 'unchecked';

/**
 * Response schemas by status: `201`, `'2XX'`, or `default` for all others. A status from 200 to 299 without a schema is a
 * 500.
 */
export interface ResponseSchemas extends Readonly<Record<number, ResponseSchema>> {
  /** Responses with a status from 100 to 199. */
  readonly '1XX'?: ResponseSchema;
  /** Responses with a status from 200 to 299. */
  readonly '2XX'?: ResponseSchema;
  /** Responses with a status from 300 to 399. */
  readonly '3XX'?: ResponseSchema;
  /** Responses with a status from 400 to 499. */
  readonly '4XX'?: ResponseSchema;
  /** Responses with a status from 500 to 599. */
  readonly '5XX'?: ResponseSchema;
  /** Responses with any other status. */
  readonly default?: ResponseSchema;
}

/** The schemas of a route. */
export interface Schemas {
  /** Validates `req.params`. */
  readonly params?: StandardSchema;
  /** Validates `req.query`. */
  readonly query?: StandardSchema;
  /** Validates `req.headers`; headers missing from the output are kept. */
  readonly headers?: StandardSchema;
  /** Validates `req.cookies`, or the Cookie header if no middleware has parsed it. */
  readonly cookies?: StandardSchema;
  /** Validates `req.body`. A body parser must run before. */
  readonly body?: StandardSchema;
  /**
   * The values that `res.json`, `res.jsonp` and `res.send` send as JSON: the output of the schema is sent, so that nothing
   * else reaches clients. A value that does not match is a 500.
   */
  readonly response?: ResponseSchemas;
}

/** Options of `web.validate`. */
export interface ValidateOptions {
  /** The status of the error: 400 or 422. @default 400 */
  status?: 400 | 422 | undefined;
  /**
   * Whether issues include the `value` that the client sent, which may be secret, and messages may quote it.
   * @default false
   */
  includeValues?: boolean | undefined;
  /** The maximum number of issues in an error. @default 100 */
  maxIssues?: number | undefined;
  /**
   * The timeout of asynchronous schemas, in milliseconds or as a string, after which the request gets a 503.
   * @default '10s'
   */
  timeout?: number | string | undefined;
  /**
   * A function that may change or replace the error for the error handlers: it returns another error or nothing, or a promise of
   * that.
   * @example error => new web.HttpError(400, 'Check your input', { fields: error.issues.map(({ path }) => path) })
   * @default none
   */
  onInvalid?: ((error: ValidationError, req: core.Request) => unknown) | undefined;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- handlers and locals of any type */

/** The request in handlers after `web.validate`. */
export type ValidatedRequest<S, Path, LocalsObj extends Record<string, any>> = KnownRequest<
  Path,
  KnownOfSchemas<S>,
  LocalsObj
>;

/**
 * A handler after `web.validate`: `S` are the schemas, `Path` is the path, `Added` are members of the request that other
 * middleware adds, or the type of this middleware.
 */
export type ValidatedHandler<
  S,
  Path,
  LocalsObj extends Record<string, any>,
  Added = unknown,
> = KnowingHandler<Path, KnownOfSchemas<S> & { readonly added: MembersAdded<Added> }, LocalsObj>;

/** The members that middleware adds: of its type, or themselves. */
export type MembersAdded<Added> = '~adds' extends keyof Added
  ? Added extends { readonly '~adds'?: infer Members }
    ? NonNullable<Members>
    : never
  : Added;

type OtherHandler = (req: any, res: any, next: core.NextFunction) => any;

/** Other handlers in the same call: a handler, or an array of them. */
export type OtherHandlers = OtherHandler | readonly OtherHandler[];

/**
 * The middleware that `web.validate` returns. It is an intersection because the compiler defers generic calls that return
 * a function type, and would know the schemas too late to select the signature of the routing method.
 */
export type ValidateHandler<S> = ValidatingFunction & ValidatedSchemas<S>;

/**
 * Its request has an optional member that no request has: it can be assigned to a `RequestHandler` but is not a subtype of
 * it, so that the compiler does not drop it from unions: `isAdmin ? valid : auth`, `[auth, valid]`.
 */
type ValidatingFunction = (
  req: core.Request<any, any, any, any, any> & { readonly '~valid'?: never },
  res: core.Response<any, any>,
  next: core.NextFunction,
) => void;

interface ValidatedSchemas<S> {
  /** The schemas, for tools that describe routes. */
  readonly '~schemas': S;
  /** The status for requests that do not match. */
  readonly '~status': 400 | 422;
}
