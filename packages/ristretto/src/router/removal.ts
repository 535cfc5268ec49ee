/**
 * Removing what was registered, while requests run: a stack is replaced by another array, never changed. A request that
 * is in a router or a route goes on through the array in which it began.
 */
import { inspect } from 'node:util';
import { isRegExp } from '../protocol/realms';
import { flatten } from './flatten';
import type Layer = require('./layer');
import { methods } from './methods';
import { applicationMountedBy } from './mounted';
import type { RouterState } from './router-state';
import { GIVEN, STATE } from './symbols';
import { writtenPath } from './written-path';

/** A route, as far as it matters here. */
interface Removable {
  stack: Layer[];
  methods: Record<string, boolean | undefined>;
}

/** What is mounted without a path runs for every path: only its function tells it from the rest. */
const ROOT = textOf('/');

/**
 * Removes middleware, mounts or routes from a router.
 * @param what a function that `use` was given, a path, or a route
 * @returns how many layers are gone
 * @throws TypeError where it is none of these
 */
export function remove(this: { [STATE]: RouterState }, what: unknown): number {
  const isMeant = meaning(what);
  const state = this[STATE];
  const rest = state.stack.filter(layer => !isMeant(layer));
  const count = state.stack.length - rest.length;
  if (count > 0) state.replace(rest);
  return count;
}

/**
 * Removes the handlers of a method from a route.
 * @param method in upper or lower case; `all` for the handlers that `route.all` was given
 * @returns how many handlers are gone
 * @throws TypeError where it is no method
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
  // in Express 5 it has none
  this.methods = Object.setPrototypeOf(
    others,
    Object.getPrototypeOf(this.methods) as object | null,
  ) as typeof others;
  this.stack = rest;
  return count;
}

/** Tells the layers that are meant. */
function meaning(what: unknown): (layer: Layer) => boolean {
  if (typeof what === 'function') {
    // Tools replace `handle` by functions of their own.
    return ({ route, handle, [GIVEN]: given }) =>
      route === undefined && [handle, given].some(fn => fn === what || applicationMountedBy(fn) === what);
  }
  if (typeof what === 'string' || isRegExp(what) || Array.isArray(what)) {
    const text = textOf(what);
    return layer => textOf(writtenPath(layer)) === text && (text !== ROOT || layer.route !== undefined);
  }
  if (isRoute(what)) return layer => layer.route === what;
  throw new TypeError(
    `router.remove(): expected a function, a path or a route, got ${inspect(what, { depth: 0 })}`,
  );
}

/** Whether it is a route, of whatever copy of the framework. */
function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'stack' in value && 'methods' in value;
}

/** Paths of any kind, to be compared. */
function textOf(path: unknown): string {
  return flatten([path])
    .map(one => `${typeof one} ${String(one)}`)
    .join('\n');
}
