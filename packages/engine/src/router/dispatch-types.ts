/** The types of the request, the router and the layers that a walk through a router's stack works with. */
import type { Next } from '../types/next';
import type { StackLayer } from './stack-layer';
import type { MatchedRequest } from './matched-path';
import type { CalledParams, Params, ParamsRouter } from './params';
import type { Run } from './rejection';
import type { RouterState } from './router-state';
import type { STATE } from './symbols';

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
  process_params(layer: StackLayer, called: CalledParams, req: unknown, res: unknown, done: Next): unknown;
}

/** The walk of a request through a router's stack, as a layer's caller. */
export interface CallingWalk extends Run {
  readonly req: DispatchedRequest;
  readonly res: object;
  readonly next: Next;
  readonly router: DispatchingRouter;
}
