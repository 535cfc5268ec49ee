/** Routes as data: those of a router, and those of everything that is mounted in it. */
import { inspect } from 'node:util';
import type { RouteInfo, RouterAdditions } from '../types/route-list';
import type Layer = require('./layer');
import { methods as knownMethods } from './methods';
import { layersOf, routerBehind } from './mounted';
import { parsePath } from './path-pattern';
import { registrationOf } from './registrations';
import { GIVEN, NAMES } from './symbols';
import { joinPaths, writtenPaths } from './written-path';

/** What is read of a route: tools, other copies of the framework and Express make them too. */
interface AnyRoute {
  methods: Record<string, unknown>;
  stack: readonly Layer[];
}

type ListedRoute = ReturnType<RouterAdditions<object>['listRoutes']>[number];
type Place = Pick<RouteInfo, 'path' | 'params'>;

/** Where in the tree a list goes on. */
interface Branch {
  /** The pattern of the mounts on the way. */
  path: string;
  params: readonly string[];
  /** The routers on the way: one may be mounted in itself. */
  routers: readonly object[];
}

/** For each path its routes and mounts, in the order of the stack. */
export function listRoutes(router: object): ListedRoute[] {
  const list: ListedRoute[] = [];
  for (const layer of layersOf(router)) {
    const route = layer.route as AnyRoute | undefined;
    const inner = route === undefined ? routerOf(layer) : undefined;
    if (route === undefined && inner === undefined) continue;
    for (const path of writtenPaths(layer)) {
      list.push({ path: path as string | RegExp, methods: route && methodsOf(route), router: inner });
    }
  }
  return list;
}

/**
 * All routes, mounts and middleware of a router or an application, nested to any depth, in the order in which they run.
 * @throws TypeError where it is neither
 */
export function routesOf(target: unknown): RouteInfo[] {
  const router = routerBehind(Object(target) as object);
  if (router === undefined) {
    throw new TypeError(
      `web.routesOf() takes an application or a router, got ${inspect(target, { depth: 0 })}`,
    );
  }
  const list: RouteInfo[] = [];
  collect(router, { path: '', params: [], routers: [router] }, list);
  return list;
}

function collect(router: object, { path, params, routers }: Branch, list: RouteInfo[]): void {
  for (const layer of layersOf(router)) {
    for (const written of writtenPaths(layer)) {
      const place = {
        path: joinPaths(path, String(written)),
        params: [...new Set([...params, ...namesIn(layer, written)])],
      };
      if (layer.route !== undefined) {
        collectRoute(layer.route as AnyRoute, place, list);
        continue;
      }
      const inner = routerOf(layer);
      list.push({ kind: kindOf(layer, inner), ...place, handlers: [layer.name], ...registrationOf(layer) });
      if (inner !== undefined && !routers.includes(inner)) {
        collect(inner, { ...place, routers: [...routers, inner] }, list);
      }
    }
  }
}

/** An entry for each method, with all handlers that its requests come to. */
function collectRoute({ stack }: AnyRoute, place: Place, list: RouteInfo[]): void {
  const found = [...new Set(stack.map(layer => layer.method))].map(method => ({
    name: method?.toUpperCase() ?? '*',
    layers: stack.filter(layer => layer.method === undefined || layer.method === method),
    first: stack.find(layer => layer.method === method)!,
  }));
  // `app.all` registers for each method on its own
  const [one] = found;
  const isForAll =
    found.length >= knownMethods.length && found.every(({ layers }) => haveSameHandlers(layers, one!.layers));
  for (const { name, layers, first } of isForAll ? [{ ...one!, name: '*' }] : found) {
    const handlers = layers.map(layer => layer.name);
    list.push({ kind: 'route', method: name, ...place, handlers, ...registrationOf(first) });
  }
  if (one === undefined) list.push({ kind: 'route', ...place, handlers: [] });
}

function haveSameHandlers(left: readonly Layer[], right: readonly Layer[]): boolean {
  return left.length === right.length && left.every(({ handle }, i) => handle === right[i]!.handle);
}

/** As the package `router` lists them: HEAD where GET answers it. */
function methodsOf({ methods }: AnyRoute): string[] {
  const names = Object.keys(methods);
  if (methods.get && !methods.head) names.push('head');
  return names.map(name => (name === '_all' ? '*' : name.toUpperCase()));
}

/** The functions of a layer: tools replace the one that it was made with. */
function functionsOf({ handle, [GIVEN]: given }: Partial<Layer>): object[] {
  return [handle, given].filter(fn => fn !== undefined);
}

/** The router that a layer leads to. */
function routerOf(layer: Layer): object | undefined {
  return functionsOf(layer).map(routerBehind).find(Boolean);
}

function kindOf(layer: Layer, router: object | undefined): RouteInfo['kind'] {
  if (router === undefined) return 'middleware';
  return functionsOf(layer).includes(router) ? 'router' : 'application';
}

/** The names of the parameters in a path of a layer; numbers where they have none. */
function namesIn(layer: object, path: unknown): string[] {
  const { [NAMES]: tellNames } = layer as { [NAMES]?: (path: unknown) => string[] };
  if (tellNames !== undefined) return tellNames(path);
  return parsePath(path as string, {}).keys.map(({ name }) => String(name));
}
