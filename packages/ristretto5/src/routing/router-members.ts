/**
 * The members of routers: middleware and routes in the order of registration. The constructor is in
 * traced/node_modules/router, where tracers look for it.
 */
import type { ServerResponse } from 'node:http';
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import {
  checks,
  STATE,
  dispatch as walk,
  listRoutes as routesIn,
  routesProperty,
  defineVerbs,
  methods,
  registerOn,
  noteRegistration,
  remove,
  shareState,
  giveState,
  captureRegistrationStack,
} from '@ristretto/private-engine/lib/router';
import type {
  DispatchedRequest,
  DispatchingRouter,
  ParamCallback,
} from '@ristretto/private-engine/lib/router';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { socketProperty } from '@ristretto/private-engine/lib/websocket';
import { version } from '../version';
import { handlersOf, splitPath } from './arguments';
import { debug } from './debug';
import Layer = require('./layer');
import type Route = require('./route');

// Reading an export of the engine for each request would call a getter
const dispatch = walk;

interface RouterOptions {
  caseSensitive?: boolean | undefined;
  mergeParams?: boolean | undefined;
  strict?: boolean | undefined;
}

const OPTIONS = ['caseSensitive', 'mergeParams', 'strict'] satisfies (keyof RouterOptions)[];

export interface Router extends DispatchingRouter {
  (req: DispatchedRequest, res: ServerResponse, next: Next): void;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  param(name: unknown, fn: unknown): Router;
  use(...handlers: unknown[]): Router;
  route(path: unknown): Route;
  handle(req: DispatchedRequest, res: ServerResponse, callback: Next): void;
  listRoutes(): ReturnType<typeof routesIn>;
  remove(what: unknown): number;
}

export interface RouterConstructor {
  (options?: RouterOptions): Router;
  new (options?: RouterOptions): Router;
  prototype: Router;
  Route: typeof Route;
}

/** Initializes a router: a function that inherits from the object that `new` has created. */
export function initialize(router: Router, prototype: object, options?: RouterOptions): Router {
  if (reportsMistakes()) checks().warnOfUnknownOption('web.Router()', options, OPTIONS);
  Object.setPrototypeOf(router, prototype);
  router.caseSensitive = options?.caseSensitive;
  router.mergeParams = options?.mergeParams;
  router.params = {};
  router.strict = options?.strict;
  giveState(router, version.router);
  return router;
}

/**
 * Registers a callback for a path parameter. It runs once for each value in a request.
 * @throws TypeError if the name is not a string, or the callback is not a function
 */
export function param(router: Router, name: unknown, fn: unknown): Router {
  if (!name) throw new TypeError('argument name is required');
  if (typeof name !== 'string') throw new TypeError('argument name must be a string');
  if (!fn) throw new TypeError('argument fn is required');
  if (typeof fn !== 'function') throw new TypeError('argument fn must be a function');
  const known = Object.hasOwn(router.params, name) ? router.params[name]! : [];
  known.push(fn as ParamCallback);
  noteRegistration(known, captureRegistrationStack());
  // `__proto__` is a valid name
  Object.defineProperty(router.params, name, {
    value: known,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return router;
}

/** Walks the stack for a request; `callback` is called if no layer sends a response. */
export function handle(router: Router, req: DispatchedRequest, res: ServerResponse, callback: Next): void {
  if (!(callback as unknown)) throw new TypeError('argument callback is required');
  dispatch(router, undefined, req, res, callback);
}

/** Mounts middleware at a path, by default `/`. */
export function use(router: Router, args: ArrayLike<unknown>): Router {
  const { path, handlers } = splitPath(args);
  const trace = captureRegistrationStack();
  const call = (): string => (typeof path === 'string' && path !== '/' ? `app.use('${path}')` : 'app.use()');
  for (const handler of handlersOf(handlers, call, false)) {
    debug.router?.('use %o %s', path, (handler as { name?: string }).name || '<anonymous>');
    const layer = new Layer(path, { sensitive: router.caseSensitive, strict: false, end: false }, handler);
    layer.route = undefined;
    noteRegistration(layer, trace);
    router[STATE].push(layer);
  }
  checkRegistration(router, path);
  return router;
}

/** Adds a route, with the function that its layer calls. */
export function addRoute(router: Router, route: Route, handler: unknown): Route {
  const options = { sensitive: router.caseSensitive, strict: router.strict, end: true };
  const layer = new Layer(route.path, options, handler);
  layer.route = route;
  router[STATE].push(layer);
  checkRegistration(router, route.path);
  return route;
}

/** Defines the methods of the prototype that tracers do not rewrite. */
export function defineMethods(prototype: Router): void {
  prototype.listRoutes = function listRoutes() {
    return routesIn(this);
  };
  defineVerbs(
    prototype,
    method =>
      function (this: Router, path: unknown, ...handlers: unknown[]): Router {
        registerOn(this.route(path), method, handlers);
        return this;
      },
    [...methods, 'all'],
  );
  shareState(prototype, version.router);
  // Not enumerable, because Express has no such methods.
  Object.defineProperties(prototype, {
    remove: { configurable: true, writable: true, value: remove },
    routes: routesProperty,
    ws: socketProperty((router: Router) => router),
  });
}

function checkRegistration(router: Router, path: unknown): void {
  if (!reportsMistakes()) return;
  checks().checkSoon(router);
  checks().warnOfPath(router, path, version.router);
}
