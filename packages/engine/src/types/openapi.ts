/** The options and results of `web.openApi` and `web.openApiPage`. */
import type * as core from 'express-serve-static-core';
import type { JsonObject, SecurityRequirements } from './description';
import type { RouteInfo } from './route-list';
import type { StandardSchema } from './validation';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  /** The OpenAPI version: `3.1.0`. */
  openapi: string;
  /** Title, version and other metadata from the options. */
  info: JsonObject & { title: string; version: string };
  /** Server Objects, such as `{ url: 'https://api.example.com' }`. @default the host of the document */
  servers?: JsonObject[];
  /** The tags from the options. @default none */
  tags?: JsonObject[];
  /** The default security requirements of operations. @default none */
  security?: Record<string, string[]>[];
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, JsonObject>>;
  /** Schemas and security schemes by name. */
  components?: { schemas?: Record<string, JsonObject>; securitySchemes?: Record<string, JsonObject> };
  /** A link to further documentation. @default none */
  externalDocs?: JsonObject;
  /** Routes that OpenAPI cannot represent, such as regular expressions, with the reason. */
  'x-unlisted'?: { method: string; path: string; reason: string }[];
}

/** Options of `web.openApi`. */
export interface OpenApiOptions {
  /** Metadata of the API: at least `title` and `version`. */
  info: Readonly<JsonObject> & { readonly title: string; readonly version: string };
  /** Server Objects, such as `{ url: 'https://api.example.com' }`. @default the host of the document */
  servers?: readonly Readonly<{ url: string; description?: string; variables?: JsonObject }>[] | undefined;
  /** Security Scheme Objects by name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. @default none */
  securitySchemes?: Readonly<Record<string, Readonly<JsonObject>>> | undefined;
  /** The default security requirements of routes: `[{ bearer: [] }]`. @default none */
  security?: SecurityRequirements | undefined;
  /** Tag Objects, in order, such as `{ name: 'users', description: 'Accounts' }`. @default none */
  tags?: readonly Readonly<{ name: string; description?: string }>[] | undefined;
  /** A link to further documentation. @default none */
  externalDocs?: { url: string; description?: string | undefined } | undefined;
  /**
   * A path prefix such as `/api/v1`: only routes below it are listed, without the prefix, which becomes the server URL.
   * @default none
   */
  basePath?: string | undefined;
  /** A function that decides whether a route is listed; called with entries of `app.routes()`. @default all */
  filter?: ((route: RouteInfo) => boolean) | undefined;
  /** Whether validated routes list a 400 (or 422) response with problem details. @default true */
  problems?: boolean | undefined;
  /**
   * A function that converts a schema to JSON Schema (draft 2020-12), if its library does not support that or the
   * result needs changes; if it returns undefined, the library converts the schema.
   * @example (schema, direction) => z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' })
   * @default none
   */
  toJSONSchema?: ((schema: StandardSchema, direction: 'input' | 'output') => object | undefined) | undefined;
}

/** The handler that `web.openApi` returns. */
export interface OpenApiHandler {
  (req: core.Request<any, any, any, any, any>, res: core.Response<any, any>, next: core.NextFunction): void; // eslint-disable-line @typescript-eslint/no-explicit-any -- it fits every route
  /**
   * Create the document for the current routes.
   * @param overrides options to use in place of those of the handler; default: none
   * @throws Error with the route, part and library of each schema that cannot be converted
   */
  document(overrides?: Partial<OpenApiOptions>): OpenApiDocument;
}

/** Options of `web.openApiPage`. */
export interface OpenApiPageOptions {
  /** The page title. @default 'API' */
  title?: string | undefined;
  /**
   * Origins to which the page may send requests, in addition to its own: `['https://api.example.com']`.
   * @default none
   */
  connect?: readonly string[] | undefined;
  /** Swagger UI parameters that are JSON values: `{ docExpansion: 'none' }`. @default none */
  ui?: Readonly<JsonObject> | undefined;
}
