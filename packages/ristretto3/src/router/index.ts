/**
 * The router of 3.x: an editable list of routes for each method, and parameter callbacks. A router of 4.x walks each
 * list.
 */
import { inspect } from 'node:util';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import depd = require('depd');
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import type { DispatchedRequest, OptionsResponse, ParamsRouter } from '@ristretto/private-engine/lib/router';
import {
  checks,
  flatten,
  methodName,
  defineVerbs,
  methods,
  registerParam,
  sendOptions,
  upgradeOf,
} from '@ristretto/private-engine/lib/router';
import { pathnameOf } from '@ristretto/private-engine/lib/protocol';
import { socketHandlers } from '@ristretto/private-engine/lib/websocket';
import type { MethodName } from '@ristretto/private-engine/lib/types/method-names';
import type { RouteMatcher, SocketMatcher } from '../types/core';
import type { RouteEntry, RouterOptions, Routes } from '../types/routing';
import { BEHIND, version } from '../version';
import { ListRouter } from './list-router';
import Route = require('./route');
import { CALL, LAYER, MIDDLEWARE } from './layers';
import type { RouteLayer } from './layers';

const deprecate = depd('express');

type Handle = (req: DispatchedRequest, res: OptionsResponse, next: Next) => void;

interface MatchedRequest {
  method: string;
  url: string;
  _route_index?: number;
}

interface Router extends ParamsRouter, Record<MethodName | 'all', RouteMatcher<Router>> {
  /** Adds a route for WebSockets. */
  ws: SocketMatcher<Router>;
  /** The routes by method, which `app.routes` returns. */
  map: Routes;
  _params: unknown[];
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  /** The router as middleware. */
  readonly middleware: Handle;
  /** The same function, read by this package without a deprecation notice. */
  [MIDDLEWARE]: Handle;
  handle: Handle;
  /**
   * Returns the first route for a method and a URL, and sets its `params` from the URL.
   * @param from how many routes of the method to skip
   * @param exact whether HEAD matches only its own routes; otherwise those for GET follow
   */
  match(method: string, url: string, from?: number, exact?: boolean): RouteEntry | undefined;
  /** Does the same for a request, and sets its `_route_index` to the position of the route in its list. */
  matchRequest(req: MatchedRequest, from?: number, exact?: boolean): RouteEntry | undefined;
  /** Adds a route. */
  route(method: string, path: unknown, ...callbacks: unknown[]): Router;
  param(name: unknown, callback?: unknown): Router;
}

const OPTIONS = ['caseSensitive', 'strict'] satisfies (keyof RouterOptions)[];

interface RouterConstructor {
  new (options?: RouterOptions): Router;
  (options?: RouterOptions): Router;
  prototype: Router;
}

/** The walks over the lists of a router, by method. */
const walks = new WeakMap<Router, Map<string, ListRouter<RouteEntry>>>();

/**
 * @param options `caseSensitive` and `strict`
 * @example
 * const router = new web.Router();
 * router.get('/users/:id', show);
 * app.use('/api', router.middleware);
 */
const Router = function (this: unknown, options?: RouterOptions): Router {
  if (!(this instanceof Router)) return new Router(options);
  this.map = {};
  this.params = {};
  this._params = [];
  if (reportsMistakes()) checks().warnOfUnknownOption('web.Router()', options, OPTIONS);
  this.caseSensitive = options?.caseSensitive;
  this.strict = options?.strict;
  const router: Handle = (req, res, next) => this.handle(req, res, next);
  Object.defineProperty(this, MIDDLEWARE, { value: router });
  walks.set(this, new Map());
  return this;
} as RouterConstructor;

Object.defineProperty(Router, 'name', { value: 'Router' });

Object.defineProperty(Router.prototype, 'middleware', {
  get(this: Router) {
    deprecate('router.middleware: Remove it; in 4.x, a router is itself middleware');
    return this[MIDDLEWARE];
  },
});

Router.prototype.param = function param(name, callback) {
  registerParam(this, name, callback, deprecate);
  return this;
};

Router.prototype.route = function route(method, path, ...callbacks) {
  const flat = flatten(callbacks);
  for (const [i, callback] of flat.entries()) {
    if (typeof callback !== 'function') {
      const text = `.${method}() requires callback functions but got a ${Object.prototype.toString.call(callback)}`;
      const error = new TypeError(text);
      if (reportsMistakes()) {
        checks().explainHandler(error, callback, `${method.toUpperCase()} ${String(path)}`, i + 1);
      }
      throw error;
    }
  }
  const options = { sensitive: this.caseSensitive, strict: this.strict };
  (this.map[method] ??= []).push(new Route(method, path, flat, options));
  if (reportsMistakes()) checks().warnOfPath(this, path, version.router);
  return this;
};

