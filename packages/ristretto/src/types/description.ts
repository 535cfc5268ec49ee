/** How a route is described for documents of its API, beside its schemas. */

/** A value of JSON that is an object. */
export type JsonObject = Record<string, unknown>;

/** Names of security schemes with their scopes: `[{ bearer: [] }]`; all of one object, or of another. Empty for none. */
export type SecurityRequirements = readonly Readonly<Record<string, readonly string[]>>[];

/** An example of a body. */
export interface BodyExample {
  summary?: string | undefined;
  description?: string | undefined;
  value: unknown;
}

/** A body in the words of its author. */
export interface BodyDescription {
  /** Markdown (CommonMark). */
  description?: string | undefined;
  /** Media types; by default those of the body parsers before the route, or `application/json`. */
  contentTypes?: readonly string[] | undefined;
  /** Examples by name. */
  examples?: Readonly<Record<string, BodyExample>> | undefined;
}

/** The body of a request in the words of its author. */
export interface RequestBodyDescription extends BodyDescription {
  /** Whether requests must have a body; by default whether there is a schema that does not accept its absence. */
  required?: boolean | undefined;
}

/** A response in the words of its author. */
export interface ResponseDescription extends BodyDescription {
  /** Header objects of OpenAPI by name. */
  headers?: Readonly<Record<string, JsonObject>> | undefined;
}

/**
 * What schemas can't say of a route, for its description by `web.openapi`. It changes nothing about requests.
 *
 * In `router.use(web.valid({ describe }))` it is for all routes that follow there; what a route says itself goes first.
 */
export interface RouteDescription {
  /** A few words. */
  summary?: string | undefined;
  /** Markdown (CommonMark). */
  description?: string | undefined;
  /** A unique name for generated clients; by default built from the method and path: `getUsersById`. */
  operationId?: string | undefined;
  /** Names of tags, by which pages group operations. */
  tags?: readonly string[] | undefined;
  /** Whether clients should stop using it. */
  deprecated?: boolean | undefined;
  /** Whether the route is left out. */
  hidden?: boolean | undefined;
  /** The security schemes; those of the option `security` by default, `[]` for none. */
  security?: SecurityRequirements | undefined;
  /** Documentation elsewhere. */
  externalDocs?: { url: string; description?: string | undefined } | undefined;
  /** The body of the request. */
  body?: RequestBodyDescription | undefined;
  /** Responses by status, `'2XX'` or `default`, with or without a schema. */
  responses?: Readonly<Record<number | string, ResponseDescription>> | undefined;
}
