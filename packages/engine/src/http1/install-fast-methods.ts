/** Gives requests and responses the faster methods of this directory. */
import { canWriteDirectly } from '../http/native';
import { SENDER } from '../http/respond';
import { setHeadersQuickly } from '../http/set-header';
import { verifiedNode } from '../http/verified-node-versions';
import { endAtOnce } from './end';
import { endUnreadRequestsQuickly } from './end-unread-request';
import { canMark, wereNative } from './request-state';
import { handOverBodies } from './take-body';
import { sendOverHttp1 } from './write';

/**
 * Gives requests the faster methods, if this version of Node is known and its functions are unpatched.
 * @param prototype one that inherits from Node's
 */
export function installFastRequestMethods(prototype: object): void {
  if (verifiedNode === undefined || !canMark || !wereNative) return;
  endUnreadRequestsQuickly(prototype);
  handOverBodies(prototype);
}

/**
 * Gives responses the faster methods, if this version of Node is known and its functions are unpatched.
 * @param prototype one that inherits from Node's
 */
export function installFastResponseMethods(prototype: object): void {
  if (!canWriteDirectly) return;
  setHeadersQuickly(prototype);
  Object.defineProperty(prototype, SENDER, { value: sendOverHttp1, writable: true });
  if (!verifiedNode!.endsInOneWrite) endAtOnce(prototype);
}
