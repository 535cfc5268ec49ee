/**
 * Reads the current tree of routers: each route, mount and middleware with its full path, in the order in which they
 * run.
 */
import type { RouteInfo } from '../types/route-list';
import type { StackLayer } from './stack-layer';
import { methods as knownMethods } from './methods';
import { layersOf, routerBehind } from './mounted';
import { registrationOf } from './registrations';
import { layersFor } from './route-callbacks';
import type { ChangedRoute } from './route-callbacks';
import { ORIGINAL_HANDLER } from './symbols';
import { isForSockets } from './upgrade';
import { joinPaths, namesIn, variantsReaderOf, writtenPaths } from './written-path';
import type { ReadVariants } from './written-path';

/** The members read from a route, which may also come from a tool, another copy of the framework, or Express. */
export interface AnyRoute {
  methods: Record<string, unknown>;
  stack: readonly StackLayer[];
}

/** The form of an entry's path. */
interface Form {
  /** Whether it and the paths of its mounts are all strings. */
  isText: boolean;
  /** Reads it path, if that does not have the engine's own grammar. */
  readVariants: ReadVariants | undefined;
}

/** An entry of `app.routes()`, with the layers of its handlers. */
export interface Entry extends Form {
  info: RouteInfo;
  layers: readonly StackLayer[];
  /** Of routes: what changes when these handlers are changed. */
  changed?: ChangedRoute;
}

type Place = Pick<RouteInfo, 'path' | 'params'>;

/** The position in the tree from which a walk continues. */
interface Branch {
  /** The joined patterns of the mounts so far. */
  path: string;
  isText: boolean;
  params: readonly string[];
  /** The routers entered so far: a router may be mounted in itself. */
  routers: readonly object[];
}

/** Returns everything below a router, an application or a function that wraps one; undefined for anything else. */
export function entriesOf(target: unknown): Entry[] | undefined {
  const router = routerBehind(Object(target) as object);
  if (router === undefined) return undefined;
  const list: Entry[] = [];
  collect(router, { path: '', isText: true, params: [], routers: [router] }, list);
  return list;
}

/**
 * Returns the parts the tree consists of. As long as each element is the same, nothing was registered, removed or
 * replaced.
 * @param target an application or a router
 */
export function fingerprintOf(target: object): unknown[] {
  const parts: unknown[] = [];
  const seen = new Set<object>();
  const add = (router: object): void => {
    if (seen.has(router)) return;
    seen.add(router);
    for (const layer of layersOf(router)) {
      parts.push(layer, layer.handle);
      const route = layer.route as AnyRoute | undefined;
      const inner = route === undefined ? routerOf(layer) : undefined;
      for (const { handle } of route?.stack ?? []) parts.push(handle);
      if (inner !== undefined) add(inner);
    }
  };
  add(target);
  return parts;
}

/** Returns the functions of a layer: its current handler, and the original one, which tools may have replaced. */
export function functionsOf({ handle, [ORIGINAL_HANDLER]: given }: Partial<StackLayer>): object[] {
  return [handle, given].filter(fn => fn !== undefined);
}

/** Returns the router that a layer leads to. */
export function routerOf(layer: StackLayer): object | undefined {
  return functionsOf(layer).map(routerBehind).find(Boolean);
}

function collect(router: object, { path, params, routers, ...branch }: Branch, list: Entry[]): void {
  for (const layer of layersOf(router)) {
    for (const written of writtenPaths(layer)) {
      const form = {
        isText: branch.isText && typeof written === 'string',
        readVariants: variantsReaderOf(layer),
      };
      const place = {
        path: joinPaths(path, String(written)),
        params: [...new Set([...params, ...namesIn(layer, written)])],
      };
      if (layer.route !== undefined && isForSockets(layer.route as AnyRoute)) {
        const { stack } = layer.route as AnyRoute;
        list.push({ ...entry('websocket', undefined, place, stack, stack[0]!), ...form });
        continue;
      }
      if (layer.route !== undefined) {
        for (const found of routeEntries(layer.route as AnyRoute, place)) list.push({ ...found, ...form });
        continue;
      }
      const inner = routerOf(layer);
      const kind = kindOf(layer, inner);
      list.push({ ...entry(kind, undefined, place, [layer], layer), ...form });
      if (inner !== undefined && !routers.includes(inner)) {
        collect(inner, { ...place, isText: form.isText, routers: [...routers, inner] }, list);
      }
    }
  }
}

/** Returns an entry for each method, with all handlers that run for it. */
function routeEntries(route: AnyRoute, place: Place): Omit<Entry, keyof Form>[] {
  const { stack } = route;
  const found = [...new Set(stack.map(layer => layer.method))].map(method => ({
    method,
    name: method?.toUpperCase() ?? '*',
    layers: layersFor(stack, method),
    first: stack.find(layer => layer.method === method)!,
  }));
  // `app.all` registers each method separately
  const [one] = found;
  const isForAll =
    found.length >= knownMethods.length && found.every(({ layers }) => haveSameHandlers(layers, one!.layers));
  if (one === undefined) return [{ info: { kind: 'route', ...place, handlers: [] }, layers: [] }];
  return (isForAll ? [{ ...one, name: '*' }] : found).map(({ method, name, layers, first }) => ({
    ...entry('route', name, place, layers, first),
    changed: {
      route: route as unknown as ChangedRoute['route'],
      methods: isForAll ? found.map(({ method }) => method) : [method],
    },
  }));
}

function entry(
  kind: RouteInfo['kind'],
  method: string | undefined,
  place: Place,
  layers: readonly StackLayer[],
  registered: StackLayer,
): Omit<Entry, keyof Form> {
  const handlers = layers.map(layer => layer.name);
  const named = method === undefined ? { kind } : { kind, method };
  return { info: { ...named, ...place, handlers, ...registrationOf(registered) }, layers };
}

function haveSameHandlers(left: readonly StackLayer[], right: readonly StackLayer[]): boolean {
  return left.length === right.length && left.every(({ handle }, i) => handle === right[i]!.handle);
}

function kindOf(layer: StackLayer, router: object | undefined): RouteInfo['kind'] {
  if (router === undefined) return 'middleware';
  return functionsOf(layer).includes(router) ? 'router' : 'application';
}
