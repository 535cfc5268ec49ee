/**
 * The types of the package: those of `ristretto`, for programs that use 5.x only. The code in lib/ also uses the types
 * of `ristretto`, so it has separate, smaller ones.
 */
import type * as bodies from './lib/types/body';
import type * as core from './types/core';

declare function web(): web.Express;

/** The members of the function, and the types that programs use. */
declare namespace web {
  /** Create a router, with or without `new`. */
  function Router(options?: RouterOptions): Router;
  // Both a function and a class, not a constructor in a variable, because plugins declare more of the function
  // (`declare module 'express' { … }`).
  class Router {
    constructor(options?: RouterOptions);
  }
  /** @throws TypeError for an invalid option */
  let json;
  /** @throws TypeError for an invalid option */
  let raw;
  /** @throws TypeError for an invalid option */
  let text;
  /**
   * Create middleware that parses the bodies of HTML forms, `application/x-www-form-urlencoded`. Names are flat unless
   * `extended` is set.
   * @throws TypeError for an invalid option
   */
  let urlencoded: (options?: Unnamed<bodies.OptionsUrlencoded5>) => BodyParser;
  /**
   * Create middleware that serves the files below a directory.
   * @default dotfiles 'ignore'
   */
  let static: (
    root: string,
    options?: Unnamed<files.ServeStaticOptions<Response>>,
  ) => UnnamedFunction<files.StaticHandler<Response>>;
  /** @removed */
  function query(): never;
}

export = web;
