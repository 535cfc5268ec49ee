/**
 * The channels of `node:diagnostics_channel` on which the framework reports what it does, and whether anyone listens.
 *
 * The channels are constants, and whether one has subscribers is a constant of its class. In optimized code the question
 * therefore costs nothing, and a subscriber that comes or goes is noticed at once.
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

/** Not made by `tracingChannel`, which does not say on all versions of Node whether it has subscribers. */
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

/** Whether anyone listens to one of the five. */
export function isTraced({ start, end, asyncStart, asyncEnd, error }: Tracing): boolean {
  return (
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers
  );
}

/** The name of the channel for views. */
export const RENDER = 'ristretto.render';

/** Each call of a handler, under the name that the package `router` has for it since 2.3. */
export const handlers = tracing('express.router.request');

/** Each request, from the application's first step to the end of the response. */
export const requests = tracing('ristretto.request');

/** Each view that is rendered. */
export const views = tracing(RENDER);

/** Each route that a request gets to. */
export const routes = channel('ristretto.request.route');
