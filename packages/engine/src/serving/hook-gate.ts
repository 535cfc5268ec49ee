/**
 * Responses that wait for their hooks. The gate of a response holds it back until these have run; meanwhile, it is for other code as if it
 * had been sent: see @ristretto/response-hooks.
 */
import type { ServerResponse } from 'node:http';
import { deferred } from '../deferred';
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

/** Returns what a response says itself, without the members that it has while hooks run. */
export function inherited(res: ServerResponse, name: 'headersSent' | 'writableEnded'): boolean {
  return Reflect.get(Object.getPrototypeOf(res) as object, name, res) as boolean;
}

/** A response that is as good as sent for other code. */
export interface Decision {
  /** Replaces a method until the response is sent. */
  replaceMethod(name: string, method: (...args: unknown[]) => unknown): void;
  /** Gives the response its own members back. */
  release(): void;
}

interface ResponseHooks {
  Decision: new (res: ServerResponse, isHook: () => boolean, isComplete: boolean) => Decision;
  headersSent(): Error;
  applyWriteHeadArguments(res: ServerResponse, rest: readonly unknown[]): string | undefined;
  resetResponse(res: ServerResponse): void;
  isUntouched(res: ServerResponse): boolean;
  throwErrors(res: ServerResponse, call: () => void): void;
}

// The package is compiled after this one
export const hooks = deferred(() => require('@ristretto/response-hooks') as ResponseHooks);

/** The key of a function on a response, which is called when another response takes the place of one that was held back. */
export const ON_RESET = Symbol.for('ristretto.onReset');

export interface Resettable {
  [ON_RESET]?: () => void;
}

/** On a response that is complete and waits. */
export const COMPLETE = Symbol.for('ristretto.complete');
