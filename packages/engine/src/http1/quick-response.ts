/** Gives responses the faster methods of this directory. */
import { endAtOnce } from './end';
import { canWriteDirectly } from '../http/native';
import { provenNode } from '../http/proven';
import { setHeadersQuickly } from '../http/set-header';

/**
 * Gives responses the faster methods, if this version of Node is known and its functions are unpatched.
 * @param prototype one that inherits from Node's
 */
export function quickenResponses(prototype: object): void {
  if (!canWriteDirectly) return;
  setHeadersQuickly(prototype);
  if (!provenNode!.endsInOneWrite) endAtOnce(prototype);
}