Router.prototype.all = function all(this: Router, path: unknown, ...callbacks: unknown[]) {
  const call = {};
  for (const method of methods) {
    this.route(method, path, ...callbacks);
    Object.defineProperty(this.map[method]!.at(-1), CALL, { value: call });
  }
  return this;
};

defineVerbs(
  Router.prototype,
  method =>
    function (this: Router, path: unknown, ...callbacks: unknown[]): Router {
      return this.route(method, path, ...callbacks);
    },
);

// Not enumerable, because Express has no such method.
Object.defineProperty(Router.prototype, 'ws', {
  configurable: true,
  writable: true,
  value: function ws(this: Router, path: unknown, ...handlers: unknown[]): Router {
    return this.route('ws', path, ...socketHandlers(handlers));
  },
});

Router.prototype.match = function match(method, url, from, exact) {
  return this.matchRequest({ method, url }, from, exact);
};

Router.prototype.matchRequest = function matchRequest(req, from = 0, exact = false) {
  const method = req.method.toLowerCase();
  const path = pathnameOf(req.url);
  for (const name of method === 'head' && !exact ? ['head', 'get'] : [method]) {
    const list = listOf(this, name);
    const index = list.findIndex((entry, at) => at >= from && layerFor(this, entry).match(path));
    if (index < 0) continue;
    req._route_index = index;
    return list[index];
  }
  return undefined;
};

/**
 * Handles a request with its routes. A WebSocket request uses the routes for WebSockets and then those for GET. HEAD
 * uses its own routes and then those for GET. OPTIONS gets an automatic response if no route responds.
 */
Router.prototype.handle = function handle(
  req: DispatchedRequest & { [BEHIND]?: Next | undefined },
  res,
  next,
) {
  req[BEHIND] = req.next;
  const method = methodName(req.method);
  if (upgradeOf(req) !== undefined) {
    walk(this, 'ws', listOf(this, 'ws'), req, res, err => {
      if (err) next(err);
      else walk(this, method, listOf(this, method), req, res, next);
    });
  } else if (method === 'head') {
    walk(this, 'head', listOf(this, 'head'), req, res, err => {
      if (err) next(err);
      else walk(this, 'get after head', getAfterHead(this), req, res, next);
    });
  } else if (method === 'options') {
    walk(this, 'options', listOf(this, 'options'), req, res, err => {
      const allowed = err ? [] : methodsFor(this, pathnameOf(req.url));
      if (allowed.length === 0) next(err);
      else sendOptions(res, allowed, next);
    });
  } else {
    walk(this, method, listOf(this, method), req, res, next);
  }
};

/** Returns the routes of a method; a method may have the name of an inherited property. */
function listOf({ map }: Router, method: string): readonly RouteEntry[] {
  return Object.hasOwn(map, method) ? map[method]! : [];
}

/** Returns the routes for GET that are not also among those for HEAD: `all` creates one for each. */
function getAfterHead(router: Router): readonly RouteEntry[] {
  const calls = new Set(listOf(router, 'head').map(callOf));
  return listOf(router, 'get').filter(entry => !calls.has(callOf(entry)));
}

/** Returns the object that a route shares with those created by the same call of `all`; otherwise the route itself. */
function callOf(entry: RouteEntry): object {
  return (entry as { [CALL]?: object })[CALL] ?? entry;
}

function walk(
  router: Router,
  name: string,
  list: readonly RouteEntry[],
  req: DispatchedRequest,
  res: OptionsResponse,
  next: Next,
): void {
  if (list.length === 0) {
    next();
    return;
  }
  const lists = walks.get(router)!;
  let made = lists.get(name);
  if (made === undefined)
    lists.set(name, (made = new ListRouter(entry => layerFor(router, entry), regexpOf)));
  made.handle(list, req, res, next);
}

function regexpOf(entry: RouteEntry): RegExp {
  return entry.regexp;
}

/** @throws TypeError if the entry is not a route: a bare object has no compiled path */
function layerFor(router: Router, entry: RouteEntry): RouteLayer {
  if (!(entry instanceof Route)) {
    throw new TypeError(
      `app.routes contains an entry that is not a route: ${inspect(entry)}; create it with new web.Route(method, path, [callback])`,
    );
  }
  const layer = entry[LAYER];
  layer.owner = router;
  // The program has replaced the expression
  if (entry.regexp !== layer.expression) layer.regexp = layer.expression = entry.regexp;
  return layer;
}

/** Returns the methods with a route for the path, in upper case and alphabetical order. */
function methodsFor({ map }: Router, path: string | undefined): string[] {
  const found = new Set<string>();
  for (const method of methods) {
    if (path === undefined || method === 'options') continue;
    if (!map[method]?.some(entry => entry.match(path))) continue;
    found.add(method.toUpperCase());
    if (method === 'get') found.add('HEAD');
  }
  return [...found];
}

export = Router;
