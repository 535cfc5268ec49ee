/** The options and reports of `web.overload`. */
import type { Request, Response } from 'express-serve-static-core';

/**
 * How important a request is: a `critical` one is never rejected, a `low` one sooner than others.
 */
export type OverloadPriority = 'critical' | 'normal' | 'low';

/**
 * Why a request was rejected: the event loop is late (`delay`), too many requests wait for a response (`requests`), or
 * memory is short (`memory`).
 */
export type OverloadReason = 'delay' | 'requests' | 'memory';

/** When requests are rejected, and which. */
export interface OverloadOptions {
  /**
   * How long requests may wait for the event loop, in milliseconds or as a string. They may wait longer for a fifth of a
   * second, as after a burst.
   * @default '20ms'
   */
  maxDelay?: number | string | undefined;
  /** How many requests may wait for a response at the same time. @default what the process can handle, as measured */
  maxRequests?: number | undefined;
  /** The share of V8's limit of the heap that may be in use. @default 0.9 */
  maxHeap?: number | undefined;
  /** The memory of the process, in bytes or text such as `'512mb'`. @default no limit */
  maxRss?: number | string | undefined;
  /**
   * The value of `Retry-After`, in milliseconds or as a string such as '10s', rounded up to seconds; false sends none.
   * @default '1s'
   */
  retryAfter?: number | string | false | undefined;
  /** Returns the priority of a request. Health checks of `web.health` are always critical. @default 'normal' */
  priority?: ((req: Request) => OverloadPriority) | undefined;
}

/** A request that `web.overload` has rejected, published on the channel `ristretto.overload`. */
export interface OverloadReport {
  /** The request. */
  req: Request;
  /** The response, which has been sent. */
  res: Response;
  /** Why it was rejected. */
  reason: OverloadReason;
}
