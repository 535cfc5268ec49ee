/**
 * A response that has been passed on, and is not sent yet because its hooks are running. For all other code it is as if it
 * had been sent: setters of headers throw, and an assigned status changes nothing.
 */
import type { ServerResponse } from 'node:http';
import { inherited } from './methods';

const SETTERS = ['setHeader', 'appendHeader', 'removeHeader', 'setHeaders'] as const;
const STATUS = ['statusCode', 'statusMessage'] as const;

/** On a response: whether it is complete and waits, so that it needs no other. Read by Ristretto. */
export const COMPLETE = Symbol.for('ristretto.complete');

/** On a response that waits: a function that discards it. Called by Ristretto. */
const ABANDON = Symbol.for('ristretto.abandon');

/** On a request whose deadline has passed. Set by Ristretto. */
const EXPIRED = Symbol.for('ristretto.expired');

/** Whether the deadline of a request has passed, after which Ristretto ignores what its handler does. */
export function isExpired({ req }: ServerResponse): boolean {
  return EXPIRED in ((req as object | undefined) ?? {});
}

type Method = (this: ServerResponse, ...args: unknown[]) => unknown;

export class Decision {
  private isOver = false;
  /** The response's own properties, and their replacements. */
  private readonly replaced: {
    name: string | symbol;
    before: PropertyDescriptor | undefined;
    now: PropertyDescriptor;
  }[] = [];
  private readonly status: Record<string, unknown> = {};

  /**
   * @param isHook tells whether a hook is running, which may change status and headers
   * @param abandon discards what waits, so that another response can be sent; returns whether it has done so
   */
  constructor(
    private readonly res: ServerResponse,
    private readonly isHook: () => boolean,
    abandon: () => boolean,
  ) {
    const target = res as unknown as Record<string, unknown>;
    for (const name of SETTERS) {
      // Older Node and HTTP/2 lack some of these
      if (typeof target[name] === 'function') this.replaceMethod(name, this.guarded(target[name] as Method));
    }
    // The header block would be created before the hooks have changed it; npm's express-session calls the second in its `end`
    for (const name of ['flushHeaders', '_implicitHeader']) {
      if (typeof target[name] === 'function') this.replaceMethod(name, () => undefined);
    }
    for (const name of STATUS) {
      // HTTP/2 has no status message, and warns when it is read
      if (name === 'statusMessage' && 'stream' in res) continue;
      this.status[name] = target[name];
      const get = (): unknown => this.status[name];
      this.replace(name, { get, set: this.statusSetter(name) });
    }
    this.replace('headersSent', { get: () => !isHook() || inherited(res, 'headersSent') });
    this.replace(ABANDON, { value: abandon });
  }

  /** Notes that the whole response has been passed on. */
  complete(): this {
    this.replace(COMPLETE, { value: true });
    return this;
  }

  private guarded(setter: Method): Method {
    return (...args) => {
      if (this.isHook()) return setter.apply(this.res, args);
      // What a handler does after its deadline is ignored: thrown in a timer, the error would end the process
      if (isExpired(this.res)) return this.res;
      throw headersSent();
    };
  }

  private statusSetter(name: string): (value: unknown) => void {
    return value => {
      if (this.isHook()) this.status[name] = value;
    };
  }

  /** Replaces a method until the response is sent. A tool that wraps it meanwhile calls the original afterwards. */
  replaceMethod(name: string, method: Method): void {
    const original = (this.res as unknown as Record<string, Method>)[name]!;
    const value: Method = (...args) => (this.isOver ? original : method).apply(this.res, args);
    this.replace(name, { value, writable: true });
  }

  private replace(name: string | symbol, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(this.res, name);
    const now = { ...descriptor, configurable: true };
    Object.defineProperty(this.res, name, now);
    this.replaced.push({ name, before, now });
  }

  /** Gives the response its own members back, to send it or to send an error instead. */
  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { res, status } = this;
    for (const { name, before, now } of this.replaced) {
      const current = Object.getOwnPropertyDescriptor(res, name);
      if (current?.value !== now.value || current?.get !== now.get) continue;
      if (before === undefined) Reflect.deleteProperty(res, name);
      else Object.defineProperty(res, name, before);
    }
    const target = res as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(status)) if (target[name] !== value) target[name] = value;
  }
}

/** The error of Node for a response that has been sent. */
export function headersSent(): Error {
  const message = 'Cannot set headers: the response has been sent, and its hooks are still running';
  const error = Object.assign(new Error(message), { code: 'ERR_HTTP_HEADERS_SENT' });
  // The first call comes from the program
  Error.captureStackTrace(error, headersSent);
  return error;
}
