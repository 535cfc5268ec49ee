/**
 * Stands in for the socket of a request that came in another way than over HTTP/1.1: on a stream of HTTP/2, or as a
 * `Request` object.
 *
 * So the messages are Node's own `IncomingMessage` and `ServerResponse` in every case, and whatever middleware reads,
 * calls or patches on them is there. `hosted.ts` keeps the response from framing its message as HTTP/1.1 does; what the
 * response then writes to its socket is content alone, and passes through here to where it belongs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex, getDefaultHighWaterMark } from 'node:stream';
import { parseFields } from './field-lines';
import type { HeadFields } from './field-lines';
import type { Head, HostedRequest, HostedResponse } from './head';
import { InertSocket } from './inert-socket';
import { isInUse } from './lazy-duplex';

type Done = (error?: Error | null) => void;

/** Where Node notes that a response waits for its connection. */
const NEED_DRAIN = 'kNeedDrain';

const REFUSED_STATUS = 500;
const REFUSED_TEXT = 'Internal Server Error';

export abstract class StandIn extends InertSocket {
  /** Node notes here which response is being sent, and whether the connection failed. */
  _httpMessage: HostedResponse | null = null;
  _hadError = false;

  protected req!: HostedRequest;
  protected res!: HostedResponse;
  /** The header section, from when the response has made it until it is sent. */
  private due: Head | undefined;
  /** Bytes of content that are still to come, where that is known. */
  private remaining = Infinity;
  private isContentOver = false;
  private isReading = false;
  /** Whether the response has emitted `finish`. */
  protected isSent = false;
  /** Whether both directions have ended. */
  isOver = false;

  constructor(
    /** Is told of a response that can't be sent as it is. */
    private readonly report: (error: unknown) => void,
  ) {
    super();
  }

