/** What a walk through a router's stack does differently in the versions of Express. */
import { debug } from '../report/debug';
import type Layer = require('./layer');
import type Route = require('./route');
import { sendOptions } from './options-response';
import type { OptionsResponse } from './options-response';
import type { CalledParams } from './params';
import type { Run } from './rejection';
import type { DispatchedRequest, DispatchingRouter, Match, Next } from './dispatch-types';

const DOT = 0x2e;
const SLASH = 0x2f;

/** The members of a walk that calls a layer. */
export interface CallingWalk extends Run {
  readonly req: DispatchedRequest;
  readonly res: OptionsResponse;
  readonly next: Next;
  readonly router: DispatchingRouter;
}

/**
 * The differences. An object, not a subclass of the walk: one walk is created for each request and router, and the
 * constructor of a subclass takes twice as long.
 */
export interface WalkManner {
  /** Prints debug messages; undefined if `DEBUG` does not enable them. */
  readonly print: ((format: string, ...values: unknown[]) => void) | undefined;
  matchOf(layer: Layer, path: string): Match | undefined;
  /** Calls the layer; its result, if any, may be a promise. */
  callWithRequest(walk: CallingWalk, layer: Layer): unknown;
  callWithError(walk: CallingWalk, layer: Layer, error: unknown): unknown;
  /** Whether any parameter of the layer has a callback. */
  hasParamCallbacks(router: DispatchingRouter, match: Match): boolean;
  processParams(walk: CallingWalk, layer: Layer, match: Match, called: CalledParams, done: Next): void;
  handlesMethod(route: Route, method: string): boolean;
  methodsOf(route: Route): string[];
  sendOptions(res: OptionsResponse, allowed: string[], out: Next): void;
  /** Whether a character may follow a mount path. */
  mayFollowMount(code: number): boolean;
  /**
   * Returns the URL, which a layer may have changed, without the slash that the walk had added in front.
   * @param removed the layer's mount path
   */
  withoutAddedSlash(url: string, removed: string): string;
}

export const OF_EXPRESS_4: WalkManner = {
  print: debug.router,
  matchOf: (layer, path) => (layer.match(path) ? layer : undefined),
  callWithRequest: ({ req, res, next }, layer) => layer.handle_request(req, res, next),
  callWithError: ({ req, res, next }, layer, error) => layer.handle_error(error, req, res, next),
  hasParamCallbacks({ params }, match) {
    const { keys } = match as Partial<Layer>;
    if (keys === undefined) return false;
    for (let i = 0; i < keys.length; i++) if (params[keys[i]!.name] !== undefined) return true;
    return false;
  },
  processParams({ router, req, res }, layer, _match, called, done) {
    router.process_params(layer, called, req, res, done);
  },
  handlesMethod: (route, method) => route._handles_method(method),
  methodsOf: route => route._options(),
  sendOptions,
  /** A dot can only follow what a regular expression matched: string paths end at a segment boundary. */
  mayFollowMount: code => code === SLASH || code === DOT,
  withoutAddedSlash: url => url.slice(1),
};
