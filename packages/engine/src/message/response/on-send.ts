/** `res.onSend`: hooks that see a response before it is sent. */
import { deferred } from '../../deferred';
import { captureRegistrationStack } from '../../router/registrations';
import type { Response } from '../../types/internals';
import { mistakesOf } from './mistakes';
import type * as sendHooks from './send-hooks';
import type { Hook } from './send-hooks';

const hooks = deferred(() => require('./send-hooks') as typeof sendHooks);

/**
 * Adds a hook that runs before any part of the response is sent, after those that were added before.
 *
 * @param hook receives the body (undefined for streams and files, which are not known as a whole) and the response,
 * whose status and headers it may change; returns another body (string or bytes), or nothing. It may be asynchronous.
 * Its errors go to the error handlers.
 * @returns the response, for chaining
 * @throws TypeError if the hook is not a function; Error if the headers have been sent
 * @example res.onSend((body, res) => void res.set('X-Elapsed', String(Date.now() - start)));
 */
export function onSend(this: Response, hook: Hook): Response {
  if (typeof hook !== 'function') {
    throw new TypeError(`res.onSend: expected a function, got ${hook === null ? 'null' : typeof hook}`);
  }
  if (this.headersSent) {
    const error = new Error('res.onSend: the headers have been sent, so the hook would never run');
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }
  hooks().addHook(this, hook, mistakesOf(this) && captureRegistrationStack());
  return this;
}
