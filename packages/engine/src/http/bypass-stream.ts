/**
 * Reads and ends requests without their streams, whose general methods take several listeners and ticks: a body is passed
 * from Node's parser directly to a reader of complete bodies, and a request that nobody reads ends when its response is
 * sent. The same events are emitted in the same ticks, for any listeners added by then; a listener added in the meantime
 * finds the stream in its usual state.
 *
 * The end of unread requests is that of every kind of server, because virtual sockets pass content on as Node's parser
 * does. Bodies are taken only from the parser.
 *
 * Ending unread requests saves 7 % of a small response on Node 24, and next to nothing on Node 26, which has begun to do
 * the same; taking bodies saves 10 to 16 % of a POST of 1 KiB.
 */
import type * as http from 'node:http';
import { defineHidden } from './define-hidden';
import { markAsRead, native, nativeEnd } from './request-state';
import type { NativeName, NativeRequest } from './request-state';
import type { NativeEnd } from './verified-node-versions';

/** The chunks, with null after the last one. */
type Chunks = (Buffer | null)[];

/** A reader of a complete body. */
export interface BodyTaker {
  /** Set here: the chunks that arrive before the tick in which a stream would start to flow. */
  held?: Chunks | undefined;
  /** Called with each chunk. */
  take(chunk: Buffer): void;
  /** Called in a separate tick when the body is complete. */
  finish(): void;
  /** Called when the reader must use the stream from now on. */
  listen(): void;
}

const TAKER = Symbol('taker of the body');

type StreamRequest = NativeRequest &
  Record<NativeName, unknown> & {
    [TAKER]?: BodyTaker | undefined;
    readonly destroyed: boolean;
    prependOnceListener(event: 'end', listener: () => void): void;
    read(): unknown;
  };

/** The methods replaced here. `_dump` is the undocumented one with which Node reads and discards a request. */
interface StreamMethods {
  push(this: StreamRequest, chunk: Buffer | null, encoding?: unknown): unknown;
  _destroy(this: StreamRequest, error: unknown, callback: unknown): unknown;
  /** HTTP/2 request classes have none. */
  _dump?(this: StreamRequest): void;
}

let nativeMethods: () => StreamMethods;

/**
 * Takes over the body of a request that has not been read yet.
 * @returns whether that is possible; if not, the stream must be used
 */
export function takeBody(request: http.IncomingMessage, taker: BodyTaker): boolean {
  const req = request as unknown as StreamRequest;
  if (!canTakeBody(req)) return false;
  req[TAKER] = taker;
  taker.held = [];
  process.nextTick(started, req, taker);
  req._readableState.flowing = true;
  native._read.call(req);
  return true;
}

function canTakeBody(req: StreamRequest): boolean {
  return (
    req.push === push &&
    nativeMethods().push === native.push &&
    req._read === native._read &&
    req.socket?.parser?.incoming === req &&
    !req.complete &&
    !req._readableState.ended &&
    isUntouched(req)
  );
}

/** Whether nobody has read the request or listens to it, and no tool has patched a method that does. */
function isUntouched(req: StreamRequest): boolean {
  const { length, flowing, destroyed } = req._readableState;
  return (
    req._eventsCount === 0 &&
    length === 0 &&
    flowing === null &&
    !destroyed &&
    req.resume === native.resume &&
    req.read === native.read &&
    req.emit === native.emit &&
    req.on === native.on &&
    destroysAsNode(req)
  );
}

/** Whether no tool has patched a method that destroys the request. */
function destroysAsNode(req: StreamRequest): boolean {
  return (
    req.destroy === native.destroy && req._destroy === destroy && nativeMethods()._destroy === native._destroy
  );
}

function started(req: StreamRequest, taker: BodyTaker): void {
  if (req[TAKER] !== taker) return;
  if (isWatched(req)) {
    giveBack(req, taker);
    // The stream would have started to flow in this tick.
    if (req._readableState.flowing) while (req.read() !== null);
    return;
  }
  const held = taker.held!;
  taker.held = undefined;
  for (const chunk of held) {
    // The reader may stop before the end.
    if (req[TAKER] === taker) accept(req, taker, chunk);
    else nativeMethods().push.call(req, chunk);
  }
}

/** Leaves the rest of the body to the stream. */
export function releaseBody(request: http.IncomingMessage): void {
  (request as unknown as StreamRequest)[TAKER] = undefined;
}

/** Called by Node's parser with each chunk, and with null after the last one. */
function push(this: StreamRequest, chunk: Buffer | null, encoding?: unknown): unknown {
  const taker = this[TAKER];
  if (taker === undefined || isWatched(this)) {
    if (taker !== undefined) giveBack(this, taker);
    else if (chunk === null && endUnannounced(this)) return false;
    return nativeMethods().push.call(this, chunk, encoding);
  }
  if (taker.held !== undefined) taker.held.push(chunk);
  else accept(this, taker, chunk);
  return true;
}

function accept(req: StreamRequest, taker: BodyTaker, chunk: Buffer | null): void {
  if (chunk === null) {
    process.nextTick(endTakenRequest, req, taker);
  } else {
    req._readableState.dataEmitted = true;
    taker.take(chunk);
  }
}

