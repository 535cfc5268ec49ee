/** The symbol under which a response stores its gate. The gate holds back the response until its hooks have run. */
import type { ServerResponse } from 'node:http';
import type { Content } from './content';

/** Holds back a response until its hooks have run. */
export interface Gate {
  /** Whether a response, or its beginning, is waiting for its hooks. */
  readonly isHolding: boolean;
  /** Whether a response that has already been ended is waiting for its hooks. */
  readonly isHoldingWhole: boolean;
  /**
   * Runs the hooks with the complete body, and then sends it.
   * @param send receives the body as left by the hooks
   * @throws Error if a response is already waiting for its hooks
   */
  sendWhole(content: Content, send: (content: Content) => void): void;
  /** Discards everything that is held back. Everything sent afterwards bypasses the hooks. */
  bypass(): void;
}

/** The key of the gate on a response. */
export const GATE = Symbol('gate of the response');

export interface Gated {
  [GATE]?: Gate;
}

/** Returns the gate of a response; undefined if it has no hooks. */
export function gateOf(res: ServerResponse): Gate | undefined {
  return (res as Gated)[GATE];
}
