/**
 * Whether calls of handlers are reported, and by what.
 *
 * A walk through a router asks once, when it begins. Its layers find what came of it in a number with which they compare
 * the number of their handler's parameters anyway, so that they do no more where no one listens.
 */
import { handlers, isTraced } from '../report/channels';
import type * as trace from './trace';

/** Handlers with more parameters than this are not simply called: they are error handlers, or their calls reported. */
export const plain = { parameters: 3 };

// in variables: they are asked for in every router that a request comes to
const { start, end, asyncStart, asyncEnd, error } = handlers;

/** Asks whether anyone listens. */
export function refreshTracing(): void {
  const isListening =
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers;
  const parameters = isListening ? -1 : 3;
  if (plain.parameters !== parameters) plain.parameters = parameters;
}

/** Returns the functions that report calls, or undefined where no one listens: they are loaded when someone does. */
export function tracer(): typeof trace | undefined {
  return isTraced(handlers) ? (require('./trace') as typeof trace) : undefined;
}
