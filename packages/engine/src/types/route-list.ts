/** Members that routers and routes have in addition to those of Express: they list and remove registrations. */
import type { RouteInfo } from 'express-serve-static-core';

declare module 'express-serve-static-core' {
  /** An entry of `app.routes()`. */
  interface RouteInfo {
    /** The kind of registration. */
    kind: 'route' | 'websocket' | 'router' | 'application' | 'middleware';
    /** The method of a route in upper case, `*` for any other method; undefined unless it is a route. */
    method?: string;
    /** The full pattern, including the mount paths; a regular expression is converted to a string. */
    path: string;
    /** The parameter names in the pattern, in order; numbers for unnamed parameters. */
    params: string[];
    /** The names of the handler functions, `<anonymous>` for functions without a name. */
    handlers: string[];
    /** The file of the registration; set in development, or with `RISTRETTO_PLACES=1` in the environment. */
    file?: string;
    /** The line of the call, counted from 1. */
    line?: number;
    /** The column of the call, counted from 1. */
    column?: number;
  }
}

export type { RouteInfo };

/** A registered function, path or route. */
type Registered =
  ((...args: never[]) => unknown) | string | RegExp | readonly (string | RegExp)[] | { stack: unknown };

/** An entry of `router.listRoutes()`, as in the package `router`. */
export interface ListedRoute<Router = object> {
  /** The path as registered; an array of paths has one entry for each. */
  path: string | RegExp;
  /** The methods in upper case, `*` for all, HEAD if GET handles it, `WS` for WebSockets; undefined for mounts. */
  methods: string[] | undefined;
  /** The mounted router; undefined for routes. Mounted applications have no entry: see `app.routes()`. */
  router: Router | undefined;
}

/** Additional members of routers and applications. */
export interface RouterAdditions {
  /**
   * List all routes, mounts and middleware as data, nested to any depth, in the order in which they run. Routers created
   * or edited by tools, and mounted ones of Express, are listed as they are now.
   * @returns an entry for each; the entries of a mounted router follow that of its mount
   * @example
   * app.get('/users/:id', show);
   * app.routes().map(({ path }) => path).at(-1); // '/users/:id'
   */
  routes(): RouteInfo[];

  /**
   * Remove middleware, mounts or routes. This takes effect immediately for new requests; in-flight requests continue
   * with the stack they started with.
   *
   * @param what a function, router or application passed to `use`: removes all its mounts; a path as registered:
   * removes its routes and mounts (for `/`, only routes: remove middleware without a path by its function); or a route
   * @returns the number of removed layers
   * @throws TypeError for any other argument
   * @example
   * router.get('/users/:id', show);
   * router.remove('/users/:id'); // 1
   * // GET /users/7 -> 404
   */
  remove(what: Registered): number;
}

/** Additional members of routes. */
export interface RouteAdditions {
  /**
   * Remove the handlers of a method. This takes effect immediately for requests that have not reached the route yet.
   *
   * @param method the method in upper or lower case; `all` for the handlers passed to `route.all`
   * @returns the number of removed handlers
   * @throws TypeError if Node does not support the method
   * @example
   * app.route('/users').get(list).post(create).remove('post'); // 1
   * // GET /users -> 200 list
   * // POST /users -> 404
   */
  remove(method: string): number;
}
