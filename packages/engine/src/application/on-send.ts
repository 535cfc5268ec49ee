/** `app.onSend`: hooks for all responses of an application. */
import { deferred } from '../deferred';
import type { CapturedStack } from '../dev/place';
import { linkMessages } from './first-layers';
import { captureRegistrationStack } from '../router/registrations';
import { shown } from '../shown';
import type * as sendHooks from '../message/response/send-hooks';
import type { Hook } from '../message/response/send-hooks';
import type { Application, Response } from '../types/internals';
import { isForeign } from './handling';

const adding = deferred(() => require('../message/response/send-hooks') as typeof sendHooks);
const hooksOf = new WeakMap<Application, Registered[]>();

interface Registered {
  readonly hook: Hook;
  readonly trace: CapturedStack | undefined;
}

/**
 * Adds a hook to every response of the application, before the hooks of `res.onSend`. Replaces `handle` only in
 * applications that have hooks, so that others pay nothing.
 */
export function onSend(this: Application, hook: Hook): Application {
  if (typeof hook !== 'function')
    throw new TypeError(`app.onSend(): expected a function, got ${shown(hook)}`);
  const registered = { hook, trace: captureRegistrationStack() };
  const known = hooksOf.get(this);
  if (known !== undefined) {
    known.push(registered);
    return this;
  }
  const hooks: Registered[] = [registered];
  hooksOf.set(this, hooks);
  const { handle } = this;
  this.handle = function (this: Application, req, res, done) {
    if (!res.headersSent && !isForeign(this, req)) {
      // A hook needs the members of the response, which the router would add later.
      linkMessages(this, req as never, res as never);
      for (const one of hooks) adding().addHook(res as Response, one.hook, one.trace);
    }
    handle.call(this, req, res, done);
  };
  return this;
}
