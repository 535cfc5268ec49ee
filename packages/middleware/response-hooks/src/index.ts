/**
 * Hooks that run just before a response is sent: middleware uses them to set its last headers, store a session, or
 * compress the body.
 */
import type { Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import type { ResponseHook } from './hook';
import { Interceptor } from './interceptor';
import type { Guard } from './gate';
import type { InterceptedResponse } from './interceptor';
import { INTERCEPTOR } from './methods';

export { Decision, headersSent } from './decision';
export { applyWriteHeadArguments, removeLength } from './headers';
export { destroyInTurn } from './methods';
export type { Content, Output, ResponseHook } from './hook';

/**
 * Adds a hook that runs before the response goes out.
 * @param res any response of Node: `http`, `http2`, or of a framework
 * @throws TypeError if `res` is not a response, or the hook has none of its functions; Error if its headers have been sent
 */
export function addResponseHook(res: ServerResponse | Http2ServerResponse, hook: ResponseHook): void {
  const response = res as InterceptedResponse;
  if (typeof response?.writeHead !== 'function' || typeof response.end !== 'function') {
    throw new TypeError(
      `addResponseHook: expected a response, got ${response === null ? 'null' : typeof res}`,
    );
  }
  if (response.headersSent) {
    const error = new Error('addResponseHook: the headers have been sent, so the hook would never run');
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }
  if (hook?.head === undefined && hook?.whole === undefined && hook?.pieces === undefined) {
    throw new TypeError(
      `addResponseHook: expected an object with a function head, whole or pieces, got ${hook === null ? 'null' : typeof hook}`,
    );
  }
  const top = response[INTERCEPTOR]?.top;
  (top?.isOnTop() === true ? top : new Interceptor(response)).add(hook);
}

/** For Ristretto's `res.onSend`: what runs before all hooks, and before length and entity tag are computed. */
export function addGate(res: InterceptedResponse, guard: Guard): void {
  const top = res[INTERCEPTOR]?.top;
  // That of another copy of this package may not know gates
  (top instanceof Interceptor && top.isOnTop() ? top : new Interceptor(res, true)).addGate(guard);
}
