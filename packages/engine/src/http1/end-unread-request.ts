/**
 * The end of a request that was not read and has no body, such as most GET requests.
 *
 * After the response is sent, Node reads such a request to its end and closes it with the general stream methods. Here
 * the same events are emitted in the same ticks, for any listeners added by then, without the stream. If the response
 * has no listeners either, one tick is enough.
 *
 * Saves 10 % of a small response on Node 24, and 3 % on Node 26, which has begun to do the same.
 */
import { after, close, isUnheard } from './close-request';
import { defineHidden } from '../http/define-hidden';
import type { NativeEnd } from '../http/verified-node-versions';
import { native, nativeEnd } from './request-state';
import type { NativeName, NativeRequest } from './request-state';
import { destroysAsNode } from './take-body';

type UnreadRequest = NativeRequest & Record<NativeName, unknown>;

/** `_dump` is the undocumented method with which Node reads and discards a request. */
interface DumpFunction {
  _dump?(this: UnreadRequest): void;
}

let nativeMethods: () => DumpFunction;

function dump(this: UnreadRequest): void {
  const end = isUntouched(this) ? nativeEnd : undefined;
  if (end === undefined) {
    // HTTP/2 request classes have no `_dump`.
    (nativeMethods()._dump ?? native._dump).call(this);
    return;
  }
  this._dumped = true;
  this._readableState.flowing = end.flowing;
  leaveParser(this);
  if (isUnheard(this.res)) process.nextTick(endUnheard, this, end);
  else after(end.ticksToEnd, emitEnd, this, end);
}

/** Does the same as Node's listener for `end`, which Node adds right afterwards unless this has been done. */
function leaveParser(req: NativeRequest): void {
  const parser = req.socket?.parser;
  if (parser?.incoming === req) parser.incoming = null;
}

/**
 * Runs in the first tick, so listeners added before the response was sent, or in the same tick, are already present.
 */
function endUnheard(req: NativeRequest, end: NativeEnd): void {
  const state = req._readableState;
  if (state.endEmitted) return;
  const isHeard = req._eventsCount > 0 || !isUnheard(req.res);
  if (isHeard || state.destroyed || state.flowing !== end.flowing) {
    after(end.ticksToEnd - 1, emitEnd, req, end);
    return;
  }
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

function isUntouched(req: UnreadRequest): boolean {
  const { length, flowing, ended, destroyed, endEmitted } = req._readableState;
  return (
    req.complete &&
    req._eventsCount === 0 &&
    length === 0 &&
    flowing === null &&
    ended &&
    !endEmitted &&
    !destroyed &&
    nativeMethods()._dump === native._dump &&
    req.resume === native.resume &&
    req.read === native.read &&
    req.emit === native.emit &&
    req.on === native.on &&
    destroysAsNode(req)
  );
}

function emitEnd(req: NativeRequest, end: NativeEnd): void {
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

/**
 * Adds this `_dump` to a prototype.
 * @param prototype one that inherits from Node's
 */
export function endUnreadRequestsQuickly(prototype: object): void {
  nativeMethods = defineHidden<DumpFunction>(prototype, { _dump: dump });
}
