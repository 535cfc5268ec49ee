/**
 * Whether calls of handlers are reported, and by what.
 *
 * A walk through a router asks once, when it begins. Its layers find what came of it in a number with which they compare
 * the number of their handler's parameters anyway, so that they do no more where no one listens.
 */
import { handlers, isTraced } from '../report/channels';
import type * as trace from './trace';
import type * as watch from './watch';

/** Handlers with more parameters than this are not simply called: they are error handlers, or their calls reported. */
export const plain = { parameters: 3 };

// in variables: they are asked for in every router that a request comes to
const { start, end, asyncStart, asyncEnd, error } = handlers;

/** The limit where no one listens; lower in development, where calls are watched. */
let atRest = 3;

/** Watches the calls of handlers from now on. */
export function watchHandlers(): void {
  atRest = -1;
}

/** Returns the functions that watch calls, or undefined where that is not wanted. */
export function watcher(): typeof watch | undefined {
  return atRest < 0 ? (require('./watch') as typeof watch) : undefined;
}

/** Asks whether anyone listens. */
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

/** Returns the functions that report calls, or undefined where no one listens: they are loaded when someone does. */
export function tracer(): typeof trace | undefined {
  return isTraced(handlers) ? (require('./trace') as typeof trace) : undefined;
}
