/**
 * Responses that wait for their hooks. The gate of a response holds it back until these have run; meanwhile, it is for other code as if it
 * had been sent: see @ristretto/response-hooks.
 */
import type { ServerResponse } from 'node:http';
import { deferred } from '../deferred';
import type { Content } from './content';

/** Holds back a response until its hooks have run. */
export interface Gate {
  readonly guard: Guard;
  /** The method that creates the header block, without the gate's own. */
  readonly headerMethod: unknown;
  /** Whether a response, or its beginning, is waiting for its hooks. */
  readonly isHolding: boolean;
  /**
   * Runs the hooks with the complete body, and then sends it.
   * @param send receives the body as left by the hooks
   * @throws Error if a response is already waiting for its hooks
   */
  sendWhole<Form extends Content>(content: Form, send: (content: Form) => void): void;
  /** Discards everything that is held back. Everything sent afterwards bypasses the hooks. */
  bypass(): void;
  /** Calls code that sends another response in place of the one that has been discarded. */
  runErrorHandlers(call: () => void): void;
}

/** The key of the gate on a response. */
export const GATE: unique symbol = Symbol.for('ristretto.gate') as never;

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
  /** Notes that the whole response has been passed on. */
  complete(): this;
  /** Gives the response its own members back. */
  release(): void;
}

/** What a response waits for before it is sent: the functions of `res.onSend`. */
export interface Guard {
  examine(
    content: string | Uint8Array | undefined,
    isStream: boolean,
  ): Content | Uint8Array | undefined | Promise<Content | Uint8Array | undefined>;
  isHook(): boolean;
  failed(error: unknown): void;
  refuseSecond(): void;
  failedLate(error: unknown): void;
}

interface ResponseHooks {
  Decision: new (res: ServerResponse, isHook: () => boolean, abandon: () => boolean) => Decision;
  addGate(res: ServerResponse, guard: Guard): void;
  headersSent(): Error;
  applyWriteHeadArguments(res: ServerResponse, rest: readonly unknown[]): string | undefined;
  removeLength(res: ServerResponse): void;
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

const ABANDON = Symbol.for('ristretto.abandon');

/** Whether a response, or its beginning, waits for hooks or for a schema. */
export function isWaiting(res: ServerResponse): boolean {
  return ABANDON in res;
}

/** Discards what waits for hooks or for a schema. @returns whether anything did, so that nothing has been sent */
export function abandonWaiting(res: ServerResponse & { [ABANDON]?: () => boolean }): boolean {
  return res[ABANDON]?.() === true;
}
