/** Options of `web.Router()`. */

declare module 'express-serve-static-core' {
  /** Options for how a router matches paths. */
  interface RouterOptions {
    /** Treat `/Foo` and `/foo` as different paths. @default false */
    caseSensitive?: boolean | undefined;
    /** Keep the parameters of the router's mount path; the router's own take precedence. @default false */
    mergeParams?: boolean | undefined;
    /** Treat `/foo` and `/foo/` as different paths. @default false */
    strict?: boolean | undefined;
  }
}

export type { RouterOptions } from 'express-serve-static-core';
