/** Decides whether requests are published on the tracing channel. */
import { isTraced, requests } from '../report/channels';
import type * as trace from './request-trace';

/** Returns the functions that publish requests, loaded on first use, or undefined if there are no subscribers. */
export function requestTracer(): typeof trace | undefined {
  return isTraced(requests) ? (require('./request-trace') as typeof trace) : undefined;
}
