/**
 * How a request ends that nobody has read and that had no body, as most GET requests.
 *
 * Once the answer is out, the runtime reads such a request to its end, closes it and tells so: three turns of the
 * event loop for nobody, an eighth of the whole work of a small answer. Where nobody listens, the request is marked as
 * read and closed at once instead.
 */
import * as http from 'node:http';
import { hide } from './hidden';
import { canMark, markAsClosed } from './request-state';
import type { RuntimeRequest } from './request-state';

/** What the runtime calls, without documenting it, to read and throw away what is left of a request. */
const runtime = http.IncomingMessage.prototype as unknown as { _dump?: () => void };
const nativeDump = runtime._dump;

/**
 * Gives requests the short way to their end.
 * @param prototype one that inherits from the runtime's
 */
export function shortenEnd(prototype: object): void {
  if (!canMark || nativeDump === undefined) return;
  hide(prototype, { _dump: dump });
}

/** Whether nobody but the runtime listens for the end of the answer. The application may have put anything into `res`. */
function hasNoListeners(req: RuntimeRequest): boolean {
  const { res } = req;
  return (
    res instanceof http.ServerResponse && (res.req as unknown) === req && res.listenerCount('finish') === 1
  );
}

function dump(this: RuntimeRequest): void {
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
