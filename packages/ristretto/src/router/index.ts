/**
 * The router: middleware and routes in the order of registration. It is itself a middleware function.
 *
 * `Router` is both the factory and the prototype of its instances: tools patch `Router.use`, and detect the version of
 * the API because there is no `Router.prototype.route`. Its methods are named function expressions, because tools
 * search for those too.
 */
import type { Next } from '@ristretto/private-engine/lib/types/next';
import deprecation = require('depd');
import { debug, reportsMistakes } from '@ristretto/private-engine/lib/report';
import {
  checks,
  STATE,
  dispatch,
  defineVerbs,
  methods,
  registerOn,
  mountArguments,
  noteRegistration,
  routesProperty,
  processParams,
  registerParam,
  remove,
  shareState,
  giveState,
  captureRegistrationStack,
} from '@ristretto/private-engine/lib/router';
import type {
  CalledParams,
  DispatchedRequest,
  DispatchingRouter,
  OptionsResponse,
} from '@ristretto/private-engine/lib/router';
import { socketProperty } from '@ristretto/private-engine/lib/websocket';
import Layer = require('./layer');
import Route = require('./route');
import { version } from '../version';

interface RouterOptions {
  caseSensitive?: boolean;
  mergeParams?: boolean;
  strict?: boolean;
}

const OPTIONS = ['caseSensitive', 'mergeParams', 'strict'] satisfies (keyof RouterOptions)[];

interface RouterInstance extends DispatchingRouter {
  (req: DispatchedRequest, res: OptionsResponse, next: Next): void;
  _params: unknown[];
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  param(name: unknown, callback?: unknown): RouterInstance;
  use(...handlers: unknown[]): RouterInstance;
  route(path: unknown): Route;
  handle(req: DispatchedRequest, res: OptionsResponse, out: Next): void;
  remove(what: unknown): number;
}

interface RouterFactory extends RouterInstance {
  (options?: RouterOptions): RouterInstance;
  new (options?: RouterOptions): RouterInstance;
}

const deprecate = deprecation('express');

const Router = function (options?: RouterOptions): RouterInstance {
  // The variable gives the function its name: defining `name` would turn its properties into a slow dictionary
  const router = function (req: DispatchedRequest, res: OptionsResponse, next: Next): void {
    router.handle(req, res, next);
  } as RouterInstance;
  Object.setPrototypeOf(router, Router);

  if (reportsMistakes()) checks().warnOfUnknownOption('web.Router()', options, OPTIONS);
  router.params = {};
  router._params = [];
  router.caseSensitive = options?.caseSensitive;
  router.mergeParams = options?.mergeParams;
  router.strict = options?.strict;
  giveState(router, version.router);
  return router;
} as RouterFactory;

const proto = Router;

/** Registers a callback for a path parameter; with only a function, a hook for such registrations (deprecated). */
proto.param = function param(this: RouterInstance, name: unknown, callback?: unknown) {
  registerParam(this, name, callback, deprecate);
  return this;
};

// Stored in a variable, because each request reads it
const walk = dispatch;

/** Walks the stack for a request; `out` is called when no layer responds. */
proto.handle = function handle(
  this: RouterInstance,
  req: DispatchedRequest,
  res: OptionsResponse,
  out: Next,
) {
  walk(this, processParamsAsMade, req, res, out);
};

/** Runs the parameter callbacks of a layer. Tools wrap this method. */
proto.process_params = function process_params(
  this: RouterInstance,
  layer: Layer,
  called: CalledParams,
  req: { params: Record<string, unknown> },
  res: unknown,
  done: Next,
) {
  processParams(this, layer, called, req, res, done);
};

const processParamsAsMade = proto.process_params;

/** Mounts middleware at a path, by default `/`. */
proto.use = function use(this: RouterInstance, _fn: unknown) {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const { path, handlers } = mountArguments(arguments, 'Router.use()');
  const trace = captureRegistrationStack();
  for (const handler of handlers) {
    if (typeof handler !== 'function') {
      const error = new TypeError(
        `Router.use() requires a middleware function but got a ${typeName(handler)}`,
      );
      if (reportsMistakes()) checks().explainHandler(error, handler, mountCall(path));
      throw error;
    }
    debug.router?.('use %o %s', path, handler.name || '<anonymous>');
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handler);
    layer.route = undefined;
    noteRegistration(layer, trace);
    this[STATE].push(layer);
  }
  checkRegistration(this, path);
  return this;
};

/** Creates a route: one path, to which handlers for its methods are then added. */
proto.route = function route(this: RouterInstance, path: unknown) {
  const made = new Route(path);
  const options = { sensitive: this.caseSensitive, strict: this.strict, end: true };
  const layer = new Layer(path, options, made.dispatch.bind(made));
  layer.route = made;
  this[STATE].push(layer);
  checkRegistration(this, path);
  return made;
};

defineVerbs(
  proto,
  method =>
    function (this: RouterInstance, path: unknown, ...handlers: unknown[]): RouterInstance {
      registerOn(this.route(path), method, handlers);
      return this;
    },
  [...methods, 'all'],
);

shareState(proto, version.router);

// Not enumerable, because Express does not have them.
Object.defineProperties(proto, {
  remove: { configurable: true, writable: true, value: remove },
  routes: routesProperty,
  ws: socketProperty((router: RouterInstance) => router),
});

function checkRegistration(router: RouterInstance, path: unknown): void {
  if (!reportsMistakes()) return;
  checks().checkSoon(router);
  checks().warnOfPath(router, path, version.router);
}

/** Returns the call of `use` as messages show it. */
function mountCall(path: unknown): string {
  return typeof path === 'string' && path !== '/' ? `app.use('${path}')` : 'app.use()';
}

/** Returns the name of a value's type for messages: `Null`, `RegExp`, `string`. */
function typeName(value: unknown): string {
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

export = Router;
