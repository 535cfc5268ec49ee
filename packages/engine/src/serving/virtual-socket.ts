/**
 * Stands in for the socket of a request that did not arrive over HTTP/1.1, but on an HTTP/2 stream or as a `Request`
 * object.
 *
 * So the messages are always Node's own `IncomingMessage` and `ServerResponse`, with everything that middleware reads,
 * calls or patches. `virtual-response.ts` keeps the response from framing its message as HTTP/1.1 does; the response then
 * writes only content to its socket, and this class passes it on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex, getDefaultHighWaterMark } from 'node:stream';
import { parseFields } from './head';
import type { Head, HeadFields, VirtualRequest, VirtualResponse } from './head';
import { inherited } from './hook-gate';
import { symbolNamed } from './node-internals';
import { nodeProcess } from '../node-process';

const OPTIONS = { decodeStrings: false, autoDestroy: false };

/** Called as with `util.inherits`: on an existing object. */
const construct = Duplex as unknown as (this: object, options: object) => void;

const STATES = ['_readableState', '_writableState'] as const;

/**
 * A duplex stream whose state is created when it is first used as a stream. Most virtual sockets are never used as one, and creating the
 * state takes longer than the rest of a small request.
 */
const Lazy = function () {
  // Its state is created later
} as unknown as typeof Duplex;

