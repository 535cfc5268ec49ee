/** Lists the routes of a router, and of everything mounted in it, as data. */
import { inspect } from 'node:util';
import type { ListedRoute, RouteInfo } from '../types/route-list';
import { layersOf } from './mounted';
import { liveCallbacks } from './route-callbacks';
import { entriesOf } from './route-tree';
import type { AnyRoute, Entry } from './route-tree';
import { isForSockets } from './upgrade';
import { writtenPaths } from './written-path';

/** Returns the routes and mounted routers of each path, in the order of the stack. As in router 2.3, no applications. */
export function listRoutes(router: object): ListedRoute[] {
  const list: ListedRoute[] = [];
  for (const layer of layersOf(router)) {
    const route = layer.route as AnyRoute | undefined;
    const { handle } = layer as { handle: object & { stack?: unknown } };
    const inner = route === undefined && Array.isArray(handle.stack) ? handle : undefined;
    if (route === undefined && inner === undefined) continue;
    for (const path of writtenPaths(layer)) {
      list.push({ path: path as string | RegExp, methods: route && methodsOf(route), router: inner });
    }
  }
  return list;
}

/**
 * Lists all routes, mounts and middleware of a router or an application, nested to any depth, in the order in which
 * they run.
 * @throws TypeError if it is neither
 */
export function routesOf(target: unknown): RouteInfo[] {
  const entries = entriesOf(target);
  if (entries === undefined) {
    throw new TypeError(`Expected an application or a router, got ${inspect(target, { depth: 0 })}`);
  }
  return entries.map(({ info }) => info);
}

/**
 * The member `routes` of applications and routers: a function, which also has the members of Express 3's `app.routes`.
 * Packages that list routes take any `app.routes` for that object, and read the routes of each method from it.
 */
export const routesProperty: PropertyDescriptor & ThisType<object> = {
  configurable: true,
  get() {
    const list = function routes(this: object): RouteInfo[] {
      return routesOf(this);
    };
    for (const method of new Set(routeEntriesOf(this).map(methodOf))) {
      Object.defineProperty(list, method, {
        configurable: true,
        enumerable: true,
        get: () =>
          routeEntriesOf(this)
            .filter(entry => methodOf(entry) === method)
            .map(asRouteObject),
      });
    }
    return list;
  },
  set(value: unknown) {
    Object.defineProperty(this, 'routes', {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  },
};

function routeEntriesOf(target: object): Entry[] {
  return entriesOf(target)?.filter(({ info }) => info.kind === 'route' && info.method !== undefined) ?? [];
}

function methodOf({ info: { method } }: Entry): string {
  return method === '*' ? 'all' : method!.toLowerCase();
}

/** Returns a route with the members that it had in Express 3, except for its regular expression. */
function asRouteObject(entry: Entry): object {
  const { path, params } = entry.info;
  const callbacks = entry.changed === undefined ? [] : liveCallbacks(entry.changed);
  return { path, method: methodOf(entry), callbacks, keys: params.map(name => ({ name })), params: [] };
}

/** Lists the methods as the `router` package does: includes HEAD if there is a GET handler. */
function methodsOf(route: AnyRoute): string[] {
  if (isForSockets(route)) return ['WS'];
  const { methods } = route;
  const names = Object.keys(methods);
  if (methods.get && !methods.head) names.push('head');
  return names.map(name => (name === '_all' ? '*' : name.toUpperCase()));
}
