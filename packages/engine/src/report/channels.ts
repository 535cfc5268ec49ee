/**
 * The channels of `node:diagnostics_channel` on which the framework publishes what it does, and whether they have
 * subscribers.
 *
 * The channels are constants, and whether one has subscribers is a constant of its class. In optimized code the check
 * therefore costs nothing, and subscribing or unsubscribing takes effect immediately.
 */
import { channel } from 'node:diagnostics_channel';
import type { Channel } from 'node:diagnostics_channel';

/** The five channels that `tracingChannel(name)` of `node:diagnostics_channel` combines. */
export interface Tracing {
  readonly start: Channel;
  readonly end: Channel;
  readonly asyncStart: Channel;
  readonly asyncEnd: Channel;
  readonly error: Channel;
}

/** Creates the channels without `tracingChannel`, which does not have `hasSubscribers` in all versions of Node. */
function tracing(name: string): Tracing {
  const part = (event: string): Channel => channel(`tracing:${name}:${event}`);
  return {
    start: part('start'),
    end: part('end'),
    asyncStart: part('asyncStart'),
    asyncEnd: part('asyncEnd'),
    error: part('error'),
  };
}

/** Whether any of the five has subscribers. */
export function isTraced({ start, end, asyncStart, asyncEnd, error }: Tracing): boolean {
  return (
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers
  );
}

/** Runs a request, or the call of a handler, in a context, such as one of OpenTelemetry. */
export type Enter = <Result>(message: object, run: () => Result) => Result;

/**
 * Functions that enter contexts which only accept a callback, so that no store can be bound to a channel for them. They are
 * used while the channel has subscribers.
 */
export const enteringRequests = new Set<Enter>();
export const enteringHandlers = new Set<Enter>();
/** Functions that leave the context of a handler when it calls `next`, so that later handlers do not run in it. */
export const leavingHandlers = new Set<Enter>();

/** Calls `run` within the contexts of a message. */
export function enter<Result>(contexts: Set<Enter>, message: object, run: () => Result): Result {
  if (contexts.size === 0) return run();
  let within = run;
  for (const one of contexts) {
    const inner = within;
    within = () => one(message, inner);
  }
  return within();
}

/** The name of the channel for views. */
export const RENDER = 'ristretto.render';

/** Each call of a handler, under the name that the package `router` uses since 2.3. */
export const handlers = tracing('express.router.request');

/** Each request, from the application's first step to the end of the response. */
export const requests = tracing('ristretto.request');

/** Each view that is rendered. */
export const views = tracing(RENDER);

/** Each route that a request reaches. */
export const routes = channel('ristretto.request.route');

/** Each request that `web.overload` has rejected. */
export const rejectedRequests = channel('ristretto.overload');

/** Each WebSocket of `app.ws`, when it opens and when it has closed. */
export const openSockets = channel('ristretto.websocket.open');
export const closedSockets = channel('ristretto.websocket.close');
