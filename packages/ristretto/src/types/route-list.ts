/** What routers and routes have beyond Express: to list what was registered, and to take it out again. */

/** An entry of `web.routesOf(app)`. */
export interface RouteInfo {
  /** What was registered. */
  kind: 'route' | 'router' | 'application' | 'middleware';
  /** The method of a route, in upper case, `*` for all others; undefined for what is mounted. */
  method?: string;
  /** The whole pattern, those of the mounts in front; a regular expression as text. */
  path: string;
  /** The names of the parameters in the pattern, in order; numbers for those without a name. */
  params: string[];
  /** The names of the functions, `<anonymous>` where they have none. */
  handlers: string[];
  /** Where it was registered; in development, or with `RISTRETTO_PLACES=1` in the environment. */
  file?: string;
  /** The line of the call, counted from 1. */
  line?: number;
  /** The column of the call, counted from 1. */
  column?: number;
}

/** A function, a path or a route that was registered. */
type Registered =
  ((...args: never[]) => unknown) | string | RegExp | readonly (string | RegExp)[] | { stack: unknown };

/** What routers and applications have. */
export interface RouterAdditions<Router> {
  /**
   * The routes and mounts of this router, one entry for each path, in the order in which they run; mounted routers have
   * lists of their own. `web.routesOf` lists the whole tree.
   * @returns one object for each path, with `router` where it is a mount
   * @example
   * router.get('/users/:id', show);
   * router.listRoutes(); // [{ path: '/users/:id', methods: ['GET', 'HEAD'] }]
   */
  listRoutes(): {
    /** As it was registered: one entry for each of an array of paths. */
    path: string | RegExp;
    /** In upper case, `*` for all, HEAD where GET handles it; undefined for mounts. */
    methods: string[] | undefined;
    /** The router that is mounted, or that of the application; undefined for routes. */
    router: Router | undefined;
  }[];

  /**
   * Remove middleware, mounts or routes, at once for every request that has not begun: those in flight go on through
   * what was there when they came.
   *
   * @param what a function, router or application that `use` was given: all its mounts; a path, as it was registered:
   *   its routes and mounts (for `/` only routes: what is mounted without a path goes by its function); or a route
   * @returns how many were removed
   * @throws TypeError where it is none of these
   * @example
   * router.get('/users/:id', show);
   * router.remove('/users/:id'); // 1
   * // GET /users/7 -> 404
   */
  remove(what: Registered): number;
}

/** What routes have. */
export interface RouteAdditions {
  /**
   * Remove the handlers of a method, at once for every request that has not come to the route.
   *
   * @param method in upper or lower case; `all` for the handlers that `route.all` was given
   * @returns how many handlers were removed
   * @throws TypeError where Node knows no such method
   * @example
   * app.route('/users').get(list).post(create).remove('post'); // 1
   * // GET /users -> 200 list
   * // POST /users -> 404
   */
  remove(method: string): number;
}
