/** The walk through a router's stack as in Express 5: that of the shared engine, over layers without state. */
import type { ServerResponse } from 'node:http';
import { debug5 } from '@ristretto/private-engine/lib/report';
import { NO_PARAMS, dispatch as enter, processParams } from '@ristretto/private-engine/lib/router';
import type {
  DispatchedRequest,
  DispatchingRouter,
  Layer as EngineLayerConstructor,
  Next,
  Route as EngineRouteConstructor,
  WalkManner,
} from '@ristretto/private-engine/lib/router';
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

const matchAsMade = Layer.prototype.match;

/** What its walks do differently from those of Express 4. */
const manner: WalkManner = {
  print: debug5.router,

  matchOf(layer, path) {
    const own = asLayer(layer);
    if (own.slash && own.match === matchAsMade) return AT_ROOT;
    return own.match(path) || undefined;
  },

  callWithRequest({ req, res, next }, layer) {
    asLayer(layer).handleRequest(req, res, next);
  },

  callWithError(walk, layer, error) {
    noteRun(walk);
    asLayer(layer).handleError(error, walk.req, walk.res, walk.next);
  },

  hasParamCallbacks({ params }, match) {
    for (const name of (match as LayerMatch).keys) if (Object.hasOwn(params, name)) return true;
    return false;
  },

  processParams({ router, req, res }, layer, match, called, done) {
    const keys = (match as LayerMatch).keys.map(name => ({ name }));
    processParams(router, layer, called, req as never, res, done, watchParam, keys);
  },

  handlesMethod: (route, method) => asRoute(route)._handlesMethod(method),
  methodsOf: route => asRoute(route)._methods(),

  sendOptions(res, allowed, out) {
    sendOptions(res as unknown as ServerResponse, allowed, out);
  },

  mayFollowMount: code => code === SLASH,

  /** Removes the slash only if the walk has added it: in a URL that a handler has written, it belongs to the URL. */
  withoutAddedSlash(url, removed) {
    if (url.charCodeAt(0) !== SLASH) return url;
    const isAdded = url.length === 1 || url.charCodeAt(1) === QUESTION_MARK || removed.endsWith('/');
    return isAdded ? url.slice(1) : url;
  },
};

/** Walks the router's stack for a request; `out` is called if no layer sends a response. */
export function dispatch(
  router: DispatchingRouter,
  req: DispatchedRequest,
  res: ServerResponse,
  out: Next,
): void {
  enter(router, undefined, req, res as never, out, manner);
}
