/**
 * Reads and sets the state of a request's stream, and stores how Node ends requests. The properties are undocumented
 * but accessible.
 */
import { Readable } from 'node:stream';

/** The state of a stream. */
interface State {
  length: number;
  flowing: boolean | null;
  dataEmitted: boolean;
  ended: boolean;
  reading: boolean;
  emittedReadable: boolean;
  endEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
  errored: Error | null;
}

/** A request with Node's undocumented properties. */
export interface RuntimeRequest {
  complete: boolean;
  _dumped: boolean;
  _eventsCount: number;
  _readableState: State;
  destroy(): void;
  emit(event: string): boolean;
  read: unknown;
  resume: unknown;
  /** Set by the application when the request reaches it. */
  res?: { _eventsCount?: number; _events?: { finish?: unknown }; writableEnded: boolean };
  /** Node sets the parser on its socket, and the request being read on the parser. */
  socket: { parser?: { incoming?: unknown } | null } | null;
}

/** The observed way in which Node ends an unread request. */
export interface NodesEnd {
  /** The number of ticks until `end` is emitted. */
  ticksToEnd: number;
  /** The number of further ticks until the request is closed, usually 0. */
  ticksToClosed: number;
  /** The number of further ticks until `close` is emitted. */
  ticksToClose: number;
  /** The value of `readableFlowing` from the start. */
  flowing: boolean | null;
  /** Whether one tick is used to emit `readable` at the end of a request, for listeners added by then. */
  isAnnounced: boolean;
}

let nodesEnd: NodesEnd | undefined;
let sample: object | undefined;

/**
 * Returns how Node ends a request, if our way is proven to be the same.
 * @param req before the proof, only requests under examination get a result
 */
export function knownEnd(req: object): NodesEnd | undefined {
  return sample === undefined || Object.getPrototypeOf(req) === sample ? nodesEnd : undefined;
}

/**
 * Records the observed behaviour of Node, or undefined if our methods must not be used.
 * @param prototype the prototype of the requests under examination; undefined once they have passed
 */
export function noteNodesEnd(observed: NodesEnd | undefined, prototype?: object): void {
  nodesEnd = observed;
  sample = prototype;
}

/** Whether these properties of a stream can be set in this version of Node. */
export const canMark = hasMarks();

function hasMarks(): boolean {
  const stream = new Readable({ read: () => undefined });
  const { _readableState: state, _eventsCount } = stream as unknown as RuntimeRequest;
  if (_eventsCount !== 0 || state?.length !== 0 || state.ended || state.flowing !== null) return false;
  state.dataEmitted = true;
  markAsRead(state);
  if (!stream.readableDidRead || !stream.readableEnded || stream.readable || stream.destroyed) return false;
  state.destroyed = true;
  state.closed = true;
  return stream.destroyed && stream.closed && !stream.readable;
}

/** Sets the state that a stream has when `end` is emitted. */
export function markAsRead(state: State): void {
  state.flowing = true;
  state.ended = true;
  state.endEmitted = true;
}
