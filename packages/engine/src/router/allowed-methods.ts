/** Finds the methods that a path has handlers for, if no layer has responded; only `strict http` uses it. */
import type Layer = require('./layer');
import { layersOf } from './mounted';
import type Route = require('./route');

/**
 * Returns the methods of all routes that match a path, in a router and everything mounted in it.
 *
 * Runs no handlers and no parameter callbacks, and ignores what middleware would have changed in the URL.
 * @param router the router
 * @param path the path of the request, without its query
 * @param method the method of the request
 * @returns the names in upper case; undefined if a route handles the method, and has passed the request on
 * @example allowedMethods(app._router, '/books', 'DELETE'); // ['GET', 'HEAD', 'POST']
 */
export function allowedMethods(router: object, path: string, method: string): string[] | undefined {
  const allowed: string[] = [];
  for (const layer of layersOf(router) as readonly Layer[]) {
    if (!matches(layer, path)) continue;
    const route = layer.route as Route | undefined;
    if (route?._handles_method(method)) return undefined;
    const rest = route ? undefined : restOf(path, layer.path!);
    const found = rest === undefined ? (route?._options() ?? []) : allowedMethods(layer.handle, rest, method);
    if (found === undefined) return undefined;
    for (const name of found) if (!allowed.includes(name)) allowed.push(name);
  }
  return allowed;
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // The walk has already reported a malformed parameter; a foreign layer may throw anything
    return false;
  }
}

/**
 * Strips the mount path from a path in the same way as the walk; returns undefined if the walk would not enter the
 * layer.
 */
export function restOf(path: string, mount: string): string | undefined {
  if (mount === '') return path;
  if (!path.startsWith(mount)) return undefined;
  const rest = path.slice(mount.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('.') ? `/${rest}` : undefined;
}