Lazy.prototype = Object.create(Duplex.prototype) as Duplex;
for (const name of STATES) {
  Object.defineProperty(Lazy.prototype, name, {
    configurable: true,
    get(this: Record<string, unknown>) {
      construct.call(this, OPTIONS);
      return this[name];
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

class Eager extends Duplex {
  constructor() {
    super(OPTIONS);
  }
}

/** If `Duplex` can only be called with `new`, the state is created immediately. */
const LazyDuplex = (canMakeLater() ? Lazy : Eager) as new () => Duplex;

function canMakeLater(): boolean {
  try {
    const sample = Object.create(Duplex.prototype) as Duplex;
    construct.call(sample, OPTIONS);
    return STATES.every(hasState, sample);
  } catch {
    return false;
  }
}

function hasState(this: object, name: string): boolean {
  return Object.hasOwn(this, name);
}

/** Whether the object has been used as a stream. */
function isInUse(stream: Duplex): boolean {
  return Object.hasOwn(stream, STATES[0]);
}

/** Members that have no effect without a socket, but that middleware may call. */
abstract class InertSocket extends LazyDuplex {
  override _read(): void {
    // The content of a request does not pass through this stream.
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  destroySoon(): void {
    this.end();
  }
}

type Done = (error?: Error | null) => void;

/** The description of the symbol with which Node records that a response is waiting for `drain`. */
const NEED_DRAIN = 'kNeedDrain';

const REFUSED_STATUS = 500;
const REFUSED_TEXT = 'Internal Server Error';

export abstract class VirtualSocket extends InertSocket {
  /** Set by Node: the response being sent, and whether the connection failed. */
  _httpMessage: VirtualResponse | null = null;
  _hadError = false;

  protected req!: VirtualRequest;
  protected res!: VirtualResponse;
  /** The header section, from its creation by the response until it is sent. */
  private due: Head | undefined;
  /** The bytes of content still expected, if known. */
  private remaining = Infinity;
  private isContentOver = false;
  private isReading = false;
  /** Whether the response has emitted `finish`. */
  protected isSent = false;
  /** Whether both directions have ended. */
  isOver = false;

  constructor(
    /** Called with the error if a header or a status cannot be sent. */
    protected readonly report: (error: unknown) => void,
  ) {
    super();
  }

  /** Sends the header section, which also ends the response if `isLast` is true. @throws if it cannot be sent */
  protected abstract sendHead(head: Head, isLast: boolean): void;
  /** Sends content. */
  protected abstract sendContent(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void;
  /** Sends the last content and ends the response. */
  protected abstract sendLast(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void;
  /** Ends a response whose content has been sent. */
  protected abstract sendEnd(done: Done): void;
  /** Sends an informational response. @throws if it cannot be sent */
  protected abstract inform(status: number, fields: HeadFields): void;
  /** Starts or resumes reading the content of the request. */
  protected abstract startReading(): void;
  protected abstract stopReading(): void;
  /** Aborts both directions. */
  protected abstract abortBoth(): void;
  /** Calls `timedOut` after a period without activity. */
  protected abstract watchIdle(milliseconds: number): void;

  /** Connects the request and response to this object, as Node's server connects them to a connection. */
  host(req: IncomingMessage, res: ServerResponse): void {
    this.req = req as VirtualRequest;
    this.res = res as VirtualResponse;
    this._httpMessage = this.res;
    (res as { socket: unknown }).socket = this;
  }

  /** Releases the response after it has been sent, as Node's server does. */
  release(): void {
    const { req, res } = this;
    this.isSent = true;
    // The carrying stream handles the unread rest of a request, so that the client need not send it.
    if (req.complete || this.isReading) req._dump();
    this._httpMessage = null;
    (res as { socket: unknown }).socket = null;
    nodeProcess.nextTick(close, res);
  }

  /** Passes content to the request, and returns whether more is wanted. */
  protected receive(chunk: Uint8Array): boolean {
    const { req } = this;
    return req._dumped || req.destroyed || req.push(chunk);
  }

  /** Completes the request. @param rawTrailers alternating names and values */
  completeRequest(rawTrailers: string[] = []): void {
    const { req } = this;
    if (req.complete) return;
    req.complete = true;
    if (rawTrailers.length > 0) req._addHeaderLines(rawTrailers, rawTrailers.length);
    if (!req.destroyed) req.push(null);
  }

  /** Cleans up after both directions have ended and the response is complete. An unread request gets no more data. */
  protected leave(): void {
    const { req } = this;
    this.isOver = true;
    if (isInUse(this)) this.destroy();
    if (req.complete) return;
    if (this.isReading) {
      req.destroy(disconnected());
    } else {
      this.completeRequest();
      req._dump();
    }
  }

  /**
   * Aborts the request and response because the client or the carrying stream disconnected before the response was
   * complete.
   */
  protected abort(): void {
    const { req, res } = this;
    this._hadError = true;
    this.destroy();
    if (!req.complete || !res.writableFinished) req.destroy(disconnected());
  }

  /** Handles inactivity for the time that was set: aborts the request if there is no listener. */
  protected timedOut(): void {
    const { req, res } = this;
    const isHeardByRequest = !req.complete && req.emit('timeout', this);
    const isHeardByResponse = res.emit('timeout', this);
    if (!this.emit('timeout') && !isHeardByRequest && !isHeardByResponse) this.destroy();
  }

  /**
   * Stores the header section of the response. It is sent with the first content, or when the response ends without
   * any.
   */
  takeHead(head: Head): void {
    this.due = head;
    this.remaining = head.length ?? Infinity;
  }

  /** Sends a complete response. */
  respond(head: Head, content: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    this.isContentOver = true;
    try {
      if (content.length > 0) {
        this.sendWhole(head, content, encoding, done);
      } else {
        this.sendHead(head, true);
        nodeProcess.nextTick(done);
      }
    } catch (error) {
      this.refuse(error);
      nodeProcess.nextTick(done);
    }
  }

  protected sendWhole(head: Head, content: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    this.sendHead(head, false);
    this.sendLast(content, encoding, done);
  }

  private sendDueHead(isLast: boolean): void {
    const { due } = this;
    if (due === undefined) return;
    this.due = undefined;
    if (isLast || due.isBodiless) this.isContentOver = true;
    try {
      this.sendHead(due, this.isContentOver);
    } catch (error) {
      this.refuse(error);
    }
  }

  /**
   * Sends a 500 instead of a response that HTTP/1.1 allows but this virtual socket cannot send, or aborts one that has
   * begun, and reports the error instead of throwing it, which could end the process.
   */
  private refuse(error: unknown): void {
    this.isContentOver = true;
    this.res.statusCode = REFUSED_STATUS;
    const { length } = REFUSED_TEXT;
    const fields = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(length) };
    const head = { status: REFUSED_STATUS, reason: REFUSED_TEXT, fields, length, sendDate: true };
    const isBodiless = this.req.method === 'HEAD';
    try {
      this.sendHead({ ...head, isBodiless }, isBodiless);
      if (!isBodiless) this.sendLast(REFUSED_TEXT, 'latin1', () => undefined);
    } catch {
      this.abort();
    }
    this.report(error);
  }

  /**
   * Everything written before the header section is an informational response. It does not wait in the buffer of a
   * corked response, where it would become content.
   */
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Done, callback?: Done): boolean {
    if (this._httpMessage?._header !== null) return super.write(chunk, encoding as BufferEncoding, callback);
    this.informAsWritten(chunk.toString());
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done !== undefined) nodeProcess.nextTick(done);
    return true;
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: Done): void {
    if (this._httpMessage === null) {
      // This was written after the response was sent
      done();
    } else {
      this.writeContent(chunk, encoding, done);
    }
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], done: Done): void {
    const full = chunks.filter(({ chunk }) => chunk.length > 0);
    if (full.length < 2) {
      const { chunk, encoding } = full[0] ?? chunks[0]!;
      this._write(chunk, encoding, done);
    } else {
      // `chunk` is a string with its encoding, or bytes.
      const bytes = full.map(({ chunk, encoding }) => Buffer.from(chunk as string, encoding));
      this._write(Buffer.concat(bytes), 'latin1', done);
    }
  }

  private writeContent(chunk: string | Buffer, encoding: BufferEncoding, done: Done): void {
    const { due } = this;
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
    if (due?.isBodiless === false && size === this.remaining && size > 0) {
      this.due = undefined;
      this.respond(due, chunk, encoding, done);
      return;
    }
    this.sendDueHead(false);
    if (this.isContentOver || size === 0) {
      done();
      return;
    }
    if (size < this.remaining) {
      this.remaining -= size;
      this.sendContent(chunk, encoding, done);
      return;
    }
    this.isContentOver = true;
    if (size === this.remaining) this.sendLast(chunk, encoding, done);
    else this.sendLast(Buffer.from(chunk as string, encoding).subarray(0, this.remaining), encoding, done);
  }

  override _final(done: Done): void {
    if (this.due !== undefined) {
      this.sendDueHead(true);
      done();
    } else if (this.isContentOver) {
      done();
    } else {
      this.isContentOver = true;
      this.sendEnd(done);
    }
  }

  override _destroy(error: Error | null, done: Done): void {
    this.abortBoth();
    done(this.listenerCount('error') > 0 ? error : null);
  }

  /** Called by Node's requests for more data. */
  override resume(): this {
    this.isReading = true;
    this.startReading();
    return this;
  }

  override pause(): this {
    this.stopReading();
    return this;
  }

  /** The number of bytes passed on but not yet sent. */
  abstract pendingBytes(): number;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'drain') this.drained();
    if (event === 'close' && this._httpMessage !== null) close(this._httpMessage);
    // Node's server handles the errors of its sockets and destroys them.
    if (event === 'error' && this.listenerCount('error') === 0) {
      this.destroy();
      return true;
    }
    return super.emit(event, ...args);
  }

  /** Emits `drain` on the response, as Node's server does. */
  private drained(): void {
    const res = this._httpMessage;
    // The inherited member: while hooks run, the response's own is true, but a compressor still writes
    if (res === null || inherited(res, 'writableEnded')) return;
    const symbol = symbolNamed(res, NEED_DRAIN);
    if (symbol !== undefined) (res as unknown as Record<symbol, boolean>)[symbol] = false;
    res.emit('drain');
  }

  /** Parses an informational response, which Node writes as HTTP/1.1 text. */
  private informAsWritten(text: string): void {
    const [line, ...fields] = text.trimEnd().split('\r\n');
    const status = Number(line!.split(' ')[1]);
    if (!(status > 101 || status === 100)) return;
    try {
      this.inform(status, parseFields(fields));
    } catch (error) {
      // The response matters more than its early hints.
      this.report(error);
    }
  }

  /** The trailer section, as stored by Node. */
  protected get trailers(): HeadFields {
    return parseFields(this.res._trailer.split('\r\n').filter(line => line !== ''));
  }

  setTimeout(milliseconds: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback);
    this.watchIdle(milliseconds);
    return this;
  }
}

