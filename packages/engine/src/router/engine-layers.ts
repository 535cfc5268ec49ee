/**
 * How the engine's own layers and routes are matched and called: the part of a version's record that the versions with
 * these layers share.
 */
import type { Match, Version } from '../version';
import type { CallingWalk } from './dispatch-types';
import Layer = require('./layer');
import type { CalledParams } from './params';
import { NO_PARAMS } from './params';
import { FAST, Fast, PATTERN } from './symbols';

const originalMatch = Layer.prototype.match;

interface OwnRoute {
  _handles_method(method: string): boolean;
  _options(): string[];
}

export const engineLayers = {
  layers: { prototype: Layer.prototype, match: originalMatch },
  matchesAll(layer: Layer): boolean {
    // A tool's copy of a layer has `FAST`, but not `PATTERN`: it matches by its `regexp`, which the tool may have set
    if (layer[FAST] !== Fast.slash || (layer[PATTERN] as unknown) === undefined) return false;
    if (layer.route !== undefined || layer.match !== originalMatch) return false;
    // The values that the layer's first match stores
    return layer.params === NO_PARAMS && layer.path === '';
  },
  // A layer stores its last match itself.
  matchOf: (layer: Layer, path: string): Match | undefined => (layer.match(path) ? layer : undefined),
  callWithRequest: ({ req, res, next }: CallingWalk, layer: Layer) => layer.handle_request(req, res, next),
  callWithError: ({ req, res, next }: CallingWalk, layer: Layer, error: unknown) =>
    layer.handle_error(error, req, res, next),
  callInRoute: ({ req, res, next }, layer: Layer, error) =>
    error ? layer.handle_error(error, req, res, next) : layer.handle_request(req, res, next),
  countsSkippedLayers: true,
  hasParamCallbacks({ params }: CallingWalk['router'], match: Match & { keys?: Layer['keys'] }) {
    const { keys } = match;
    if (keys === undefined) return false;
    for (let i = 0; i < keys.length; i++) if (params[keys[i]!.name] !== undefined) return true;
    return false;
  },
  processParams({ router, req, res }: CallingWalk, layer: Layer, _match, called: CalledParams, done) {
    router.process_params(layer, called, req, res, done);
  },
  handlesMethod: (route: OwnRoute, method: string) => route._handles_method(method),
  methodsOf: (route: OwnRoute) => route._options(),
} satisfies Partial<Version['router']>;
