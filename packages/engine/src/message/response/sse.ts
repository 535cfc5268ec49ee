/** `res.sse`: only the member; its implementation is loaded after startup. */
import { deferred } from '../../deferred';
import type { EventStream, EventStreamOptions } from '../../types/events';
import type { Response } from '../../types/internals';
import type * as streams from './event-stream';

const eventStreams = deferred(() => require('./event-stream') as typeof streams);

/**
 * Begins a response of server-sent events, and sends its header block immediately.
 *
 * @param options `heartbeat` in milliseconds and `limit` in bytes
 * @returns the stream, which is already closed if the request is HEAD or the client has disconnected
 * @throws TypeError or RangeError for invalid options; Error `ERR_HTTP_HEADERS_SENT` if the header block has been sent
 * @example
 * const events = res.sse();
 * events.send({ event: 'greeting', data: { hello: 'world' } });
 */
export function sse(this: Response, options?: EventStreamOptions): EventStream {
  return eventStreams().openEventStream(this, options);
}
