/** The argument of `web.describe`: describes a route in API documents, in addition to its schemas. */
import type * as core from 'express-serve-static-core';

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/**
 * The security requirements of a route: names of security schemes with their scopes, `[{ bearer: [] }]`. A request must
 * satisfy all schemes of any one of the objects; an empty array means no security.
 */
export type SecurityRequirements = readonly Readonly<Record<string, readonly string[]>>[];

/** An example of a body. */
export interface BodyExample {
  summary?: string | undefined;
  description?: string | undefined;
  value: unknown;
}

/** The description of a body, in addition to its schema. */
export interface BodyDescription {
  /** Markdown (CommonMark). */
  description?: string | undefined;
  /** The media types; by default, those of the body parsers before the route, or `application/json`. */
  contentTypes?: readonly string[] | undefined;
  /** Examples by name. */
  examples?: Readonly<Record<string, BodyExample>> | undefined;
}

/** The description of a request body, in addition to its schema. */
export interface RequestBodyDescription extends BodyDescription {
  /** Whether requests must have a body; by default, if there is a schema that rejects a missing body. */
  required?: boolean | undefined;
}

/** The description of a response, in addition to its schema. */
export interface ResponseDescription extends BodyDescription {
  /** OpenAPI Header Objects by name. */
  headers?: Readonly<Record<string, JsonObject>> | undefined;
}

/**
 * Describes a route for `web.openApi`, beyond what schemas express. It does not affect requests.
 *
 * In `router.use(web.describe({ … }))`, it applies to all routes that follow in the router; a route's own
 * description takes precedence.
 */
export interface RouteDescription {
  /**
   * A short summary.
   * @default none
   */
  summary?: string | undefined;
  /**
   * Markdown (CommonMark).
   * @default none
   */
  description?: string | undefined;
  /**
   * A unique name for generated clients.
   * @default derived from the method and path: `getUsersById`
   */
  operationId?: string | undefined;
  /**
   * Names of tags, by which documentation pages group operations.
   * @default none
   */
  tags?: readonly string[] | undefined;
  /**
   * Whether clients should stop using the route.
   * @default false
   */
  deprecated?: boolean | undefined;
  /**
   * Whether to omit the route from the document.
   * @default false
   */
  hidden?: boolean | undefined;
  /**
   * The security schemes; `[]` for none.
   * @default those of the option `security`
   */
  security?: SecurityRequirements | undefined;
  /**
   * A link to further documentation.
   * @default none
   */
  externalDocs?: { url: string; description?: string | undefined } | undefined;
  /**
   * The body of the request.
   * @default none, beyond the schema
   */
  body?: RequestBodyDescription | undefined;
  /**
   * Responses by status, `'2XX'` or `default`, with or without a schema.
   * @default those of the schemas
   */
  responses?: Readonly<Record<number | string, ResponseDescription>> | undefined;
  /**
   * The statuses of errors that are sent as problem details: `[401, 404]`.
   * @default none
   */
  errors?: readonly number[] | undefined;
}

/** The middleware that `web.describe` returns. */
export interface DescribeHandler {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- it fits every route
  (req: core.Request<any, any, any, any, any>, res: core.Response<any, any>, next: core.NextFunction): void;
  /** The description, for tools. */
  readonly '~description': RouteDescription;
}
