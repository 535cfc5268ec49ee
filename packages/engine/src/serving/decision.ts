/** Responses that are as good as sent, for other code, while something is waited for: see @ristretto/response-hooks. */
import type { ServerResponse } from 'node:http';
import { deferred } from '../deferred';

export interface Decision {
  /** Replaces a method until the response is sent. */
  replaceMethod(name: string, method: (...args: unknown[]) => unknown): void;
  /** Gives the response its own members back. */
  release(): void;
}

interface ResponseHooks {
  Decision: new (res: ServerResponse, isHook: () => boolean, isComplete: boolean) => Decision;
  headersSent(): Error;
}

// The package is compiled after this one
export const hooks = deferred(() => require('@ristretto/response-hooks') as ResponseHooks);

/** On a response that is complete and waits. */
export const COMPLETE = Symbol.for('ristretto.complete');
