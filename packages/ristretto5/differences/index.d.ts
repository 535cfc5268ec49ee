/**
 * The types of the package: those of `ristretto` for programs that see 5.x only. The code in lib/ knows the types of
 * `ristretto` as well, and has smaller ones of its own.
 */
import type * as bodies from './lib/types/body';
import type * as core from './types/core';

declare function web(): web.Express;

/** What hangs on the function, and the types that programs use as its members. */
declare namespace web {
  /** Make a router, with or without `new`. */
  function Router(options?: RouterOptions): Router;
  // Both a function and a class, not a constructor in a variable, because plugins declare more of the function
  // (`declare module 'express' { … }`).
  class Router {
    constructor(options?: RouterOptions);
  }
  /** @throws TypeError for an option that can't be read */
  let json: (options?: Unnamed<OptionsJson>) => BodyParser;
  /** @throws TypeError for an option that can't be read */
  let raw: (options?: Unnamed<Options>) => BodyParser;
  /** @throws TypeError for an option that can't be read */
  let text: (options?: Unnamed<OptionsText>) => BodyParser;
  /**
   * Make middleware that parses bodies of HTML forms, `application/x-www-form-urlencoded`; flat unless `extended` is set.
   * @throws TypeError for an option that can't be read
   */
  let urlencoded: (options?: Unnamed<bodies.OptionsUrlencoded5>) => BodyParser;
  /**
   * Make middleware that serves the files below a directory.
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
