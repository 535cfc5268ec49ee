/** The handlers of a route as an array that can be changed, as `callbacks` of the routes of Express 3. */
import type { StackLayer } from './stack-layer';

type Handler = StackLayer['handle'];

/** A route, and the methods of one of its entries; undefined for the handlers of `route.all`. */
export interface ChangedRoute {
  route: { stack: StackLayer[] } & Record<string, (handler: Handler) => unknown>;
  methods: readonly (string | undefined)[];
}

/**
 * Returns the handlers that a request reaches. Changes to the array apply to the route. A handler that all methods of the
 * route share can't be removed for one of them.
 */
export function liveCallbacks({ route, methods }: ChangedRoute): Handler[] {
  const sets = methods.map(method => ({ method, layers: layersFor(route.stack, method) }));
  const callbacks = sets[0]?.layers.map(({ handle }) => handle) ?? [];
  const apply = (isDone: boolean): boolean => {
    for (const set of sets) {
      // Has holes while an element is being moved
      const wanted = callbacks.filter(handle => handle !== undefined);
      set.layers = replaceLayers(route, set, wanted);
    }
    return isDone;
  };
  return new Proxy(callbacks, {
    defineProperty: (target, key, descriptor) => apply(Reflect.defineProperty(target, key, descriptor)),
    deleteProperty: (target, key) => apply(Reflect.deleteProperty(target, key)),
  });
}

/** The layers that a request with the method reaches. */
export function layersFor(stack: readonly StackLayer[], method: string | undefined): StackLayer[] {
  return stack.filter(layer => layer.method === undefined || layer.method === method);
}

/** Replaces the stack by one in which these layers have these handlers, and returns them. The other layers stay. */
function replaceLayers(
  route: ChangedRoute['route'],
  { method, layers }: { method: string | undefined; layers: readonly StackLayer[] },
  handlers: readonly Handler[],
): StackLayer[] {
  const old = new Set(layers);
  const next = handlers.map(handle => {
    const kept = [...old].find(layer => layer.handle === handle);
    if (kept !== undefined) old.delete(kept);
    return kept ?? newLayer(route, method, handle);
  });
  const isRemoved = (layer: StackLayer) => old.has(layer) && layer.method === method;
  // New layers stand beside those that stay, or in place of the removed ones
  const places = layers.filter(layer => next.includes(layer));
  const last = (places.length > 0 ? places : layers).at(-1);
  const stack: StackLayer[] = [];
  let position = 0;
  const addUntil = (end: number): void => {
    while (position < end) stack.push(next[position++]!);
  };
  for (const layer of route.stack) {
    if (next.includes(layer)) addUntil(next.indexOf(layer) + 1);
    else if (!isRemoved(layer)) stack.push(layer);
    if (layer === last) addUntil(next.length);
  }
  addUntil(next.length);
  route.stack = stack;
  return next;
}

/** Creates a layer of the route's own class. */
function newLayer(route: ChangedRoute['route'], method: string | undefined, handle: Handler): StackLayer {
  route[method ?? 'all']!(handle);
  return route.stack.pop()!;
}
