/**
 * Replaces Node's methods on the prototypes of requests and responses, if this version of Node is known and its
 * functions are unpatched.
 */
import { bypassStreams } from './bypass-stream';
import { canWriteDirectly } from './native';
import { canBypassStreams } from './request-state';
import { setHeadersQuickly } from './fields';

type Extend = (prototype: object) => void;

/** A process may have one for each version of the API. */
const responses: object[] = [];
const extensions: Extend[] = [];

/** @param prototype one that inherits from Node's */
export function extendRequests(prototype: object): void {
  if (canBypassStreams) bypassStreams(prototype);
}

/** @param prototype one that inherits from Node's */
export function extendResponses(prototype: object): void {
  if (!canWriteDirectly) return;
  setHeadersQuickly(prototype);
  responses.push(prototype);
  for (const extend of extensions) extend(prototype);
}

/**
 * Lets a kind of server extend the prototypes of all versions, existing ones and later ones. It is for servers whose
 * responses are Node's own, and have no properties of their own.
 */
export function onResponsePrototypes(extend: Extend): void {
  extensions.push(extend);
  responses.forEach(extend);
}
