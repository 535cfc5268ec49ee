/** The types of the request, the router and the layers that a walk through a router's stack works with. */
import type Layer = require('./layer');
import type { MatchedRequest } from './matched-path';
import type { CalledParams, Params, ParamsRouter } from './params';
import type { RouterState } from './router-state';
import type { STATE } from './symbols';

export type Next = (err?: unknown) => void;

/** The members of a request that a walk needs. */
export interface DispatchedRequest extends MatchedRequest {
  method: string;
  url: string;
  originalUrl?: string;
  baseUrl?: string;
  params?: Params;
  next?: Next | undefined;
  route?: unknown;
}

/** The members of a router that a walk needs. */
export interface DispatchingRouter extends ParamsRouter {
  [STATE]: RouterState;
  caseSensitive?: boolean | undefined;
  mergeParams?: boolean | undefined;
  strict?: boolean | undefined;
  process_params(layer: Layer, called: CalledParams, req: unknown, res: unknown, done: Next): unknown;
}

/** The match of a layer and a path: its parameters, and the part of the path that it consumed. */
export interface Match {
  params: Params | undefined;
  path: string | undefined;
}
