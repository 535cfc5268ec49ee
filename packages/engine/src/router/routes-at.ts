/**
 * Finds the routes that match a path in an application or router of any version and in everything mounted in it, without
 * running any handler: for the methods in a 405, and for WebSockets. What middleware would have changed in the URL is
 * ignored.
 */
import { methodName } from './methods';
import { applicationMountedBy, layersOf } from './mounted';
import type { AnyRoute } from './route-tree';
import type { StackLayer } from './stack-layer';
import { isForSockets } from './upgrade';

/** The methods that a route has handlers for, in lower case, or `_all`. */
interface Found {
  methods: readonly string[];
  isForSockets: boolean;
  /** Its handlers; none for an application of 3.x, whose routes have no schemas. */
  stack: AnyRoute['stack'];
}

/** An application whose routes are lists by method, as in 3.x. */
interface ListingApplication {
  stack?: { route: string; handle: object }[];
  _router?: { map?: Record<string, { match(path: string): boolean }[]> };
}

/**
 * Returns the methods of all routes that match a path, for `Allow`.
 * @param path the path of the request, without its query
 * @param method the method of the request
 * @returns the names in upper case; undefined if a route handles the method, and has passed the request on
 * @example allowedMethods(app, '/books', 'DELETE'); // ['GET', 'HEAD', 'POST']
 */
export function allowedMethods(target: object, path: string, method: string): string[] | undefined {
  const allowed = new Set<string>();
  const name = methodName(method);
  for (const route of routesAt(target, path)) {
    if (route.isForSockets) continue;
    const names = namesOf(route);
    // In `route('/x').all(middleware).get(handler)`, the middleware called `next()`, and no other handler has this
    // method.
    const isHandled = names.includes(name) || (names.includes('_all') && names.length === 1);
    if (isHandled) return undefined;
    for (const each of names) if (each !== '_all') allowed.add(each.toUpperCase());
  }
  return [...allowed];
}

function namesOf({ methods }: Found): readonly string[] {
  return methods.includes('get') && !methods.includes('head') ? [...methods, 'head'] : methods;
}

/** Whether a route that handles a method of a path validates its requests. */
export function isValidated(target: object, path: string, method: string): boolean {
  const name = methodName(method);
  for (const route of routesAt(target, path)) {
    const names = namesOf(route);
    if (!names.includes('_all') && !names.includes(name)) continue;
    if (route.stack.some(({ handle }) => '~schemas' in handle)) return true;
  }
  return false;
}

/** Returns the layer of the first handler that a request would reach in a route; undefined if none handles it. */
export function handlerAt(target: object, path: string, method?: string): StackLayer | undefined {
  const name = method === undefined ? undefined : methodName(method);
  for (const route of routesAt(target, path)) {
    const names = namesOf(route);
    if (route.isForSockets || !(name === undefined || names.includes('_all') || names.includes(name)))
      continue;
    if (route.stack.length > 0) return route.stack[0];
  }
  return undefined;
}

/** Whether a route for WebSockets matches a path. */
export function leadsToSocket(target: object, path: string): boolean {
  for (const route of routesAt(target, path)) if (route.isForSockets) return true;
  return false;
}

function* routesAt(target: object, path: string): Generator<Found> {
  const { stack = [], _router } = target as ListingApplication;
  if (_router?.map !== undefined) {
    for (const [method, routes] of Object.entries(_router.map)) {
      const isWs = method === 'ws';
      if (routes.some(route => hasMatch(route, path)))
        yield { methods: [method], isForSockets: isWs, stack: [] };
    }
    for (const { route, handle } of stack) {
      const app = applicationMountedBy(handle);
      const rest = app && restOf(path, route);
      if (rest !== undefined) yield* routesAt(app!, rest);
    }
    return;
  }
  for (const layer of layersOf(target)) {
    const mount = matchedPath(layer, path);
    if (mount === undefined) continue;
    if (layer.route !== undefined) {
      const route = layer.route as AnyRoute;
      yield { methods: Object.keys(route.methods), isForSockets: isForSockets(route), stack: route.stack };
    } else {
      const rest = restOf(path, mount);
      if (rest !== undefined) yield* routesAt(applicationMountedBy(layer.handle) ?? layer.handle, rest);
    }
  }
}

/** Whether a route of 3.x or a layer matches a path. */
function hasMatch(one: { match(path: string): unknown }, path: string): unknown {
  try {
    return one.match(path);
  } catch {
    // A malformed parameter, or a layer of a tool. Nothing would catch this error, and it would end the process.
    return false;
  }
}

/** Returns the part of the path that a layer matches: layers of 4.x store it, layers of 5.x return it. */
function matchedPath(layer: StackLayer & { path?: string }, path: string): string | undefined {
  const match = hasMatch(layer, path) as boolean | { path: string };
  return typeof match === 'object' ? match.path : match ? layer.path : undefined;
}

/**
 * Strips the mount path from a path in the same way as the walk; returns undefined if the walk would not enter the
 * layer.
 */
function restOf(path: string, mount: string): string | undefined {
  if (mount === '') return path;
  if (!path.startsWith(mount)) return undefined;
  const rest = path.slice(mount.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('.') ? `/${rest}` : undefined;
}