  /** Sends the header section, which ends the response where `isLast` is true. @throws where it can't be sent */
  protected abstract sendHead(head: Head, isLast: boolean): void;
  /** Sends content. */
  protected abstract sendContent(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void;
  /** Sends the last content and ends the response. */
  protected abstract sendLast(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void;
  /** Ends a response whose content has been sent. */
  protected abstract sendEnd(done: Done): void;
  /** Sends an informational response. */
  protected abstract inform(status: number, fields: HeadFields): void;
  /** Begins to read the content of the request, or goes on. */
  protected abstract startReading(): void;
  protected abstract stopReading(): void;
  /** Breaks off both directions. */
  protected abstract breakOff(): void;
  /** Calls `timedOut` when nothing has happened for a time. */
  protected abstract watchIdle(milliseconds: number): void;

  /** Joins the two messages to this, as Node's server joins them to a connection. */
  host(req: IncomingMessage, res: ServerResponse): void {
    this.req = req as HostedRequest;
    this.res = res as HostedResponse;
    this._httpMessage = this.res;
    (res as { socket: unknown }).socket = this;
  }

  /** As Node's server does when a response is sent. */
  release(): void {
    const { req, res } = this;
    this.isSent = true;
    // The rest of a request that was not read is left to whatever carries it: the client need not send it.
    if (req.complete || this.isReading) req._dump();
    this._httpMessage = null;
    (res as { socket: unknown }).socket = null;
    process.nextTick(close, res);
  }

  /** Takes content of the request; returns whether more is wanted. */
  protected receive(chunk: Uint8Array): boolean {
    const { req } = this;
    return req._dumped || req.destroyed || req.push(chunk);
  }

  /** The request is complete. @param rawTrailers names and values by turns */
  completeRequest(rawTrailers: string[] = []): void {
    const { req } = this;
    if (req.complete) return;
    req.complete = true;
    if (rawTrailers.length > 0) req._addHeaderLines(rawTrailers, rawTrailers.length);
    if (!req.destroyed) req.push(null);
  }

  /** Both directions have ended, the response whole; of a request that was not read nothing more comes. */
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

  /** The client, or whatever carries its request, is gone before the response was sent whole. */
  protected abort(): void {
    const { req, res } = this;
    this._hadError = true;
    this.destroy();
    if (!req.complete || !res.writableFinished) req.destroy(disconnected());
  }

  /** Nothing has happened for the time that was set: without a listener the request is broken off. */
  protected timedOut(): void {
    const { req, res } = this;
    const isHeardByRequest = !req.complete && req.emit('timeout', this);
    const isHeardByResponse = res.emit('timeout', this);
    if (!this.emit('timeout') && !isHeardByRequest && !isHeardByResponse) this.destroy();
  }

  /** Takes the header section from the response. It is sent with the first content, or when there is none to come. */
  takeHead(head: Head): void {
    this.due = head;
    this.remaining = head.length ?? Infinity;
  }

  /** Sends a whole response. */
  respond(head: Head, content: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    this.isContentOver = true;
    try {
      if (content.length > 0) {
        this.sendWhole(head, content, encoding, done);
      } else {
        this.sendHead(head, true);
        process.nextTick(done);
      }
    } catch (error) {
      this.refuse(error);
      process.nextTick(done);
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

  /** What HTTP/1.1 would send, and this can't, must not end the process: it becomes a 500, and is reported. */
  private refuse(error: unknown): void {
    this.isContentOver = true;
    this.res.statusCode = REFUSED_STATUS;
    const { length } = REFUSED_TEXT;
    const fields = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(length) };
    const head = { status: REFUSED_STATUS, reason: REFUSED_TEXT, fields, length, sendDate: true };
    const isBodiless = this.req.method === 'HEAD';
    this.sendHead({ ...head, isBodiless }, isBodiless);
    if (!isBodiless) this.sendLast(REFUSED_TEXT, 'latin1', () => undefined);
    this.report(error);
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: Done): void {
    if (this._httpMessage === null) {
      // of a response that has been sent
      done();
    } else if (this._httpMessage._header === null) {
      this.informAsWritten(chunk.toString());
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
      // A string with its encoding, or bytes.
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
    this.breakOff();
    done(this.listenerCount('error') > 0 ? error : null);
  }

  /** Node's requests ask their socket for more by this. */
  override resume(): this {
    this.isReading = true;
    this.startReading();
    return this;
  }

  override pause(): this {
    this.stopReading();
    return this;
  }

  /** Bytes that have been handed on and not been sent yet. */
  abstract pendingBytes(): number;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'drain') this.drained();
    if (event === 'close' && this._httpMessage !== null) close(this._httpMessage);
    // Node's server listens to the errors of its sockets, and destroys them.
    if (event === 'error' && this.listenerCount('error') === 0) {
      this.destroy();
      return true;
    }
    return super.emit(event, ...args);
  }

  /** As Node's server does when there is room again. */
  private drained(): void {
    const res = this._httpMessage;
    if (res === null || res.writableEnded) return;
    const symbol = Object.getOwnPropertySymbols(res).find(({ description }) => description === NEED_DRAIN);
    if (symbol !== undefined) (res as unknown as Record<symbol, boolean>)[symbol] = false;
    res.emit('drain');
  }

  /** Node writes an informational response as text of HTTP/1.1. */
  private informAsWritten(text: string): void {
    const [line, ...fields] = text.trimEnd().split('\r\n');
    const status = Number(line!.split(' ')[1]);
    if (status > 101 || status === 100) this.inform(status, parseFields(fields));
  }

  /** The trailer section as Node keeps it. */
  protected get trailers(): HeadFields {
    return parseFields(this.res._trailer.split('\r\n').filter(line => line !== ''));
  }

  setTimeout(milliseconds: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback);
    this.watchIdle(milliseconds);
    return this;
  }
}

/** Accessors that the types of Node have as properties. They can be read without using the stream. */
Object.defineProperties(StandIn.prototype, {
  /** A response asks its socket by this whether all of it has been sent; of one that was broken off, never. */
  writableLength: {
    configurable: true,
    get(this: StandIn): number {
      const held = isInUse(this) ? ofDuplex<number>('writableLength', this) : 0;
      return Math.max(held + this.pendingBytes(), this._hadError ? 1 : 0);
    },
  },
  destroyed: {
    configurable: true,
    get(this: StandIn): boolean {
      return isInUse(this) ? ofDuplex<boolean>('destroyed', this) : this.isOver;
    },
  },
  writableCorked: {
    configurable: true,
    get(this: StandIn): number {
      return isInUse(this) ? ofDuplex<number>('writableCorked', this) : 0;
    },
  },
  readableHighWaterMark: { configurable: true, value: getDefaultHighWaterMark(false) },
});

function ofDuplex<Value>(name: keyof Duplex, stream: Duplex): Value {
  return Reflect.get(Duplex.prototype, name, stream) as Value;
}

function close(res: HostedResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** The error that Node gives a request whose connection is closed too early. */
function disconnected(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
