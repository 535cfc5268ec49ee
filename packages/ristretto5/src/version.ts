/** What is different in Express 5: its values for the record that the engine keeps for each version of the API. */
import type { Version } from '@ristretto/private-engine/lib/version';
import { setCharset } from './protocol/content-type';
import { debug } from './routing/debug';
import Layer = require('./routing/layer');
import { sendOptions } from './routing/options-response';
import {
  callInRoute,
  callWithError,
  callWithRequest,
  hasParamCallbacks,
  matchOf,
  processParams,
  withoutAddedSlash,
} from './routing/walk';

const SLASH = 0x2f;

/** A route, which imports this file. */
interface Handling {
  _handlesMethod(method: string): boolean;
  _methods(): string[];
}

export const version: Version = {
  router: {
    // The messages of the package `router`.
    print: debug.router,
    // Layers and routes have other members, and layers do not store their matches.
    layers: { prototype: Layer.prototype, match: Layer.prototype.match },
    matchOf,
    callWithRequest,
    callWithError,
    callInRoute,
    handlesMethod: (route: Handling, method) => route._handlesMethod(method),
    methodsOf: (route: Handling) => route._methods(),
    // Handlers for other methods do not count as calls of `next`, whose depth is limited.
    countsSkippedLayers: false,
    // Callbacks that return promises are awaited, and a parameter may be called like an inherited property.
    hasParamCallbacks,
    processParams,
    // `Allow` in alphabetical order; without the members of the response, because routers also work without them.
    sendOptions,
    mayFollowMount: code => code === SLASH,
    withoutAddedSlash,
  },
  responses: {
    // Malformed parameters are left out; only a malformed type is an error.
    setCharset,
    // Both headers would make the framing ambiguous.
    omitsLengthIfEncoded: true,
    setsNotModifiedByStatus: true,
    tagsText: false,
  },
};
