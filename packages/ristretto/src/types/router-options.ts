/** Options of `web.Router()`. */

declare module 'express-serve-static-core' {
  /** How a router reads paths. */
  interface RouterOptions {
    /** `/Foo` and `/foo` are different paths. @default false */
    caseSensitive?: boolean | undefined;
    /** Keep the parameters of the path where the router is mounted; its own win. @default false */
    mergeParams?: boolean | undefined;
    /** `/foo` and `/foo/` are different paths. @default false */
    strict?: boolean | undefined;
  }
}

export type { RouterOptions } from 'express-serve-static-core';
