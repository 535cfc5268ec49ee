/** A route: one path with a stack of handlers, each for one method or for all. */
import { routes } from '@ristretto/private-engine/lib/report';
import {
  methodName as nameOf,
  defineVerbs,
  noteRegistration,
  removeMethod,
  runStack,
  captureRegistrationStack,
} from '@ristretto/private-engine/lib/router';
import type { RouteBasics, RouteConstructor } from '@ristretto/private-engine/lib/router';
import { version } from '../version';
import { handlersOf } from './arguments';
import { debug } from './debug';
import Layer = require('./layer');

// Reading an export of the engine for each request would call a getter
const methodName = nameOf;

interface Route extends RouteBasics<Layer> {
  _handlesMethod(method: string): boolean;
  _methods(): string[];
}

const Route = function (this: Route, path: unknown) {
  debug.route?.('new %o', path);
  this.path = path;
  this.stack = [];
  this.methods = Object.create(null) as Route['methods'];
} as RouteConstructor<Route>;

Object.defineProperty(Route, 'name', { value: 'Route' });

Route.prototype._handlesMethod = function _handlesMethod(method) {
  if (this.methods._all) return true;
  let name = methodName(method);
  if (name === 'head' && !this.methods.head) name = 'get';
  return Boolean(this.methods[name]);
};

/** The methods for an `Allow` header, in upper case. */
Route.prototype._methods = function _methods() {
  const names = Object.keys(this.methods).filter(name => name !== '_all');
  if (this.methods.get && !this.methods.head) names.push('head');
  return names.map(name => name.toUpperCase());
};

Route.prototype.dispatch = function dispatch(req, res, done) {
  const stack = this.stack;
  if (stack.length === 0) {
    done();
    return;
  }
  let method = methodName(req.method);
  if (method === 'head' && !this.methods.head) method = 'get';
  req.route = this;
  if (routes.hasSubscribers) routes.publish({ req, res, route: this });
  const [only] = stack;
  // With a single handler, the router's own `next` does everything that the route's would.
  if (stack.length === 1 && done === req.next && (!only!.method || only!.method === method)) {
    only!.handleRequest(req, res, done);
  } else {
    runStack(stack, method, req, res, done, version.router);
  }
};

Route.prototype.all = function all(...handlers) {
  return addHandlers(this, undefined, handlers);
};

defineVerbs(
  Route.prototype,
  method =>
    function (this: Route, ...handlers: unknown[]): Route {
      return addHandlers(this, method, handlers);
    },
);

function addHandlers(route: Route, method: string | undefined, handlers: unknown[]): Route {
  const trace = captureRegistrationStack();
  const call = (): string => `${method?.toUpperCase() ?? 'ALL'} ${String(route.path)}`;
  for (const handle of handlersOf(handlers, call, true)) {
    if (method !== undefined) debug.route?.('%s %s', method, route.path);
    const layer = new Layer('/', {}, handle);
    layer.method = method;
    noteRegistration(layer, trace);
    route.methods[method ?? '_all'] = true;
    route.stack.push(layer);
  }
  return route;
}

// Not enumerable, because Express has no such method.
Object.defineProperty(Route.prototype, 'remove', { configurable: true, writable: true, value: removeMethod });

export = Route;
