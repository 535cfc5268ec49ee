/** The types of `core.ts` with members for the framework and tools that applications do not use. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';
import type * as core from './core';
import type { EngineFunction } from './application-members';

/** A parsed URL, cached on the request until `url` changes. */
export interface ParsedUrl {
  href: string | null;
  pathname: string | null;
  search: string | null;
  query: string | null;
  path: string | null;
  _raw?: string;
}

/** A view that was found and can be rendered. */
export interface View {
  name: string;
  path: string | undefined;
  ext: string;
  root: string | string[];
  engine: EngineFunction;
  defaultEngine: string | undefined;
  render(options: object, callback: (err: any, html?: string) => void): void;
}

/** The constructor of views; the setting `view`. */
export type ViewConstructor = new (
  name: string,
  options: { defaultEngine?: string; root?: string | string[]; engines: Record<string, EngineFunction> },
) => View;

/** The settings, including those derived from others. */
// Any: applications store any values under their own names
export interface SettingsTable {
  [name: string]: any;
  'etag fn'?: (body: Buffer | string, encoding?: BufferEncoding) => string | undefined;
  'query parser fn'?: (text: string) => any;
  'trust proxy fn': (address: string | undefined, hop: number) => boolean;
  view: ViewConstructor;
}

/** The members of a router that its application uses. */
export interface RouterInUse {
  use(...args: unknown[]): unknown;
  route(path: unknown): unknown;
  param(name: unknown, callback: unknown): unknown;
  remove(what: unknown): number;
  handle(req: unknown, res: unknown, out: (err?: unknown) => void): void;
}

export interface Application extends core.Express {
  /** Undefined until a layer is registered. */
  _router: RouterInUse | undefined;
  settings: SettingsTable;
  /** Template engines by extension, with the dot. */
  engines: Record<string, EngineFunction>;
  /** Cached views by name. */
  cache: Record<string, View>;
  /** The parent application. */
  parent?: Application;
  request: Request;
  response: Response;
  /** Creates `_router` if it does not exist yet. */
  lazyrouter(): void;
  /** Runs the router; without `callback`, unhandled requests get a 404 and unhandled errors a 500. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, callback?: (err?: any) => void): void;
}

export interface Request extends core.Request {
  app: Application;
  res?: Response;
  /** The parsed URL, and the one before mounting. */
  _parsedUrl?: ParsedUrl;
  _parsedOriginalUrl?: ParsedUrl;
  /** Whether a body parser has read the body. */
  _body?: boolean;
  /** The secret of signed cookies, set by cookie-parsing middleware. */
  secret?: string | string[];
}

export interface Response extends core.Response {
  app: Application;
  req: Request;
  /** The header block as sent; null before that. */
  _header: string | null;
}
