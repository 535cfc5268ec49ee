/** What reports requests, where anyone listens. */
import { isTraced, requests } from '../report/channels';
import type * as trace from './request-trace';

/** Returns the functions that report requests, or undefined where no one listens: they are loaded when someone does. */
export function requestTracer(): typeof trace | undefined {
  return isTraced(requests) ? (require('./request-trace') as typeof trace) : undefined;
}
