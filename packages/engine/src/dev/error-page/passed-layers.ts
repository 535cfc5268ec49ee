/** Lists the layers that have handled a request so far, to help find an error. Reads the stacks on demand. */
import type { Place } from '../place';
import type { StackLayer } from '../../router/stack-layer';
import { patternAt, walksOf } from '../../router/matched-path';
import type { MatchedRequest, WalkPosition } from '../../router/matched-path';
import { layersOf } from '../../router/mounted';
import type { PathPattern } from '../../router/path-pattern';
import { registrationOf } from '../../router/registrations';
import { PATTERN } from '../../router/symbols';

/** A handler that a request has reached. */
export interface PassedLayer {
  /** The name of the function, or the names of several in order. */
  name: string;
  /** The path as it was registered, without mount paths. */
  path: string;
  isRoute: boolean;
  /** The place of the registration, if it was recorded. */
  place: Place | undefined;
}

interface AnyRoute {
  stack: readonly StackLayer[];
}

/** The layers at the beginning of each application. */
const OWN = new Set(['query', 'expressInit']);

/** Returns the middleware and routes that a request has reached, in order; the last one is the current one. */
export function passedLayers(req: MatchedRequest, method: string): PassedLayer[] {
  return walksTo(req).flatMap(walk => passedIn(walk, method));
}

/** Returns the parameters of the layers that have led a request to its current place, not decoded. */
export function passedParams(req: MatchedRequest): Record<string, string | undefined> {
  const params: Record<string, string | undefined> = Object.create(null) as typeof params;
  for (const { current, path } of walksTo(req)) {
    const pattern = ownPattern(current!);
    if (pattern === undefined) continue;
    const captures: (string | undefined)[] = [];
    pattern.match(path!, captures);
    for (const [i, { name }] of pattern.keys.entries()) params[name] = captures[i];
  }
  return params;
}

/**
 * Returns the walks that have led a request to its current place, or to its failure, outermost first; each is at a
 * layer.
 */
function walksTo(req: MatchedRequest): WalkPosition[] {
  return [...walksOf(req)].reverse().filter(({ current }) => current !== undefined);
}

function passedIn(walk: WalkPosition, method: string): PassedLayer[] {
  const { router, current, path } = walk;
  const layers = layersOf(router);
  return layers
    .slice(0, layers.findIndex(layer => layer === current) + 1)
    .filter(layer => layer === current || (!OWN.has(layer.name) && hasHandled(layer, path!, method)))
    .map(layer => describe(layer, walk, method));
}

/** Whether a layer before the current one was called; an error handler was not, because there was no error yet. */
function hasHandled(layer: StackLayer, path: string, method: string): boolean {
  const isCalled =
    layer.route === undefined ? layer.handle.length <= 3 : handlersOf(layer, method).length > 0;
  const pattern = ownPattern(layer);
  return isCalled && pattern !== undefined && pattern.match(path, []) >= 0;
}

/** Returns undefined for a layer of another grammar, of Express, or of another copy of the framework. */
function ownPattern({ [PATTERN]: pattern }: StackLayer): PathPattern | undefined {
  return pattern !== undefined && 'match' in pattern ? (pattern as PathPattern) : undefined;
}

/** Returns the layers of a route that handle this method. */
function handlersOf(layer: StackLayer, method: string): readonly StackLayer[] {
  const { stack } = layer.route as AnyRoute;
  const wanted = method.toLowerCase();
  const found = stack.filter(({ method: own }) => own === undefined || own === wanted);
  return found.length === 0 && wanted === 'head' ? handlersOf(layer, 'GET') : found;
}

function describe(layer: StackLayer, walk: WalkPosition, method: string): PassedLayer {
  const isRoute = layer.route !== undefined;
  const handlers = isRoute ? handlersOf(layer, method) : [layer];
  return {
    name: handlers.map(({ name }) => name).join(', '),
    path: String(patternAt(walk, layer)),
    isRoute,
    place: registrationOf(handlers[0]!),
  };
}
