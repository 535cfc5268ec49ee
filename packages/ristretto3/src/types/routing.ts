/** The routes of 3.x: the entries of `app.routes`. */

/** A parameter in a route's path. */
export interface RouteKey {
  /** The name. */
  name: string;
  /** Whether the path matches without it. */
  optional: boolean;
}

/** An entry of `app.routes`. Whoever changes one, or the list it is in, changes what the application does. */
export interface RouteEntry {
  /** As it was registered: a path, a pattern, a regular expression, or an array of these. */
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
  /** Whether a path matches. */
  match(path: string): boolean;
}

/** The routes by method, in the order in which they are tried. */
export type Routes = Record<string, RouteEntry[]>;

/** An entry of `app.stack`: middleware, and the path it is mounted at without a slash at its end. */
export interface StackEntry {
  /** The path that it is mounted at. */
  route: string;
  /** The function. */
  handle: (...args: never[]) => unknown;
}

/** How a path is read. */
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
