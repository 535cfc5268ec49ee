/**
 * The short way of a body from the runtime's parser to the one who reads it whole.
 *
 * As a stream, a small body takes four listeners and five turns of the event loop, most of the work of a small POST.
 * Where nobody else listens, the parser's chunks are handed over as they come, and the request is marked as read.
 * Whoever begins to listen in the meantime finds the stream as it would be.
 */
import * as http from 'node:http';
import { Readable } from 'node:stream';
import { hide } from './hidden';
import { areNative } from './native';
import { canMark, markAsClosed, markAsRead } from './request-state';
import type { RuntimeRequest } from './request-state';

/** One who reads a body whole. */
export interface BodyTaker {
  /** Is given each chunk. */
  take(chunk: Buffer): void;
  /** Is told, in a turn of its own, that the body is complete. */
  finish(): void;
  /** Has to listen to the stream from now on. */
  listen(): void;
}

const TAKER = Symbol('taker of the body');

interface TakenRequest extends http.IncomingMessage {
  [TAKER]?: BodyTaker | undefined;
}

/** The runtime notes on a socket the parser at work on it, and there the request that is being read. */
interface ParsedSocket {
  parser?: { incoming?: unknown } | null;
}

type Functions = Record<string, (...args: never[]) => unknown>;
type UntypedRequest = RuntimeRequest & Record<NativeName, unknown>;

const runtime = http.IncomingMessage.prototype as unknown as Functions;

/** The functions that stand between the parser and a listener, each with a word that its source has and a wrapper's has not. */
const marks = {
  push: 'readableAddChunk',
  on: 'readableListening',
  emit: 'kErrorMonitor',
  read: 'doRead',
  _read: '_consuming',
  _destroy: 'aborted',
} as const;

type NativeName = keyof typeof marks;

/** The runtime's own functions. */
const native = Object.fromEntries(Object.keys(marks).map(name => [name, runtime[name]])) as Record<
  NativeName,
  (...args: unknown[]) => unknown
>;

const canTake = canMark && areNative(native, marks);

/**
 * Takes the body of a request, which nobody has begun to read, past the stream.
 * @returns whether it can be taken; if not, it is to be listened to
 */
export function takeBody(request: http.IncomingMessage, taker: BodyTaker): boolean {
  if (!canTake || !isUntouched(request as unknown as UntypedRequest)) return false;
  const req: TakenRequest = request;
  req[TAKER] = taker;
  native._read.call(req);
  return true;
}

/** Leaves the rest of the body to the stream. */
export function releaseBody(request: http.IncomingMessage): void {
  (request as TakenRequest)[TAKER] = undefined;
}

function isUntouched(req: UntypedRequest): boolean {
  const state = req._readableState;
  return (
    req.push === push &&
    req._destroy === destroy &&
    (req.socket as ParsedSocket | null)?.parser?.incoming === req &&
    !req.complete &&
    req._eventsCount === 0 &&
    state.length === 0 &&
    state.flowing === null &&
    !state.ended &&
    !state.destroyed &&
    req.on === native.on &&
    req.emit === native.emit &&
    req.read === native.read &&
    req._read === native._read &&
    runtime.push === native.push &&
    runtime._destroy === native._destroy
  );
}

/** The runtime's parser calls this with each chunk, and with null behind the last one. */
function push(this: TakenRequest, chunk: Buffer | null, encoding?: unknown): unknown {
  const taker = this[TAKER];
  if (taker === undefined || isWatched(this)) {
    if (taker !== undefined) giveBack(this, taker);
    else if (chunk === null && endsUnseen(this as unknown as UntypedRequest)) return false;
    return runtime.push!.call(this, chunk as never, encoding as never);
  }
  if (chunk === null) {
    process.nextTick(finish, this, taker);
  } else {
    stateOf(this).dataEmitted = true;
    taker.take(chunk);
  }
  return true;
}

/**
 * Older runtimes take a turn of the event loop to tell that the end has come, also where nobody listens. Whoever comes
 * later finds out when reading.
 */
function endsUnseen(req: UntypedRequest): boolean {
  const state = req._readableState;
  if (state.length > 0 || runtime.push !== native.push || isWatched(req as never) || !announcesEnd())
    return false;
  state.reading = false;
  state.ended = true;
  return true;
}

let announces: boolean | undefined;

/** Whether a stream without listeners takes a turn to tell its end: tried out when first needed. */
function announcesEnd(): boolean {
  if (announces === undefined) {
    const stream = new Readable({ read: () => undefined });
    stream.push(null);
    announces = (stream as unknown as RuntimeRequest)._readableState.emittedReadable;
  }
  return announces;
}

/** A request that is cut off, or destroyed by somebody, tells so by its events. */
function destroy(this: TakenRequest, error: unknown, callback: unknown): unknown {
  const taker = this[TAKER];
  if (taker !== undefined) giveBack(this, taker);
  return runtime._destroy!.call(this, error as never, callback as never);
}

function giveBack(req: TakenRequest, taker: BodyTaker): void {
  releaseBody(req);
  taker.listen();
}

function finish(req: TakenRequest, taker: BodyTaker): void {
  if (req[TAKER] !== taker) return;
  if (isWatched(req)) {
    giveBack(req, taker);
    runtime.push!.call(req, null as never);
    return;
  }
  releaseBody(req);
  const state = stateOf(req);
  markAsRead(state);
  taker.finish();
  // the runtime closes a stream that has been read, and tells those who have begun to listen
  if (hasListeners(req)) req.destroy();
  else markAsClosed(state);
}

/** Whether somebody listens by now, or has paused or resumed the stream. */
function isWatched(req: TakenRequest): boolean {
  return hasListeners(req) || stateOf(req).flowing !== null;
}

function hasListeners(req: TakenRequest): boolean {
  return (req as unknown as RuntimeRequest)._eventsCount !== 0;
}

function stateOf(req: TakenRequest): RuntimeRequest['_readableState'] {
  return (req as unknown as RuntimeRequest)._readableState;
}

/**
 * Gives requests the short way.
 * @param prototype one that inherits from the runtime's
 */
export function handOverBodies(prototype: object): void {
  if (!canTake) return;
  hide(prototype, { push, _destroy: destroy });
}
