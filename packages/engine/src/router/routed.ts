/** The parts that the routes of all versions share. */

/** The members of a request that dispatching needs. */
export interface RoutedRequest {
  method: string;
  route?: unknown;
  next?: ((err?: unknown) => void) | undefined;
}

/** A route with layers of any version. */
export interface RouteBasics<Layer> {
  path: unknown;
  stack: Layer[];
  /** The methods that have a handler, by lower-case name; `_all` if there is one for all methods. */
  methods: Record<string, boolean | undefined>;
  dispatch(req: RoutedRequest, res: unknown, done: (err?: unknown) => void): void;
  all(...handlers: unknown[]): this;
}

/** Creates routes, with or without `new`. */
export interface RouteConstructor<Route> {
  new (path: unknown): Route;
  (path: unknown): void;
  prototype: Route;
}
