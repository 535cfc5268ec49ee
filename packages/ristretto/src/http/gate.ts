/** Where a response that has hooks keeps what holds it back until they have run. */
import type { ServerResponse } from 'node:http';
import type { Content } from './content';

/** Holds back a response until its hooks have run. */
export interface Gate {
  /** Whether a response, or its beginning, waits for its hooks. */
  readonly isHolding: boolean;
  /** Whether a response that has been ended waits for its hooks. */
  readonly isHoldingWhole: boolean;
  /**
   * Runs the hooks with a whole body, and then sends it.
   * @param send gets the body that the hooks have left
   * @throws Error if a response is waiting for its hooks already
   */
  sendWhole(content: Content, send: (content: Content) => void): void;
  /** Drops what is held back. What is sent from now on passes without hooks. */
  bypass(): void;
}

/** On a response. */
export const GATE = Symbol('gate of the response');

/** The gate of a response; undefined if it has no hooks. */
export function gateOf(res: ServerResponse): Gate | undefined {
  return (res as { [GATE]?: Gate })[GATE];
}
