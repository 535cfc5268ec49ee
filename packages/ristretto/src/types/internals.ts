/** The same objects as in `core.ts`, with the members that the framework and tools use and applications do not. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';
import type * as core from './core';
import type { EngineFunction } from './application-members';

/** A URL split once and kept on the request as long as `url` stays the same. */
export interface ParsedUrl {
  href: string | null;
  pathname: string | null;
  search: string | null;
  query: string | null;
  path: string | null;
  _raw?: string;
}

/** A view, found and ready to render. */
export interface View {
  name: string;
  path: string | undefined;
  ext: string;
  root: string | string[];
  engine: EngineFunction;
  defaultEngine: string | undefined;
  render(options: object, callback: (err: any, html?: string) => void): void;
}

/** Makes views; the setting `view`. */
export type ViewConstructor = new (
  name: string,
  options: { defaultEngine?: string; root?: string | string[]; engines: Record<string, EngineFunction> },
) => View;

/** The settings, with those that are derived from others. */
// any: applications keep whatever they like under their own names
export interface SettingsTable {
  [name: string]: any;
  'etag fn'?: (body: Buffer | string, encoding?: BufferEncoding) => string | undefined;
  'query parser fn'?: (text: string) => any;
  'trust proxy fn': (address: string | undefined, hop: number) => boolean;
  view: ViewConstructor;
}

/** A router, as its application uses it. */
export interface RouterInUse {
  use(...args: unknown[]): unknown;
  route(path: unknown): Record<string, (...handlers: unknown[]) => unknown>;
  param(name: unknown, callback: unknown): unknown;
  listRoutes(): unknown;
  remove(what: unknown): number;
  handle(req: unknown, res: unknown, out: (err?: unknown) => void): void;
}

export interface Application extends core.Express {
  /** Undefined until something is registered. */
  _router: RouterInUse | undefined;
  settings: SettingsTable;
  /** Engines by extension, with the dot. */
  engines: Record<string, EngineFunction>;
  /** Views that have been found, by name. */
  cache: Record<string, View>;
  /** The application that this one is mounted in. */
  parent?: Application;
  request: Request;
  response: Response;
  /** Make `_router` when it is not there yet. */
  lazyrouter(): void;
  /** Run the router; without `callback`, what is left over gets a 404 or 500. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, callback?: (err?: any) => void): void;
}

export interface Request extends core.Request {
  app: Application;
  res?: Response;
  /** The last URL split, and the one before mounting. */
  _parsedUrl?: ParsedUrl;
  _parsedOriginalUrl?: ParsedUrl;
  /** Whether a parser has read the body. */
  _body?: boolean;
  /** The secret of signed cookies, set by cookie-parsing middleware. */
  secret?: string | string[];
}

export interface Response extends core.Response {
  app: Application;
  req: Request;
  /** The header block as sent, null before. */
  _header: string | null;
}
