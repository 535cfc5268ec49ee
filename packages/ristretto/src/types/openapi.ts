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
  /** Server objects, such as `{ url: 'https://api.example.com' }`. @default the host of the document */
  servers?: JsonObject[];
  /** The tags of the options. @default none */
  tags?: JsonObject[];
  /** What every operation requires, unless it says otherwise. @default none */
  security?: Record<string, string[]>[];
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, JsonObject>>;
  /** Schemas by name, and security schemes. */
  components?: { schemas?: Record<string, JsonObject>; securitySchemes?: Record<string, JsonObject> };
  /** Documentation elsewhere. @default none */
  externalDocs?: JsonObject;
  /** Routes that OpenAPI has no words for, such as regular expressions, and why. */
  'x-unlisted'?: { method: string; path: string; reason: string }[];
}

/** Options of `web.openapi`. */
export interface OpenApiOptions {
  /** About the API: `title` and `version` at least. */
  info: Readonly<JsonObject> & { readonly title: string; readonly version: string };
  /** Server objects, such as `{ url: 'https://api.example.com' }`. @default the host of the document */
  servers?: readonly Readonly<{ url: string; description?: string; variables?: JsonObject }>[] | undefined;
  /** Security scheme objects by name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. @default none */
  securitySchemes?: Readonly<Record<string, Readonly<JsonObject>>> | undefined;
  /** What every route needs that says nothing else: `[{ bearer: [] }]`. @default none */
  security?: SecurityRequirements | undefined;
  /** Tag objects, in order, such as `{ name: 'users', description: 'Accounts' }`. @default none */
  tags?: readonly Readonly<{ name: string; description?: string }>[] | undefined;
  /** Documentation elsewhere. @default none */
  externalDocs?: { url: string; description?: string | undefined } | undefined;
  /** Lists only routes below this path, without it, and names it as the server: `/api/v1`. @default none */
  basePath?: string | undefined;
  /** Whether a route is listed; it is given entries of `web.routesOf`. @default all */
  filter?: ((route: RouteInfo) => boolean) | undefined;
  /** Whether routes that are checked get the response 400 (or 422) with problem details. @default true */
  problems?: boolean | undefined;
  /**
   * Converts a schema to JSON Schema (draft 2020-12), if the library can't do it itself, or not as wanted; for undefined the
   * library is asked.
   * @example (schema, direction) => z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' })
   * @default none
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
  /** The title of the page. @default 'API' */
  title?: string | undefined;
  /** Origins that requests may be sent to besides the page's own: `['https://api.example.com']`. @default none */
  connect?: readonly string[] | undefined;
  /** Parameters of Swagger UI that JSON can hold: `{ docExpansion: 'none' }`. @default none */
  ui?: Readonly<JsonObject> | undefined;
}
