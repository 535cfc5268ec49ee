/** The methods that a path has handlers for, needed when no layer has responded: only `strict http` uses it. */
import type Layer = require('./layer');
import { layersOf } from './mounted';
import type Route = require('./route');

/**
 * The methods of all routes that match a path, in a router and all that is mounted in it.
 *
 * No handler and no parameter callback runs. Of what middleware would have done to the URL nothing is known.
 * @param router the router
 * @param path the path of the request, without its query
 * @param method the method of the request
 * @returns the names in upper case; undefined where a route handles the method, and has passed the request on
 * @example allowedMethods(app._router, '/books', 'DELETE'); // ['GET', 'HEAD', 'POST']
 */
export function allowedMethods(router: object, path: string, method: string): string[] | undefined {
  const allowed: string[] = [];
  for (const layer of layersOf(router)) {
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
    // a malformed parameter, which the walk has told of, or a layer of something else
    return false;
  }
}

/** The path without what mounting takes off its front, as the walk does it; undefined where it would not go on. */
function restOf(path: string, mount: string): string | undefined {
  if (mount === '') return path;
  if (!path.startsWith(mount)) return undefined;
  const rest = path.slice(mount.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('.') ? `/${rest}` : undefined;
}
