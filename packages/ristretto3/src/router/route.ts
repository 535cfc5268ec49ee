/**
 * A 3.x route: one method and one path, with the functions to call. It is an entry of `app.routes`, and internally a
 * 4.x route, whose stack is built from the current `callbacks`.
 */
import { Layer, Route as BaseRoute } from '@ristretto/private-engine/lib/router';
import type { RouteEntry, RouteKey, RouteOptions } from '../types/routing';
import { LAYER, RouteLayer } from './layers';
import type { CALL } from './layers';

const STACK: unique symbol = Symbol('stack');

interface Stack {
  callbacks: unknown[];
  layers: Layer[];
}

interface Route extends RouteEntry, Pick<InstanceType<typeof BaseRoute>, 'dispatch' | 'stack' | 'methods'> {
  [LAYER]: RouteLayer;
  [STACK]: Stack | undefined;
  /** Identifies the call of `all` that created the route, if one did. */
  [CALL]?: object;
}

interface RouteConstructor {
  (this: Route, method: string, path: unknown, callbacks: unknown[], options?: RouteOptions): void;
  new (method: string, path: unknown, callbacks: unknown[], options?: RouteOptions): Route;
  prototype: Route;
}

/**
 * @param method in lower case
 * @param path a path, a pattern, a regular expression, or an array of these
 * @param callbacks functions; those with four parameters handle errors
 * @param options `sensitive` and `strict`
 * @example app.routes.get.unshift(new web.Route('get', '/first', [answer]));
 */
const Route = function (
  this: Route,
  method: string,
  path: unknown,
  callbacks: unknown[],
  options: RouteOptions | undefined,
) {
  const layer = new RouteLayer(path, options, this);
  this.path = path;
  this.method = method;
  this.callbacks = callbacks;
  this.keys = layer.keys.filter(isNamed).map(({ name, optional }) => ({ name, optional }));
  this.regexp = layer.expression;
  // Not enumerable, because programs print and copy entries
  Object.defineProperty(this, LAYER, { value: layer });
  Object.defineProperty(this, STACK, { value: undefined, writable: true });
} as RouteConstructor;

Object.defineProperty(Route, 'name', { value: 'Route' });
Object.setPrototypeOf(Route.prototype, BaseRoute.prototype);
Object.defineProperties(Route.prototype, {
  // The functions serve the route's only method, which was checked before
  methods: { value: { _all: true } },
  params: { get: paramsOf },
  stack: { get: stackOf },
});

/** The keys of a 4.x layer include the numbered groups. */
function isNamed(key: Layer['keys'][number]): key is Layer['keys'][number] & RouteKey {
  return typeof key.name === 'string';
}

function paramsOf(this: Route): unknown {
  return this[LAYER].params;
}

function stackOf(this: Route): Layer[] {
  const { callbacks } = this;
  let stack = this[STACK];
  if (stack === undefined || !sameItems(stack.callbacks, callbacks)) {
    stack = { callbacks: [...callbacks], layers: callbacks.map(callback => new Layer('/', {}, callback)) };
    this[STACK] = stack;
  }
  return stack.layers;
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, i) => item === right[i]);
}

/** Whether a path matches; sets `params` if it does. */
Route.prototype.match = function match(path: string): boolean {
  return this[LAYER].match(path);
};

export = Route;
