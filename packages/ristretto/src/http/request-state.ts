/**
 * What a request's stream says of itself: that it has been read to its end, and that it is closed. The runtime leaves
 * these marks open to others, without documenting them.
 */
import { Readable } from 'node:stream';

/** The state of a stream. */
interface State {
  length: number;
  flowing: boolean | null;
  reading: boolean;
  emittedReadable: boolean;
  dataEmitted: boolean;
  ended: boolean;
  endEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
}

/** A request with the fields that the runtime does not document. */
export interface RuntimeRequest {
  complete: boolean;
  _dumped: boolean;
  _eventsCount: number;
  _readableState: State;
  res?: unknown;
  socket: unknown;
}

/** Whether a stream of this runtime can be marked. */
export const canMark = hasMarks();

function hasMarks(): boolean {
  const stream = new Readable({ read: () => undefined });
  const { _readableState: state, _eventsCount } = stream as unknown as RuntimeRequest;
  if (_eventsCount !== 0 || state?.length !== 0 || state.ended || state.flowing !== null) return false;
  state.dataEmitted = true;
  markAsRead(state);
  if (!stream.readableDidRead || !stream.readableEnded || stream.readable || stream.destroyed) return false;
  markAsClosed(state);
  return stream.destroyed && stream.closed && !stream.readable;
}

/** As after the event `end`. */
export function markAsRead(state: State): void {
  state.flowing = true;
  state.ended = true;
  state.endEmitted = true;
}

/** As after the event `close`. */
export function markAsClosed(state: State): void {
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}
