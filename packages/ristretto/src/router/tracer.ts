/**
 * Decides whether calls of handlers are reported or watched, and by which functions.
 *
 * A walk through a router checks this once, when it starts. The result is stored in a number that layers compare with
 * their handler's parameter count anyway, so that they do no extra work without subscribers.
 */
import { handlers, isTraced } from '../report/channels';
import type * as trace from './trace';
import type * as watch from './watch';

/**
 * Handlers with more parameters than this are not called directly: they are error handlers, or their calls are
 * reported.
 */
export const plain = { parameters: 3 };

// in variables, because they are read in every router that a request enters
const { start, end, asyncStart, asyncEnd, error } = handlers;

/** The limit without subscribers; lower in development, where calls are watched. */
let atRest = 3;

let watching: typeof watch | undefined;

/**
 * Starts watching calls: for each, `watch.ts` then decides whether the application concerned is in development. Loads
 * that file here, because a request must not load code.
 */
export function watchHandlers(): void {
  atRest = -1;
  watching ??= require('./watch') as typeof watch;
}

/** Returns the functions that watch calls, or undefined if calls are not watched. */
export function watcher(): typeof watch | undefined {
  return watching;
}

/** Checks whether the channel has subscribers. */
export function refreshTracing(): void {
  const isListening =
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers;
  const parameters = isListening ? -1 : atRest;
  if (plain.parameters !== parameters) plain.parameters = parameters;
}

/**
 * Returns the functions that report calls, or undefined without subscribers: they are loaded when the first one
 * subscribes.
 */
export function tracer(): typeof trace | undefined {
  return isTraced(handlers) ? (require('./trace') as typeof trace) : undefined;
}
