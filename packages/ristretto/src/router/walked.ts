/** What a walk through a router's stack needs of the request, the router and the layers. */
import type Layer = require('./layer');
import type { MatchedRequest } from './matched-path';
import type { CalledParams, Params, ParamsRouter } from './params';
import type { RouterState } from './router-state';
import type { STATE } from './symbols';

export type Next = (err?: unknown) => void;

/** What the walk needs of a request. */
export interface DispatchedRequest extends MatchedRequest {
  method: string;
  url: string;
  originalUrl?: string;
  baseUrl?: string;
  params?: Params;
  next?: Next | undefined;
  route?: unknown;
}

/** What the walk needs of a router. */
export interface DispatchingRouter extends ParamsRouter {
  [STATE]: RouterState;
  caseSensitive?: boolean | undefined;
  mergeParams?: boolean | undefined;
  strict?: boolean | undefined;
  process_params(layer: Layer, called: CalledParams, req: unknown, res: unknown, done: Next): unknown;
}

/** What is known of a layer that a path has matched: its parameters, and the part of the path that it took. */
export interface Match {
  params: Params | undefined;
  path: string | undefined;
}
