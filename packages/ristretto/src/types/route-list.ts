/** What routers and routes have beyond Express: to take out again what was registered. */

/** A function, a path or a route that was registered. */
type Registered =
  ((...args: never[]) => unknown) | string | RegExp | readonly (string | RegExp)[] | { stack: unknown };

/** What routers and applications have. */
export interface RouterAdditions {
  /**
   * Removes middleware, mounts or routes, at once for every request that has not begun: those in flight go on through
   * what was there when they came.
   *
   * @param what a function, router or application that `use` was given: all its mounts; a path, as it was registered:
   *   its routes and mounts (for `/` only routes: what is mounted without a path goes by its function); or a route
   * @returns how many were removed
   * @throws TypeError where it is none of these
   * @example router.remove('/users/:id'); // 1
   */
  remove(what: Registered): number;
}

/** What routes have. */
export interface RouteAdditions {
  /**
   * Removes the handlers of a method, at once for every request that has not come to the route.
   *
   * @param method in upper or lower case; `all` for the handlers that `route.all` was given
   * @returns how many handlers were removed
   * @throws TypeError where Node knows no such method
   * @example app.route('/users').get(list).post(create).remove('post'); // 1
   */
  remove(method: string): number;
}
