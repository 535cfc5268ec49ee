/**
 * Decides whether calls of handlers are reported, watched or checked for a deadline, and by which functions.
 *
 * A walk through a router checks this once, when it starts. The result is stored in a number that layers compare with
 * their handler's parameter count anyway, so that they do no extra work without subscribers.
 */
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import { handlers, isTraced } from '../report/channels';
import type * as trace from './report-handlers';
import type * as watch from './dev/watch-handlers';

const watching = deferred(() => require('./dev/watch-handlers') as typeof watch, reportsMistakes);
const tracing = deferred(() => require('./report-handlers') as typeof trace);

/**
 * Handlers with more parameters than this are not called directly: they are error handlers, or their calls are reported,
 * watched, or checked for a deadline.
 */
export const directCall = { maxArity: 3 };

// Stored in variables, because every router that a request enters reads them
const { start, end, asyncStart, asyncEnd, error } = handlers;

/** The limit without subscribers; lower in development, where calls are watched, and once a deadline has passed. */
let atRest = 3;
let isWatching = false;

/** Starts watching calls: for each, `watch-handlers.ts` then decides whether the application concerned is in development. */
export function watchHandlers(): void {
  isWatching = true;
  atRest = -1;
}

/** From now on, each call is checked for a deadline that has passed, also by walks that have already started. */
export function checkDeadlines(): void {
  atRest = -1;
  directCall.maxArity = -1;
}

/** Returns the functions that watch calls, or undefined if calls are not watched. */
export function devWatch(): typeof watch | undefined {
  return isWatching ? watching() : undefined;
}

/** Checks whether the channel has subscribers. */
export function updateCallLimit(): void {
  const isListening =
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers;
  const maxArity = isListening ? -1 : atRest;
  if (directCall.maxArity !== maxArity) directCall.maxArity = maxArity;
}

/** Returns the functions that report calls, or undefined without subscribers. */
export function tracer(): typeof trace | undefined {
  return isTraced(handlers) ? tracing() : undefined;
}
