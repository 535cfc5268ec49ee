/** Runs the hooks of a response, and determines where their errors go. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { inspect, types } from 'node:util';
import { bufferOf } from '../../protocol/bytes';
import type { Content } from '../../serving/content';
import type { CapturedStack } from '../../dev/place';
import { gateOf, hooks } from '../../serving/hook-gate';
import type { Guard } from '../../serving/hook-gate';
import { isPromise } from '../../realms';
import { expiryOf } from '../../router/expiry';
import { reportLate } from '../../router/rejection';
import type { Request, Response } from '../../types/internals';
import { mistakesOf } from './mistakes';

/** A hook as passed to `res.onSend`. */
export type Hook = (this: Response, body: Content | undefined, res: Response) => unknown;

type Body = Content | undefined;
type Next = (error: unknown) => void;

/** Adds a hook to those of a response. @param registered the calls that registered it, if they were recorded */
export function addHook(res: Response, hook: Hook, registered: CapturedStack | undefined): void {
  let guard = gateOf(res)?.guard as SendHooks | undefined;
  if (guard === undefined) {
    guard = new SendHooks(res);
    hooks().addGate(res, guard);
  }
  guard.add(hook, registered);
}

/** The running hooks, to distinguish changes that a hook makes after an `await` from changes that the handler makes meanwhile. */
const running = new AsyncLocalStorage<SendHooks>();

class SendHooks implements Guard {
  private readonly hooks: Hook[] = [];
  /** The calls that registered the hooks, in development. */
  private registrations: Map<Hook, CapturedStack> | undefined = undefined;
  /** Kept here, because an error of a hook that ran after `delete res.req` would end the process. */
  private readonly req: Request;
  /** Used for errors when the request has left all routers, for example before a 404. */
  private readonly next: Next | undefined;

  constructor(private readonly response: Response) {
    this.req = response.req;
    this.next = this.req.next;
  }

  add(hook: Hook, registered: CapturedStack | undefined): void {
    this.hooks.push(hook);
    if (registered !== undefined) (this.registrations ??= new Map()).set(hook, registered);
  }

  examine(content: string | Uint8Array | undefined, isStream: boolean): Body | Promise<Body> {
    return this.runFrom(0, types.isUint8Array(content) ? bufferOf(content) : content, isStream);
  }

  /** Runs the hooks from an index on; asynchronous only if a hook returns a promise. */
  private runFrom(start: number, content: Body, isStream: boolean): Body | Promise<Body> {
    let body = content;
    for (let at = start; at < this.hooks.length; at++) {
      const hook = this.hooks[at]!;
      try {
        const result = this.call(hook, body);
        if (isPromise(result)) return this.runAfter(result, at, body, isStream);
        body = this.bodyAfter(hook, result, body, isStream);
      } catch (error) {
        this.remove(hook);
        throw error;
      }
    }
    return body;
  }

  private async runAfter(
    promise: PromiseLike<unknown>,
    at: number,
    content: Body,
    isStream: boolean,
  ): Promise<Body> {
    let body: Body;
    const hook = this.hooks[at]!;
    try {
      body = this.bodyAfter(hook, await promise, content, isStream);
    } catch (error) {
      this.remove(hook);
      throw error;
    }
    return gateOf(this.response)!.isHolding ? this.runFrom(at + 1, body, isStream) : body;
  }

  private call(hook: Hook, body: Body): unknown {
    return running.run(this, () => hook.call(this.response, body, this.response));
  }

  isHook(): boolean {
    return running.getStore() === this;
  }

  /**
   * Returns the body after a hook. Values that short arrow functions return by accident (the response, a number) are
   * ignored.
   */
  private bodyAfter(hook: Hook, result: unknown, body: Body, isStream: boolean): Body {
    const isBytes = types.isUint8Array(result);
    if (typeof result === 'string' || isBytes) {
      if (isStream) {
        throw this.explained(
          new TypeError(`onSend: ${describe(hook)} cannot replace a body that is sent in chunks`),
          hook,
        );
      }
      return isBytes ? bufferOf(result) : result;
    }
    if (typeof result === 'object' && result !== null && !isResponse(result)) {
      const got = inspect(result, { depth: 0 });
      throw this.explained(
        new TypeError(`onSend: expected a string, a Buffer or undefined from ${describe(hook)}, got ${got}`),
        hook,
      );
    }
    return body;
  }

  /** Adds where the hook was registered, in development: the stack only leads to where the response was sent. */
  private explained(error: TypeError, hook: Hook): TypeError {
    const registered = this.registrations?.get(hook);
    if (registered !== undefined) mistakesOf(this.response)?.explainHook(error, registered);
    return error;
  }

  /** Removes a failed hook, so that it does not run for the response to its own error. */
  private remove(hook: Hook): void {
    this.hooks.splice(this.hooks.indexOf(hook), 1);
  }

  failed(error: unknown): void {
    const { response: res } = this;
    const reason = error || new Error(`A hook of res.onSend failed without a reason (${String(error)})`);
    const next: Next | undefined = this.req.next ?? this.next;
    if (next !== undefined) {
      next(reason);
      return;
    }
    reportLate(reason, this.req);
    gateOf(res)!.bypass();
    res.statusCode = 500;
    res.end(STATUS_CODES[500]);
  }

  refuseSecond(): void {
    const expiry = expiryOf(this.req);
    if (expiry?.hasResponded() !== true) throw hooks().headersSent();
    expiry.reportLate();
  }

  failedLate(error: unknown): void {
    reportLate(error, this.req);
  }
}

/** Names a hook in messages. */
function describe({ name }: Hook): string {
  return name === '' ? 'a hook' : `the hook '${name}'`;
}

/** A hook may return the result of `res.set`. */
function isResponse(value: object): value is ServerResponse {
  return typeof (value as Partial<ServerResponse>).writeHead === 'function';
}
