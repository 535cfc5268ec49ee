/** The layers of 3.x in routers of 4.x: for entries of `app.stack`, and for routes. */
import { Layer, PATTERN, processParams } from '@ristretto/private-engine/lib/router';
import type { ParamsRouter, Route as BaseRoute } from '@ristretto/private-engine/lib/router';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { BEHIND } from '../version';
import type { RouteEntry, RouteOptions, StackEntry } from '../types/routing';

/** On a route: its layer. */
export const LAYER: unique symbol = Symbol('layer');
/** On a route created by `all`: an object shared by the routes of one call. */
export const CALL: unique symbol = Symbol('call of all');
/** On a router: its middleware function. */
export const MIDDLEWARE: unique symbol = Symbol('middleware');

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * Creates the layer of an entry of `app.stack`: middleware under a path, which a `/` or a `.` may follow. The entry's function is looked up on each call, because tools replace it.
 * @throws TypeError if the entry is not of the form `{ route: '/path', handle: function }`
 */
export function makeMountLayer(entry: StackEntry): Layer {
  const { route, handle } = entry as Partial<StackEntry>;
  if (typeof route !== 'string' || typeof handle !== 'function') {
    throw new TypeError(
      `app.stack: expected entries { route: '/path', handle: function }, got { route: ${String(route)}, handle: ${typeof handle} }`,
    );
  }
  const layer = new Layer(pathOf(route), { end: false }, handle);
  layer[PATTERN].path = route || '/';
  return Object.defineProperty(layer, 'handle', { get: () => entry.handle });
}

/** The path is literal text, not a pattern: only `/` and `.` may follow it, as in `/apple.html` for `/apple`. */
function pathOf(route: string): string | RegExp {
  return route === '' || route === '/'
    ? '/'
    : new RegExp(`^${route.replace(SPECIAL, '\\$&')}(?=[/.]|$)`, 'i');
}

type Params = Record<string, string | undefined>;
type Routed = RouteEntry & Pick<InstanceType<typeof BaseRoute>, 'dispatch' | 'stack'>;
type RoutedRequest = Parameters<Routed['dispatch']>[0] & { params: Params; [BEHIND]?: Next | undefined };

const PARAMS: unique symbol = Symbol('params');

export interface RouteLayer extends Layer {
  /** The entry of `app.routes`. */
  entry: Routed;
  /** The router whose parameter callbacks run. */
  owner: ParamsRouter | undefined;
  /** The entry's `regexp` when it was last read. */
  expression: RegExp;
  [PARAMS]: Params | undefined;
}

interface RouteLayerConstructor {
  (this: RouteLayer, path: unknown, options: RouteOptions | undefined, entry: Routed): void;
  new (path: unknown, options: RouteOptions | undefined, entry: Routed): RouteLayer;
  prototype: RouteLayer;
}

/**
 * The layer of a 3.x route in a 4.x router. It handles errors differently: every matching route passes them to its
 * functions with four parameters, whereas a 4.x router skips routes; and parameter callbacks run for each route, not
 * once for each value.
 */
export const RouteLayer = function (
  this: RouteLayer,
  path: unknown,
  options: RouteOptions | undefined,
  entry: Routed,
) {
  Layer.call(this, options?.strict ? path : withDoubleSlash(path), { ...options, end: true }, entry.dispatch);
  this[PATTERN].path = path;
  this.entry = entry;
  this.owner = undefined;
  this.expression = this[PATTERN].toRegExp();
} as RouteLayerConstructor;

/** Matches the root with an optional trailing slash, like any other path: `/` or `//`. */
const ROOT = /^\/\/?$/i;

function withDoubleSlash(path: unknown): unknown {
  if (path === '/') return ROOT;
  return Array.isArray(path) ? path.map(withDoubleSlash) : path;
}

RouteLayer.prototype = Object.create(Layer.prototype, {
  // A 4.x router strips the path of such a layer from the URL, so it is empty
  path: { get: () => '', set: ignore },
  // An array, with the named parameters as properties
  params: {
    get(this: RouteLayer) {
      return this[PARAMS];
    },
    set(this: RouteLayer, params: Params | undefined) {
      this[PARAMS] = params && Object.assign<object, Params>([], params);
    },
  },
}) as RouteLayer;

function ignore(): void {
  // The setter does nothing
}

RouteLayer.prototype.handle_request = function handle(req, res, next) {
  const { entry, owner } = this;
  const request = req as RoutedRequest;
  // Errors of views and files go to the code after the router, not to other routes
  request.next = request[BEHIND];
  if (owner === undefined || !hasParamCallbacks(this, owner)) {
    entry.dispatch(request, res, next);
    return;
  }
  request.route = entry;
  processParams(owner, this, {}, request, res, err => {
    if (err && err !== 'route') this.handle_error(err, req, res, next);
    else if (!err) entry.dispatch(request, res, next);
    else next();
  });
};

function hasParamCallbacks({ keys }: Layer, { params }: ParamsRouter): boolean {
  return keys.some(({ name }) => params[name] !== undefined);
}

/** Runs the functions from the first with four parameters; without one, passes the error to the next route. */
RouteLayer.prototype.handle_error = function handle_error(error, req, res, next) {
  const { entry } = this;
  if (!entry.callbacks.some(takesErrors)) {
    next(error);
    return;
  }
  const failing = new Layer('/', {}, (_req: unknown, _res: unknown, proceed: Next) => proceed(error));
  const route = Object.create(entry, { stack: { value: [failing, ...entry.stack] } }) as Routed;
  route.dispatch(req as RoutedRequest, res, next);
};

function takesErrors(callback: unknown): boolean {
  return typeof callback === 'function' && callback.length > 3;
}
