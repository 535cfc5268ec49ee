/** `req.signal`: tells what a handler waits for that the response is no longer wanted. */
import type * as Signal from '../http/signal';
import { setOwn } from '../protocol/own-property';

/**
 * The descriptor of `req.signal`. It is not enumerable, since Express has none, and undefined without a response. Who
 * assigns another value gives the request a property of its own.
 */
export const signal: PropertyDescriptor & ThisType<Partial<Signal.SignalledRequest>> = {
  configurable: true,
  get() {
    if (this.res === undefined) return undefined;
    return (require('../http/signal') as typeof Signal).signalOf(this as Signal.SignalledRequest);
  },
  set(value: unknown) {
    setOwn(this, 'signal', value);
  },
};
