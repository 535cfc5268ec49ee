/** What the routes of 4.x and 5.x have in common. */

/** What dispatching needs of a request. */
export interface RoutedRequest {
  method: string;
  route?: unknown;
  next?: ((err?: unknown) => void) | undefined;
}

/** A route over layers of either version. */
export interface RouteBasics<Layer> {
  path: unknown;
  stack: Layer[];
  /** The methods that have a handler, by lower-case name; `_all` where one is for all. */
  methods: Record<string, boolean | undefined>;
  dispatch(req: RoutedRequest, res: unknown, done: (err?: unknown) => void): void;
  all(...handlers: unknown[]): this;
}

/** Makes routes, with `new` and without. */
export interface RouteConstructor<Route> {
  new (path: unknown): Route;
  (path: unknown): void;
  prototype: Route;
}
