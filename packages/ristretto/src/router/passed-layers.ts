/** What has handled a request so far, for those who look for an error: read from the stacks when somebody asks. */
import type { Place } from '../diagnose/place';
import type Layer = require('./layer');
import { walksOf } from './matched-path';
import type { MatchedRequest, Walked } from './matched-path';
import { layersOf } from './mounted';
import { registrationOf } from './registrations';
import { PATTERN, PREFIX } from './symbols';
import { matchingPath } from './written-path';

/** A handler that a request has come to. */
export interface PassedLayer {
  /** The name of the function, or of several, one behind the other. */
  name: string;
  /** The path as it was registered, without those of the mounts. */
  path: string;
  isRoute: boolean;
  /** Where it was registered, where that was noted. */
  place: Place | undefined;
}

interface AnyRoute {
  stack: readonly Layer[];
}

/** What each application begins with. */
const OWN = new Set(['query', 'expressInit']);

/** The middleware and routes that a request has come to, in order; the last is the one that it is in. */
export function passedLayers(req: MatchedRequest, method: string): PassedLayer[] {
  return walksOf(req).flatMap(walk => passedIn(walk, method));
}

/** The parameters of the layers that have led a request to where it is, as its URL has them. */
export function passedParams(req: MatchedRequest): Record<string, string | undefined> {
  const params: Record<string, string | undefined> = Object.create(null) as Record<
    string,
    string | undefined
  >;
  for (const { current, path = '/' } of walksOf(req) as (Walked & { current?: Layer })[]) {
    const captures: (string | undefined)[] = [];
    current?.[PATTERN].match(path, captures);
    current?.keys.forEach(({ name }, i) => {
      params[name] = captures[i];
    });
  }
  return params;
}

function passedIn(walk: Walked, method: string): PassedLayer[] {
  const { router, current, path = '/' } = walk;
  const layers = layersOf(router);
  const last = layers.findIndex(layer => layer === current);
  return layers
    .slice(0, last + 1)
    .filter(layer => layer === current || (!OWN.has(layer.name) && hasHandled(layer, path, method)))
    .map(layer => describe(layer, walk, method));
}

/** Whether a layer before the current one was called: not where it was an error handler, and there was no error. */
function hasHandled(layer: Layer, path: string, method: string): boolean {
  if (layer.route !== undefined ? handlersOf(layer, method).length === 0 : layer.handle.length > 3)
    return false;
  const pattern = layer[PATTERN] as Layer[typeof PATTERN] | undefined;
  return pattern !== undefined && pattern.match(path, []) >= 0;
}

/** The layers of a route that are for this method. */
function handlersOf(layer: Layer, method: string): readonly Layer[] {
  const { stack } = layer.route as AnyRoute;
  const wanted = method.toLowerCase();
  const found = stack.filter(({ method: own }) => own === undefined || own === wanted);
  return found.length === 0 && wanted === 'head' ? handlersOf(layer, 'GET') : found;
}

function describe(layer: Layer, { router, path = '/' }: Walked, method: string): PassedLayer {
  const isRoute = layer.route !== undefined;
  const end = isRoute || !layer[PREFIX];
  const handlers = isRoute ? handlersOf(layer, method) : [layer];
  const options = { sensitive: router.caseSensitive, strict: end && router.strict, end };
  return {
    name: handlers.map(({ name }) => name).join(', '),
    path: String(matchingPath(layer, path, options)),
    isRoute,
    place: registrationOf(handlers[0] ?? layer),
  };
}
