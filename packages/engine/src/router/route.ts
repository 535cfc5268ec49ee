/** A route: one path with a stack of handlers, each for one method or for all. */
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as diagnose from '../dev/handler-arguments';
import { routes } from '../report/channels';
import { debug } from '../report/debug';
import { flatten } from './arguments';
import Layer = require('./layer');
import { defineVerbs, methodName } from './methods';
import { isPromise } from '../realms';
import { passUpPromise } from './rejection';
import { noteRegistration, captureRegistrationStack } from './registrations';
import { removeMethod } from './removal';
import type { RouteBasics, RouteConstructor } from './routed';
import { engineLayers } from './engine-layers';
import { runStack } from './run-stack';

const checks = deferred(() => require('../dev/handler-arguments') as typeof diagnose, reportsMistakes);

interface Route extends RouteBasics<Layer> {
  _handles_method(method: string): boolean;
  _options(): string[];
}

const Route = function (this: Route, path: unknown) {
  this.path = path;
  this.stack = [];
  debug.route?.('new %o', path);
  this.methods = {};
} as RouteConstructor<Route>;

Object.defineProperty(Route, 'name', { value: 'Route' });

Route.prototype._handles_method = function _handles_method(method) {
  if (this.methods._all) return true;
  let name = methodName(method);
  if (name === 'head' && !this.methods.head) name = 'get';
  return Boolean(this.methods[name]);
};

/** The methods for an `Allow` header, in upper case. */
Route.prototype._options = function _options() {
  const names = Object.keys(this.methods);
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

  const only = stack[0]!;
  // With a single handler, the router's own `next` does everything that the route's would.
  if (stack.length === 1 && done === req.next && (!only.method || only.method === method)) {
    const result = only.handle_request(req, res, done);
    if (result !== undefined && isPromise(result)) passUpPromise(result, done);
  } else {
    runStack(stack, method, req, res, done, engineLayers);
  }
};

Route.prototype.all = function all(...handlers) {
  const trace = captureRegistrationStack();
  for (const [i, handle] of flatten(handlers).entries()) {
    if (typeof handle !== 'function') {
      const text = `Route.all() requires a callback function but got a ${Object.prototype.toString.call(handle)}`;
      throw explained(new TypeError(text), handle, `ALL ${String(this.path)}`, i + 1);
    }
    const layer = new Layer('/', {}, handle);
    layer.method = undefined;
    noteRegistration(layer, trace);
    this.methods._all = true;
    this.stack.push(layer);
  }
  return this;
};

defineVerbs(
  Route.prototype,
  method =>
    function (this: Route, ...handlers: unknown[]): Route {
      const trace = captureRegistrationStack();
      for (const [i, handle] of flatten(handlers).entries()) {
        if (typeof handle !== 'function') {
          const text = `Route.${method}() requires a callback function but got a ${Object.prototype.toString.call(handle)}`;
          throw explained(new Error(text), handle, `${method.toUpperCase()} ${String(this.path)}`, i + 1);
        }
        debug.route?.('%s %o', method, this.path);
        const layer = new Layer('/', {}, handle);
        layer.method = method;
        noteRegistration(layer, trace);
        this.methods[method] = true;
        this.stack.push(layer);
      }
      return this;
    },
);

/** In development, adds to the error what the value is and where it stands. */
function explained(error: Error, value: unknown, call: string, position: number): Error {
  return reportsMistakes() ? checks().explainHandler(error, value, call, position) : error;
}

// Not enumerable, because Express has no such method.
Object.defineProperty(Route.prototype, 'remove', { configurable: true, writable: true, value: removeMethod });

export = Route;
