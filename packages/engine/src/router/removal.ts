/**
 * Removes registrations while requests are in flight: a stack is replaced by another array, never changed. A request
 * that is inside a router or a route continues with the array with which it began.
 */
import { inspect } from 'node:util';
import { isRegExp } from '../realms';
import { flatten } from './arguments';
import type { StackLayer } from './stack-layer';
import { methods } from './methods';
import { applicationMountedBy } from './mounted';
import type { RouterState } from './router-state';
import { ORIGINAL_HANDLER, STATE } from './symbols';
import { writtenPath } from './written-path';

/** The members of a route that are used here. */
interface Removable {
  stack: StackLayer[];
  methods: Record<string, boolean | undefined>;
}

/** Middleware without a path runs for every path: it can only be removed by its function, not by this path. */
const ROOT = comparablePath('/');

/**
 * Removes middleware, mounts or routes from a router.
 * @param what a function that was passed to `use`, a path, or a route
 * @returns the number of removed layers
 * @throws TypeError for anything else
 */
export function remove(this: { [STATE]: RouterState }, what: unknown): number {
  const isRemoved = matcherOf(what);
  const state = this[STATE];
  const rest = state.stack.filter(layer => !isRemoved(layer));
  const count = state.stack.length - rest.length;
  if (count > 0) state.replace(rest);
  return count;
}

/**
 * Removes the handlers of a method from a route.
 * @param method in upper or lower case; `all` for the handlers that were passed to `route.all`
 * @returns the number of removed handlers
 * @throws TypeError for an unknown method
 */
export function removeMethod(this: Removable, method: unknown): number {
  const name = typeof method === 'string' ? method.toLowerCase() : '';
  if (name !== 'all' && !methods.includes(name)) {
    throw new TypeError(`route.remove(): expected a method or 'all', got ${inspect(method, { depth: 0 })}`);
  }
  const removed = name === 'all' ? undefined : name;
  const rest = this.stack.filter(layer => layer.method !== removed);
  const count = this.stack.length - rest.length;
  const { [removed ?? '_all']: _, ...others } = this.methods;
  // In Express 5 it has no prototype
  this.methods = Object.setPrototypeOf(
    others,
    Object.getPrototypeOf(this.methods) as object | null,
  ) as typeof others;
  this.stack = rest;
  return count;
}

/** Returns a function that finds the layers to remove. */
function matcherOf(what: unknown): (layer: StackLayer) => boolean {
  if (typeof what === 'function') {
    // Tools replace `handle` with functions of their own.
    return ({ route, handle, [ORIGINAL_HANDLER]: given }) =>
      route === undefined &&
      [handle, given].some(fn => fn !== undefined && (fn === what || applicationMountedBy(fn) === what));
  }
  if (typeof what === 'string' || isRegExp(what) || Array.isArray(what)) {
    const text = comparablePath(what);
    return layer =>
      comparablePath(writtenPath(layer)) === text && (text !== ROOT || layer.route !== undefined);
  }
  if (isRoute(what)) return layer => layer.route === what;
  throw new TypeError(`remove(): expected a function, a path or a route, got ${inspect(what, { depth: 0 })}`);
}

/** Whether it is a route, of this or another copy of the framework. */
function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'stack' in value && 'methods' in value;
}

/** Converts paths of any kind to text that can be compared. */
function comparablePath(path: unknown): string {
  return flatten([path])
    .map(one => `${typeof one} ${String(one)}`)
    .join('\n');
}