/** An aborted or destroyed request reports that through its events. */
function destroy(this: StreamRequest, error: unknown, callback: unknown): unknown {
  const taker = this[TAKER];
  if (taker !== undefined) {
    this[TAKER] = undefined;
    taker.listen();
  }
  return nativeMethods()._destroy.call(this, error, callback);
}

/** Returns the body to the stream: the held chunks, and all later ones. */
function giveBack(req: StreamRequest, taker: BodyTaker): void {
  req[TAKER] = undefined;
  const state = req._readableState;
  if (state.flowing) state.flowing = null;
  taker.listen();
  for (const chunk of taker.held ?? []) nativeMethods().push.call(req, chunk);
}

/** Ends the request as Node does when `end` is due. */
function endTakenRequest(req: StreamRequest, taker: BodyTaker): void {
  if (req[TAKER] !== taker) return;
  req[TAKER] = undefined;
  markAsRead(req._readableState);
  if (req._eventsCount > 0) {
    req.prependOnceListener('end', () => {
      taker.finish();
    });
    req.emit('end');
  } else {
    taker.finish();
  }
  if (req._eventsCount === 0 && destroysAsNode(req) && !req.destroyed) close(req, nativeEnd!);
  else req.destroy();
}

/** Whether listeners have been added, or the stream has been paused. */
function isWatched(req: StreamRequest): boolean {
  return req._eventsCount > 0 || !req._readableState.flowing;
}

/**
 * Ends a request whose response has already been sent, if neither has listeners: Node would use another tick to emit
 * `readable`.
 */
function endUnannounced(req: StreamRequest): boolean {
  const state = req._readableState;
  if (state.length > 0 || state.flowing !== null || req._eventsCount > 0) return false;
  if (!isUnheard(req.res) || !nativeEnd!.isAnnounced) return false;
  if (req.emit !== native.emit || req.read !== native.read || nativeMethods().push !== native.push)
    return false;
  state.reading = false;
  state.ended = true;
  return true;
}

/** Called when the response is sent: ends a request without a body that nobody has read, such as most GET requests. */
function dump(this: StreamRequest): void {
  const state = this._readableState;
  const isUnread = this.complete && state.ended && !state.endEmitted && isUntouched(this);
  if (!isUnread || nativeMethods()._dump !== native._dump) {
    (nativeMethods()._dump ?? native._dump).call(this);
    return;
  }
  const end = nativeEnd!;
  this._dumped = true;
  state.flowing = end.flowing;
  // As Node's listener for `end`, which Node adds right afterwards unless this has been done.
  const parser = this.socket?.parser;
  if (parser?.incoming === this) parser.incoming = null;
  if (isUnheard(this.res)) process.nextTick(endUnheard, this, end);
  else after(end.ticksToEnd, emitEnd, this, end);
}

/**
 * Runs in the first tick, so listeners added before the response was sent, or in the same tick, are already present.
 */
function endUnheard(req: StreamRequest, end: NativeEnd): void {
  const state = req._readableState;
  if (state.endEmitted) return;
  const isHeard = req._eventsCount > 0 || !isUnheard(req.res);
  if (isHeard || state.destroyed || state.flowing !== end.flowing) {
    after(end.ticksToEnd - 1, emitEnd, req, end);
    return;
  }
  // One tick is enough.
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

function emitEnd(req: StreamRequest, end: NativeEnd): void {
  const state = req._readableState;
  // The stream may have been started by a read in the meantime.
  if (state.endEmitted || (state.destroyed && (state.closeEmitted || state.errored))) return;
  state.endEmitted = true;
  if (req._eventsCount > 0) {
    req.emit('end');
    req.destroy();
  } else if (!state.destroyed) {
    close(req, end);
  }
}

/** Whether the response has been sent, and has no listener except Node's own for `finish`. */
function isUnheard(res: StreamRequest['res']): boolean {
  return res?._eventsCount === 1 && res.writableEnded && typeof res._events?.finish === 'function';
}

/** Closes a request that has been read to its end, as `req.destroy()` does, after as many ticks as Node would. */
function close(req: StreamRequest, end: NativeEnd): void {
  req._readableState.destroyed = true;
  after(end.ticksToClosed, markClosed, req, end);
}

function markClosed(req: StreamRequest, end: NativeEnd): void {
  req._readableState.closed = true;
  if (req._eventsCount === 0 && isUnheard(req.res)) req._readableState.closeEmitted = true;
  else after(end.ticksToClose, emitClose, req, end);
}

function emitClose(req: StreamRequest): void {
  req._readableState.closeEmitted = true;
  if (req._eventsCount > 0) req.emit('close');
}

type Step = (req: StreamRequest, end: NativeEnd) => void;

/** Calls a function after n ticks (calls of `process.nextTick`), or immediately if n is 0 or less. */
function after(ticks: number, step: Step, req: StreamRequest, end: NativeEnd): void {
  if (ticks <= 0) step(req, end);
  else if (ticks === 1) process.nextTick(step, req, end);
  else process.nextTick(after, ticks - 1, step, req, end);
}

/**
 * Adds `push`, `_destroy` and `_dump` to a prototype.
 * @param prototype one that inherits from Node's
 */
export function bypassStreams(prototype: object): void {
  nativeMethods = defineHidden<StreamMethods>(prototype, { push, _destroy: destroy, _dump: dump });
}
