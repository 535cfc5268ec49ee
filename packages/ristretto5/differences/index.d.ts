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
  let Router: RouterConstructor;
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

  /** What `web.Router` is: a function that is a constructor as well. */
  interface RouterConstructor {
    /** Make a router. */
    (options?: RouterOptions): Router;
    /** Make a router. */
    new (options?: RouterOptions): Router;
    /** What is set here, all routers have. */
    prototype: Router;
  }
}

export = web;
