/**
 * How a request ends that nobody has read and that had no body, as most GET requests.
 *
 * Once the answer is out, the runtime reads such a request to its end, closes it and tells so: three turns of the
 * event loop for nobody, an eighth of the whole work of a small answer. Where nobody listens, the request is marked as
 * read and closed at once instead.
 */
import * as http from 'node:http';
import { Readable } from 'node:stream';

/** What the runtime calls, without documenting it, to read and throw away what is left of a request. */
const runtime = http.IncomingMessage.prototype as unknown as { _dump?: () => void };
const nativeDump = runtime._dump;

/** The state of a stream, which the runtime leaves open to others. */
interface State {
  length: number;
  ended: boolean;
  endEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
}

interface UnreadRequest {
  complete: boolean;
  _dumped: boolean;
  _eventsCount: number;
  _readableState: State;
  res?: unknown;
}

/** Whether a stream of this runtime can be marked as read and closed. */
const canMark = nativeDump !== undefined && hasMarks();

function hasMarks(): boolean {
  const stream = new Readable({ read: () => undefined });
  const { _readableState: state, _eventsCount } = stream as unknown as UnreadRequest;
  if (_eventsCount !== 0 || state?.length !== 0 || state.ended) return false;
  markAsClosed(state);
  return stream.readableEnded && stream.destroyed && stream.closed && !stream.readable;
}

function markAsClosed(state: State): void {
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

/**
 * Gives requests the short way to their end.
 * @param prototype one that inherits from the runtime's
 */
export function shortenEnd(prototype: object): void {
  if (!canMark) return;
  Object.defineProperty(prototype, '_dump', { configurable: true, writable: true, value: dump });
}

/** Whether nobody but the runtime listens for the end of the answer. The application may have put anything into `res`. */
function hasNoListeners(req: UnreadRequest): boolean {
  const { res } = req;
  return (
    res instanceof http.ServerResponse && (res.req as unknown) === req && res.listenerCount('finish') === 1
  );
}

function dump(this: UnreadRequest): void {
  const state = this._readableState;
  // whoever waits for the end of the answer may want to hear of the end of the request as well
  if (
    this.complete &&
    this._eventsCount === 0 &&
    state.length === 0 &&
    hasNoListeners(this) &&
    runtime._dump === nativeDump
  ) {
    this._dumped = true;
    markAsClosed(state);
  } else {
    runtime._dump!.call(this);
  }
}
