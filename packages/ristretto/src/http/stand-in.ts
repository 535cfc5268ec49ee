/**
 * Stands in for the socket of a request that came in another way than over HTTP/1.1: on a stream of HTTP/2, or as a
 * `Request` object.
 *
 * So the messages are Node's own `IncomingMessage` and `ServerResponse` in every case, and whatever middleware reads,
 * calls or patches on them is there. `hosted.ts` keeps the response from framing its message as HTTP/1.1 does; what the
 * response then writes to its socket is content alone, and passes through here to where it belongs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { InertSocket } from './inert-socket';
import { parseFields } from './field-lines';
import type { HeadFields } from './field-lines';

/** The header section of a response. */
export interface Head {
  status: number;
  reason: string;
  fields: HeadFields;
  /** Bytes of content, where Content-Length says so. */
  length: number | undefined;
  /** Whether the response has no content by its status or by the method of the request. */
  isBodiless: boolean;
  sendDate: boolean;
}

type Done = (error?: Error | null) => void;

/** A response on a stand-in, with what Node does not document. */
export interface HostedResponse extends ServerResponse {
  _header: string | null;
  _trailer: string;
  _closed: boolean;
  destroyed: boolean;
}

/** A request on a stand-in, with what Node does not document. */
export interface HostedRequest extends IncomingMessage {
  _dump(): void;
  _dumped: boolean;
  /** As the parser calls it: with the header section, and once the request is complete with the trailer section. */
  _addHeaderLines(lines: string[], count: number): void;
}

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

  /** Joins the two messages to this. */
  host(req: IncomingMessage, res: ServerResponse): void {
    this.req = req as HostedRequest;
    this.res = res as HostedResponse;
  }

  /** As Node's server does when a response is sent. */
  release(): void {
    const { req, res } = this;
    this.isSent = true;
    // The rest of a request that was not read is left to whatever carries it: the client need not send it.
    if (req.complete || this.isReading) req._dump();
    if (res.socket !== null) res.detachSocket(this as never);
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
    if (!this.destroyed) this.destroy();
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
    this.orRefuse(() => {
      if (content.length > 0) {
        this.sendWhole(head, content, encoding, done);
      } else {
        this.sendHead(head, true);
        process.nextTick(done);
      }
    }, done);
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
    this.orRefuse(() => {
      this.sendHead(due, this.isContentOver);
    });
  }

  /** What HTTP/1.1 would send, and this can't, must not end the process: it becomes a 500, and is reported. */
  private orRefuse(send: () => void, done?: Done): void {
    try {
      send();
    } catch (error) {
      this.isContentOver = true;
      this.res.statusCode = REFUSED_STATUS;
      this.refuse();
      this.report(error);
      if (done !== undefined) process.nextTick(done);
    }
  }

  private refuse(): void {
    const { length } = REFUSED_TEXT;
    const fields = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(length) };
    const head = { status: REFUSED_STATUS, reason: REFUSED_TEXT, fields, length, sendDate: true };
    const isBodiless = this.req.method === 'HEAD';
    this.sendHead({ ...head, isBodiless }, isBodiless);
    if (!isBodiless) this.sendLast(REFUSED_TEXT, 'latin1', () => undefined);
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
    this.sendDueHead(false);
    if (this.isContentOver || chunk.length === 0) {
      done();
      return;
    }
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
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

/** A response asks its socket by this whether all of it has been sent; of one that was broken off, never. */
Object.defineProperty(StandIn.prototype, 'writableLength', {
  configurable: true,
  get(this: StandIn): number {
    const held = Reflect.get<object, string>(Duplex.prototype, 'writableLength', this) as number;
    return Math.max(held + this.pendingBytes(), this._hadError ? 1 : 0);
  },
});

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
