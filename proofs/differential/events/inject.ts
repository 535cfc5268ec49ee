/**
 * Requests without a server: the program's own message classes are passed to the application, as tools do that test
 * without a network. The classes are inserted below the framework's prototypes, because the framework replaces the
 * messages' own.
 */
import http from 'node:http';
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import type { Action, Ask } from './program.js';
import type { Listener, Site } from './site.js';
import type { Holder, Replacements } from './wrap.js';

/** Keeps a copy of what is sent. */
class InjectedResponse extends http.ServerResponse {
  readonly kept: Buffer[] = [];

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    this.keep(chunk);
    return (super.write as (...args: unknown[]) => boolean).call(this, chunk, ...rest);
  }

  override end(chunk?: unknown, ...rest: unknown[]): this {
    if (typeof chunk !== 'function') this.keep(chunk);
    return (super.end as (...args: unknown[]) => this).call(this, chunk, ...rest);
  }

  private keep(chunk: unknown): void {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.kept.push(Buffer.from(chunk));
  }
}

class InjectedRequest extends http.IncomingMessage {
  override _read(): void {
    // The body has already been pushed
  }
}

/** A connection that accepts all writes. */
class Sink extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  override _read(): void {
    // There is nothing to read
  }

  setTimeout(): this {
    return this;
  }
}

interface Injected {
  res: InjectedResponse;
  sink: Sink;
}

/** A client without a connection, with the actions that make sense without one. */
export class Injector {
  private readonly injected: Injected[] = [];
  readonly isPaused = false;
  moved = 0;

  constructor(private readonly site: Site) {}

  static putBeneath(web: Web, replacements: Replacements): void {
    const { request, response } = web as unknown as Holder;
    replacements.setPrototype(lowest(request, http.IncomingMessage.prototype), InjectedRequest.prototype);
    replacements.setPrototype(lowest(response, http.ServerResponse.prototype), InjectedResponse.prototype);
  }

  act({ send, stop }: Action): void {
    this.moved++;
    for (const ask of send ?? []) this.inject(ask);
    if (stop) this.close();
  }

  isUnderWay(): boolean {
    return false;
  }

  signal(): void {
    // There is no connection to close.
  }

  close(): void {
    for (const { sink } of this.injected) sink.destroy();
  }

  received(): string {
    return this.injected
      .map(({ res, sink }) => {
        const bytes = Buffer.concat(sink.chunks).toString('latin1');
        const kept = Buffer.concat(res.kept ?? []).toString('latin1');
        return `${bytes}\n[kept] ${kept}`.replace(
          /(?:abcdefghij){4,}|x{40,}/gi,
          run => `(${run.length} bytes)`,
        );
      })
      .join('\n');
  }

  private inject(ask: Ask): void {
    const sink = new Sink();
    const { IncomingMessage = InjectedRequest, ServerResponse = InjectedResponse } =
      this.site.messageClasses();
    const req = new IncomingMessage(sink as unknown as Socket);
    const [major, minor] = (ask.version ?? '1.1').split('.').map(Number);
    const headers = Object.fromEntries(ask.headers.map(([name, value]) => [name.toLowerCase(), value]));
    if (ask.body !== undefined) headers['content-length'] = String(ask.body.length);
    Object.assign(req, {
      method: ask.method,
      url: ask.target,
      headers,
      httpVersionMajor: major,
      httpVersionMinor: minor,
    });
    const res = new ServerResponse(req) as InjectedResponse;
    res.assignSocket(sink as unknown as Socket);
    this.injected.push({ res, sink });
    this.site.arrive(req, res);
    (this.site.app as unknown as Listener)(req, res);
    if (ask.body !== undefined) req.push(Buffer.from(ask.body, 'latin1'));
    req.complete = true;
    req.push(null);
  }
}

/** Returns the object of the prototype chain that inherits directly from Node's prototype. */
function lowest(prototype: object, runtime: object): object {
  let link = prototype;
  for (;;) {
    const next = Object.getPrototypeOf(link) as object | null;
    if (next === runtime || next === null) return link;
    link = next;
  }
}
