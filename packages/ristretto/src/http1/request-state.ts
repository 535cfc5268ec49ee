/**
 * What the stream of a request says of itself, and what is known of how Node ends it. Node leaves these marks open to
 * others, without documenting them.
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

/** A request with the fields that Node does not document. */
export interface RuntimeRequest {
  complete: boolean;
  _dumped: boolean;
  _eventsCount: number;
  _readableState: State;
  destroy(): void;
  emit(event: string): boolean;
  read: unknown;
  resume: unknown;
  /** Set by the application when the request arrives there. */
  res?: { _eventsCount?: number; _events?: { finish?: unknown }; writableEnded: boolean };
  /** Node notes on a socket the parser at work on it, and there the request that is being read. */
  socket: { parser?: { incoming?: unknown } | null } | null;
}

/** How Node ends a request that is not read, as it was observed. */
export interface NodesEnd {
  /** How many turns of `process.nextTick` the event `end` takes. */
  ticksToEnd: number;
  /** How many more it takes until the request is closed, mostly none. */
  ticksToClosed: number;
  /** How many more the event `close` takes. */
  ticksToClose: number;
  /** Whether the stream flows from the start. */
  flowing: boolean | null;
  /** Whether a turn is taken to announce the end of a request, as `readable`, which may be heard by then. */
  isAnnounced: boolean;
}

let nodesEnd: NodesEnd | undefined;
let sample: object | undefined;

/**
 * How Node ends a request, where it is proven that ours end in the same way.
 * @param req only those under examination may know before that
 */
export function knownEnd(req: object): NodesEnd | undefined {
  return sample === undefined || Object.getPrototypeOf(req) === sample ? nodesEnd : undefined;
}

/**
 * Notes what was observed of Node, or that it is not to be trusted.
 * @param prototype of the requests under examination; undefined when these have passed
 */
export function noteNodesEnd(observed: NodesEnd | undefined, prototype?: object): void {
  nodesEnd = observed;
  sample = prototype;
}

/** Whether a stream of this Node can be marked. */
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

/** As when the event `end` is emitted. */
export function markAsRead(state: State): void {
  state.flowing = true;
  state.ended = true;
  state.endEmitted = true;
}
