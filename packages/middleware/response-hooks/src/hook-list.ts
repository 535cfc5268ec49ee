/** The hooks of a response that have not been called yet. */
import type { ServerResponse } from 'node:http';
import { isPromise } from './content';
import type { Content, ResponseHook } from './hook';

export type Result = Content | Promise<Content>;

/**
 * A hook, linked to the one added before it. Arrays would take four times the memory for each response.
 */
interface Added {
  readonly hook: ResponseHook;
  /** The previous one with `head`, and the previous one with `whole` or `pieces`. */
  readonly head: Added | undefined;
  readonly body: Added | undefined;
}

/** Calls each hook once, those that were added last first. */
export class HookList {
  /** The last hook with `head`, and the last one with `whole` or `pieces`. */
  protected head: Added | undefined = undefined;
  protected body: Added | undefined = undefined;
  /** Whether a hook is running synchronously; later changes may come from other code. */
  protected isInHook = false;
  /** The error that a hook has thrown while one of the response's methods was called. */
  protected failure: { error: unknown } | undefined = undefined;

  constructor(protected readonly res: ServerResponse) {}

  add(hook: ResponseHook): void {
    const added: Added = { hook, head: this.head, body: this.body };
    if (hook.head !== undefined) this.head = added;
    if (hook.whole !== undefined || hook.pieces !== undefined) this.body = added;
  }

  protected runHeads(content: Content | undefined): void {
    this.run(() => {
      for (let added = this.head; added !== undefined; added = this.head) {
        this.head = added.head;
        added.hook.head!(this.res, content);
      }
    });
  }

  /** Calls functions of hooks. What they throw is handled where the response was called, which may be a timer. */
  protected run<T>(call: () => T): T {
    const wasInHook = this.isInHook;
    this.isInHook = true;
    try {
      return call();
    } catch (error) {
      this.failure ??= { error };
      throw error;
    } finally {
      this.isInHook = wasInHook;
    }
  }

  /** Returns the body to send. */
  protected runWholes(content: Content): Result {
    let body = content;
    for (let added = this.body; added !== undefined; added = this.body) {
      this.body = added.body;
      const changed = this.call(added.hook, body);
      if (isPromise(changed)) return this.runWholesAfter(changed, body);
      if (changed !== undefined) body = changed;
    }
    return body;
  }

  private call(hook: ResponseHook, body: Content): Content | undefined | Promise<Content | undefined> {
    this.isInHook = true;
    try {
      return hook.whole?.(this.res, body);
    } finally {
      this.isInHook = false;
    }
  }

  private async runWholesAfter(
    promise: PromiseLike<Content | undefined>,
    content: Content,
  ): Promise<Content> {
    const changed = await promise;
    return this.runWholes(changed ?? content);
  }

  /** Returns the hooks that receive a body in chunks, the one added first in front. */
  protected takeBodies(): ResponseHook[] {
    const hooks: ResponseHook[] = [];
    for (let added = this.body; added !== undefined; added = added.body) hooks.unshift(added.hook);
    this.body = undefined;
    return hooks;
  }
}
