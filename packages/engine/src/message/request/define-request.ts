/** Creates the prototype of the requests of a version: Node's, with the members of the API. */
import { IncomingMessage } from 'node:http';
import { extendRequests } from '../../serving/message-prototypes';
import { matchedPathProperty } from '../../router/matched-path';
import { defineParsedUrl } from '../../router/parsed-url';
import { setVersion } from '../../version';
import type { Version } from '../../version';
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

/**
 * Creates a prototype that inherits directly from Node's: members that a version lacks must not be inherited, and what
 * a tool patches in one version must not affect another.
 * @param methods the methods of this version, by name
 * @param getters the functions that compute its properties on each access; without setters
 */
export function defineRequest(
  version: Version,
  methods: object,
  getters: Readonly<Record<string, () => unknown>>,
): IncomingMessage {
  const request = Object.create(IncomingMessage.prototype) as IncomingMessage;
  Object.assign(request, methods);
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
  }
  // Not enumerable, because Express does not have them.
  Object.defineProperty(request, 'matchedPath', matchedPathProperty);
  Object.defineProperty(request, 'signal', signal);
  // Tools need this, and also assign it; in Express it is a property of each request.
  defineParsedUrl(request);
  extendRequests(request);
  setVersion(request, version);
  return request;
}
