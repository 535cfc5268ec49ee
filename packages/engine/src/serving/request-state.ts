/**
 * Undocumented parts of Node that the faster methods of requests need: the state of a request's stream, and the
 * functions that a tool may have patched.
 */
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { verifiedNode } from './node-internals';
import { areNative } from './node-internals';

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
export interface NativeRequest {
  complete: boolean;
  _dumped: boolean;
  _eventsCount: number;
  _readableState: State;
  destroy(): void;
  emit(event: string): boolean;
  /** Set by the application when the request reaches it. */
  res?: { _eventsCount?: number; _events?: { finish?: unknown }; writableEnded: boolean };
  /** Node sets the parser on its socket, and the request being read on the parser. */
  socket: { parser?: { incoming?: unknown } | null } | null;
}

/** How Node ends an unread request. Known wherever the faster methods are used. */
export const nativeEnd = verifiedNode?.requestEnd;

/** The functions between the parser and a listener, each with a word that occurs in the source of Node's. */
const marks = {
  _dump: '_dumped',
  resume: '_readableState',
  read: 'doRead',
  emit: 'kErrorMonitor',
  push: 'readableAddChunk',
  on: 'readableListening',
  _read: '_consuming',
  destroy: '_writableState',
  _destroy: 'aborted',
} as const;

export type NativeName = keyof typeof marks;

/** Node's own functions. */
export const native = Object.fromEntries(
  Object.keys(marks).map(name => [
    name,
    (IncomingMessage.prototype as unknown as Record<string, unknown>)[name],
  ]),
) as Record<NativeName, (...args: unknown[]) => unknown>;

/** Whether these properties of a stream can be set, and all of these functions were unpatched when this file was loaded. */
export const canBypassStreams = nativeEnd !== undefined && hasMarks() && areNative(native, marks);

function hasMarks(): boolean {
  const stream = new Readable({ read: () => undefined });
  const { _readableState: state, _eventsCount } = stream as unknown as NativeRequest;
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
