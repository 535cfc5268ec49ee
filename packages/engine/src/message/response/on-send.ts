/** `res.onSend`: hooks that see a response before it is sent. */
import { deferred } from '../../deferred';
import { captureRegistrationStack } from '../../router/registrations';
import type { Response } from '../../types/internals';
import { mistakesOf } from './mistakes';
import type * as sendHooks from './send-hooks';
import type { Hook } from './send-hooks';

const hooks = deferred(() => require('./send-hooks') as typeof sendHooks);

/** Adds a hook that runs before any part of the response is sent, after those that were added before. */
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
