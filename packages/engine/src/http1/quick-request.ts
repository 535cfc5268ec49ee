/** Gives requests the faster methods of this directory. */
import { shortenEnd } from './dump';
import { canMark, wereNative } from './request-state';
import { provenNode } from '../http/proven';
import { handOverBodies } from './take-body';

/**
 * Gives requests the faster methods, if this version of Node is known and its functions are unpatched.
 * @param prototype one that inherits from Node's
 */
export function quickenRequests(prototype: object): void {
  if (provenNode === undefined || !canMark || !wereNative) return;
  shortenEnd(prototype);
  handOverBodies(prototype);
}
