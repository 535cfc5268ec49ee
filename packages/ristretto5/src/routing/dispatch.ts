/** The walk through a router's stack as in Express 5: that of the shared engine, over layers without state. */
import type { ServerResponse } from 'node:http';
import { debug5 } from 'ristretto/lib/report/debug';
import { dispatch as enter } from 'ristretto/lib/router/dispatch';
import { Walk } from 'ristretto/lib/router/walk';
import type EngineLayerConstructor = require('ristretto/lib/router/layer');
import type EngineRouteConstructor = require('ristretto/lib/router/route');
import { NO_PARAMS } from 'ristretto/lib/router/no-params';
import { processParams } from 'ristretto/lib/router/params';
import type { CalledParams } from 'ristretto/lib/router/params';
import type { DispatchedRequest, DispatchingRouter, Match, Next } from 'ristretto/lib/router/walked';
import Layer = require('./layer');
import type { LayerMatch } from './layer-match';
import { sendOptions } from './options-response';
import { noteRun, watchParam } from './promises';
import type Route = require('./route');

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;

// The types of the engine's own layers and routes, which its walk expects. Those of this package are unrelated.
type EngineLayer = InstanceType<typeof EngineLayerConstructor>;
type EngineRoute = InstanceType<typeof EngineRouteConstructor>;

function asLayer(layer: EngineLayer): Layer {
  return layer as unknown as Layer;
}

function asRoute(route: EngineRoute): Route {
  return route as unknown as Route;
}

/** The match of every layer at the root: one shared object, because the walk replaces its parameters. */
const AT_ROOT: LayerMatch = { params: NO_PARAMS, path: '', keys: [], pattern: '/' };

// in a variable, because each router reads it
const print = debug5.router;

const matchAsMade = Layer.prototype.match;

/** Walks the router's stack for a request; `out` is called if no layer sends a response. */
export function dispatch(
  router: DispatchingRouter,
  req: DispatchedRequest,
  res: ServerResponse,
  out: Next,
): void {
  enter(router, undefined, req, res as never, out, LayerWalk, print);
}

class LayerWalk extends Walk {
  /** The outcomes of parameter callbacks. */
  private seen: CalledParams | undefined = undefined;

  protected override matchOf(layer: EngineLayer, path: string): Match | undefined {
    const own = asLayer(layer);
    if (own.slash && own.match === matchAsMade) return AT_ROOT;
    return own.match(path) || undefined;
  }

  protected override callWithRequest(layer: EngineLayer): void {
    noteRun(this);
    asLayer(layer).handleRequest(this.req, this.res, this.next);
  }

  protected override callWithError(layer: EngineLayer, error: unknown): void {
    noteRun(this);
    asLayer(layer).handleError(error, this.req, this.res, this.next);
  }

  protected override hasParamCallbacks(match: Match): boolean {
    const { params } = this.router;
    for (const name of (match as LayerMatch).keys) if (Object.hasOwn(params, name)) return true;
    return false;
  }

  protected override processParams(
    layer: EngineLayer,
    match: Match,
    _called: CalledParams,
    done: Next,
  ): void {
    // a parameter may be called `__proto__`
    this.seen ??= Object.create(null) as CalledParams;
    const keys = (match as LayerMatch).keys.map(name => ({ name }));
    processParams(this.router, layer, this.seen, this.req as never, this.res, done, watchParam, keys);
  }

  protected override handlesMethod(route: EngineRoute, method: string): boolean {
    return asRoute(route)._handlesMethod(method);
  }

  protected override methodsOf(route: EngineRoute): string[] {
    return asRoute(route)._methods();
  }

  protected override sendOptions(allowed: string[]): void {
    sendOptions(this.res as unknown as ServerResponse, allowed, this.out);
  }

  protected override print(format: string, ...values: unknown[]): void {
    print?.(format, ...values);
  }

  protected override mayFollowMount(code: number): boolean {
    return code === SLASH;
  }

  /** Removes the slash only if the walk has added it: in a URL that a handler has written, it belongs to the URL. */
  protected override withoutAddedSlash(url: string): string {
    if (url.charCodeAt(0) !== SLASH) return url;
    const isAdded = url.length === 1 || url.charCodeAt(1) === QUESTION_MARK || this.removed.endsWith('/');
    return isAdded ? url.slice(1) : url;
  }
}
