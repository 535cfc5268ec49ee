/**
 * The router: middleware and routes in the order of registration. It is itself a middleware function.
 *
 * A constructor with plain assignments to its prototype: tracers patch these functions by name, and some rewrite this
 * source text as it is loaded. They expect it in a package called `router`, where the build puts it
 * (scripts/build.mjs).
 */
import type { ServerResponse } from 'node:http';
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import { deferred } from '@ristretto/private-engine/lib/deferred';
import type * as diagnose from '@ristretto/private-engine/lib/diagnose';
import {
  RouterState,
  STATE,
  dispatch,
  methods,
  noteRegistration,
  remove,
  stackProperty,
  traceRegistration,
} from '@ristretto/private-engine/lib/router';
import type {
  DispatchedRequest,
  DispatchingRouter,
  Next,
  ParamCallback,
} from '@ristretto/private-engine/lib/router';
import { version } from '../version';
import { handlersOf, splitPath } from './arguments';
import { debug } from './debug';
import Layer = require('./layer');
import { routesOf } from './list-routes';
import type { ListedRoute } from './list-routes';
import Route = require('./route');

const checks = deferred(
  () => require('@ristretto/private-engine/lib/diagnose') as typeof diagnose,
  reportsMistakes,
);

interface RouterOptions {
  caseSensitive?: boolean | undefined;
  mergeParams?: boolean | undefined;
  strict?: boolean | undefined;
}

interface RouterInstance extends DispatchingRouter {
  (req: DispatchedRequest, res: ServerResponse, next: Next): void;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  param(name: unknown, fn: unknown): RouterInstance;
  use(...handlers: unknown[]): RouterInstance;
  route(path: unknown): Route;
  handle(req: DispatchedRequest, res: ServerResponse, callback: Next): void;
  listRoutes(): ListedRoute[];
  remove(what: unknown): number;
}

interface RouterConstructor {
  (options?: RouterOptions): RouterInstance;
  new (options?: RouterOptions): RouterInstance;
  prototype: RouterInstance;
  Route: typeof Route;
}

const Router = function (this: unknown, options?: RouterOptions): RouterInstance {
  if (!(this instanceof Router)) return new Router(options);
  function router(req: DispatchedRequest, res: ServerResponse, next: Next): void {
    (router as unknown as RouterInstance).handle(req, res, next);
  }
  const made = router as unknown as RouterInstance;
  Object.setPrototypeOf(made, this);

  made.caseSensitive = options?.caseSensitive;
  made.mergeParams = options?.mergeParams;
  made.params = {};
  made.strict = options?.strict;
  Object.defineProperty(made, STATE, { value: new RouterState(version.router) });
  Object.defineProperty(made, 'stack', stackProperty);
  return made;
} as unknown as RouterConstructor;

Object.defineProperty(Router, 'name', { value: 'Router' });

// A function, as in Express: routers are functions, and inherit `call`, `apply` and `bind` through it.
Router.prototype = function () {
  // never called
} as unknown as RouterInstance;

/**
 * Registers a callback for a path parameter. It runs once for each value in a request.
 * @throws TypeError if the name is not a string, or the callback is not a function
 */
Router.prototype.param = function param(name, fn) {
  if (!name) throw new TypeError('argument name is required');
  if (typeof name !== 'string') throw new TypeError('argument name must be a string');
  if (!fn) throw new TypeError('argument fn is required');
  if (typeof fn !== 'function') throw new TypeError('argument fn must be a function');
  const known = Object.hasOwn(this.params, name) ? this.params[name]! : [];
  known.push(fn as ParamCallback);
  // `__proto__` is a valid name
  Object.defineProperty(this.params, name, {
    value: known,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return this;
};

/** Walks the stack for a request; `callback` is called if no layer sends a response. */
Router.prototype.handle = function handle(req, res, callback) {
  if (!(callback as unknown)) throw new TypeError('argument callback is required');
  dispatch(this, undefined, req, res, callback);
};

/** Mounts middleware at a path, by default `/`. */
Router.prototype.use = function use(this: RouterInstance, _handler: unknown) {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const { path, handlers } = splitPath(arguments);
  const trace = traceRegistration();
  for (const handler of handlersOf(handlers)) {
    debug.router?.('use %o %s', path, (handler as { name?: string }).name || '<anonymous>');
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handler);
    layer.route = undefined;
    noteRegistration(layer, trace);
    this[STATE].push(layer);
  }
  checkRegistration(this, path);
  return this;
};

/** Creates a route: one path, to which handlers for its methods are then added. */
Router.prototype.route = function route(path) {
  const route = new Route(path);
  // tools recognize the layers of routes by this function's name and source text
  const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
  function handle(req: DispatchedRequest, res: unknown, next: Next): void {
    route.dispatch(req, res, next);
  }
  layer.route = route;
  this[STATE].push(layer);
  checkRegistration(this, path);
  return route;
};

/** Returns the router's routes: one entry for each path. */
Router.prototype.listRoutes = function listRoutes() {
  return routesOf(this.stack);
};

for (const method of [...methods, 'all']) {
  const register = function (this: RouterInstance, path: unknown, ...handlers: unknown[]): RouterInstance {
    const route = this.route(path) as unknown as Record<string, (...handlers: unknown[]) => unknown>;
    route[method]?.(...handlers);
    return this;
  };
  Object.defineProperty(register, 'name', { value: '' });
  (Router.prototype as unknown as Record<string, unknown>)[method] = register;
}

function checkRegistration(router: RouterInstance, path: unknown): void {
  if (!reportsMistakes()) return;
  checks().checkSoon(router);
  if (path === '/') return;
  checks().warnOfPath(router, path, () => undefined);
}

// Not enumerable, because Express has no such method.
Object.defineProperty(Router.prototype, 'remove', { configurable: true, writable: true, value: remove });

Router.Route = Route;

export = Router;