/** Accessors for members that are properties in Node's types. Reading them does not use the stream. */
Object.defineProperties(VirtualSocket.prototype, {
  /** Read by a response to determine whether it has been sent completely; never 0 for one that was aborted. */
  writableLength: {
    configurable: true,
    get(this: VirtualSocket): number {
      const held = isInUse(this) ? ofDuplex<number>('writableLength', this) : 0;
      return Math.max(held + this.pendingBytes(), this._hadError ? 1 : 0);
    },
  },
  destroyed: {
    configurable: true,
    get(this: VirtualSocket): boolean {
      return isInUse(this) ? ofDuplex<boolean>('destroyed', this) : this.isOver;
    },
  },
  writableCorked: {
    configurable: true,
    get(this: VirtualSocket): number {
      return isInUse(this) ? ofDuplex<number>('writableCorked', this) : 0;
    },
  },
  readableHighWaterMark: { configurable: true, value: getDefaultHighWaterMark(false) },
});

function ofDuplex<Value>(name: keyof Duplex, stream: Duplex): Value {
  return Reflect.get(Duplex.prototype, name, stream) as Value;
}

/** Emits `close` on a response, once, as Node's server does. */
export function close(res: VirtualResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** Creates the error that Node emits on a request whose connection closes too early. */
function disconnected(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
