/** Decides whether requests are published on the tracing channel. */
import { deferred } from '../deferred';
import { isTraced, requests } from '../report/channels';
import type * as trace from './request-trace';

const tracing = deferred(() => require('./request-trace') as typeof trace);

/** Returns the functions that publish requests, or undefined if there are no subscribers. */
export function requestTracer(): typeof trace | undefined {
  return isTraced(requests) ? tracing() : undefined;
}
