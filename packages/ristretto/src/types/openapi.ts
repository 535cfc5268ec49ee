/** What `web.openapi` and `web.apiDocs` take and return. */
import type * as core from 'express-serve-static-core';
import type { JsonObject, SecurityRequirements } from './description';
import type { RouteInfo } from './route-list';
import type { StandardSchema } from './validation';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  /** The version of OpenAPI: `3.1.0`. */
  openapi: string;
  /** Title, version and what else the options say. */
  info: JsonObject & { title: string; version: string };
  /** The servers of the options. */
  servers?: JsonObject[];
  /** The tags of the options. */
  tags?: JsonObject[];
  /** What every operation requires, unless it says otherwise. */
  security?: Record<string, string[]>[];
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, JsonObject>>;
  /** Schemas by name, and security schemes. */
  components?: { schemas?: Record<string, JsonObject>; securitySchemes?: Record<string, JsonObject> };
  /** Documentation elsewhere. */
  externalDocs?: JsonObject;
  /** Routes that OpenAPI has no words for, such as regular expressions, and why. */
  'x-unlisted'?: { method: string; path: string; reason: string }[];
}

/** Options of `web.openapi`. */
export interface OpenApiOptions {
  /** About the API: `title` and `version` at least. */
  info: Readonly<JsonObject> & { readonly title: string; readonly version: string };
  /** Server objects, such as `{ url: 'https://api.example.com' }`; by default the host of the document. */
  servers?: readonly Readonly<{ url: string; description?: string; variables?: JsonObject }>[] | undefined;
  /** Security scheme objects by name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
  securitySchemes?: Readonly<Record<string, Readonly<JsonObject>>> | undefined;
  /** What every route needs that says nothing else: `[{ bearer: [] }]`. */
  security?: SecurityRequirements | undefined;
  /** Tag objects, in order, such as `{ name: 'users', description: 'Accounts' }`. */
  tags?: readonly Readonly<{ name: string; description?: string }>[] | undefined;
  /** Documentation elsewhere. */
  externalDocs?: { url: string; description?: string | undefined } | undefined;
  /** Lists only routes below this path, without it, and names it as the server: `/api/v1`. */
  basePath?: string | undefined;
  /** Whether a route is listed; it is given entries of `web.routesOf`. All by default. */
  filter?: ((route: RouteInfo) => boolean) | undefined;
  /** Whether routes that are checked get the response 400 (or 422) with problem details. True by default. */
  problems?: boolean | undefined;
  /**
   * Converts a schema to JSON Schema (draft 2020-12), if the library can't do it itself, or not as wanted; for undefined the
   * library is asked.
   * @example (schema, direction) => z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' })
   */
  toJSONSchema?: ((schema: StandardSchema, direction: 'input' | 'output') => object | undefined) | undefined;
}

/** What `web.openapi` returns. */
export interface OpenApiHandler {
  (req: core.Request<any, any, any, any, any>, res: core.Response<any, any>, next: core.NextFunction): void; // eslint-disable-line @typescript-eslint/no-explicit-any -- it fits every route
  /**
   * Makes the document of the routes as they are now.
   * @throws Error that names route, part and library of each schema that can't be converted
   */
  document(): OpenApiDocument;
}

/** Options of `web.apiDocs`. */
export interface ApiDocsOptions {
  /** The title of the page; `API` by default. */
  title?: string | undefined;
  /** Origins that requests may be sent to besides the page's own: `['https://api.example.com']`. */
  connect?: readonly string[] | undefined;
  /** Parameters of Swagger UI that JSON can hold: `{ docExpansion: 'none' }`. */
  ui?: Readonly<JsonObject> | undefined;
}
