/** `res.sse`: only the member; its implementation is loaded after startup. */
import { deferred } from '../../deferred';
import type { EventStream, EventStreamOptions } from '../../types/events';
import type { Response } from '../../types/internals';
import type * as streams from './event-stream';

const eventStreams = deferred(() => require('./event-stream') as typeof streams);

/** Begins a response of server-sent events, and sends its header block immediately. */
export function sse(this: Response, options?: EventStreamOptions): EventStream {
  return eventStreams().openEventStream(this, options);
}
