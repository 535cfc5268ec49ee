/**
 * Closes a request that we read to its end without the stream, after as many ticks as Node would.
 */
import type { NativeEnd } from '../http/verified-node-versions';
import type { NativeRequest } from './request-state';

type Step = (req: NativeRequest, end: NativeEnd) => void;

/** Calls a function after n ticks (calls of `process.nextTick`), or immediately if n is 0 or less. */
export function after(ticks: number, step: Step, req: NativeRequest, end: NativeEnd): void {
  if (ticks <= 0) step(req, end);
  else if (ticks === 1) process.nextTick(step, req, end);
  else process.nextTick(after, ticks - 1, step, req, end);
}

/** Whether the response has been sent, and has no listener except Node's own for `finish`. */
export function isUnheard(res: NativeRequest['res']): boolean {
  return res?._eventsCount === 1 && res.writableEnded && typeof res._events?.finish === 'function';
}

/** Closes the request as `req.destroy()` does. */
export function close(req: NativeRequest, end: NativeEnd): void {
  req._readableState.destroyed = true;
  after(end.ticksToClosed, markClosed, req, end);
}

function markClosed(req: NativeRequest, end: NativeEnd): void {
  req._readableState.closed = true;
  if (req._eventsCount === 0 && isUnheard(req.res)) req._readableState.closeEmitted = true;
  else after(end.ticksToClose, emitClose, req, end);
}

function emitClose(req: NativeRequest): void {
  req._readableState.closeEmitted = true;
  if (req._eventsCount > 0) req.emit('close');
}
