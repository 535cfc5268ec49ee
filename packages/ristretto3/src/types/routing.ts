/** The types of 3.x routes, which are the entries of `app.routes`. */

/** A parameter in a route's path. */
export interface RouteKey {
  /** The name of the parameter. */
  name: string;
  /** Whether the path matches without it. */
  optional: boolean;
}

/** An entry of `app.routes`. Changing an entry, or the list that contains it, changes the application's behaviour. */
export interface RouteEntry {
  /** The path as it was registered: a path, a pattern, a regular expression, or an array of these. */
  path: unknown;
  /** The method, in lower case. */
  method: string;
  /** The handlers, in the order in which they run. */
  callbacks: unknown[];
  /** The parameters of the path, in order. */
  keys: RouteKey[];
  /** The path as a regular expression. */
  regexp: RegExp;
  /** The parameters of the last path that matched. */
  readonly params?: string[] & Record<string, string | undefined>;
  /** Check whether a path matches. */
  match(path: string): boolean;
}

/** The routes by method, in matching order. */
export type Routes = Record<string, RouteEntry[]>;

/** An entry of `app.stack`: middleware, and the path it is mounted at, without a trailing slash. */
export interface StackEntry {
  /** The path that it is mounted at. */
  route: string;
  /** The middleware function. */
  handle: (...args: never[]) => unknown;
}

/** How a path is matched. */
export interface RouteOptions {
  /** Treat `/Foo` and `/foo` as different. @default false */
  sensitive?: boolean | undefined;
  /** Treat `/foo` and `/foo/` as different. @default false */
  strict?: boolean | undefined;
}

/** Options of `new web.Router()`. */
export interface RouterOptions {
  /** Treat `/Foo` and `/foo` as different. @default false */
  caseSensitive?: boolean | undefined;
  /** Treat `/foo` and `/foo/` as different. @default false */
  strict?: boolean | undefined;
}
