/** `req.signal`: an AbortSignal for the operations of a handler, aborted when the response is no longer needed. */
import { deferred } from '../../deferred';
import type * as Signal from '../../serving/signal';
import { setOwn } from '../../protocol/own-property';

const signals = deferred(() => require('../../serving/signal') as typeof Signal);

/**
 * The descriptor of `req.signal`. It is not enumerable, because Express has no such member, and undefined without a
 * response. Assigning a value creates an own property of the request.
 */
export const signal: PropertyDescriptor & ThisType<Partial<Signal.SignalledRequest>> = {
  configurable: true,
  get() {
    // A request that has opened a WebSocket has released its response.
    if (this.res === undefined && !signals().hasSocket(this)) return undefined;
    return signals().signalOf(this as Signal.SignalledRequest);
  },
  set(value: unknown) {
    setOwn(this, 'signal', value);
  },
};
