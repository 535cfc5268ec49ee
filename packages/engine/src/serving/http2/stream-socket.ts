/** Takes the place of the socket on an HTTP/2 stream (RFC 9113): sends content and header sections to the stream. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { setImmediate } from 'node:timers';
import type { Head, HeadFields } from '../head';
import { inherited } from '../hook-gate';
import { VirtualSocket } from '../virtual-socket';
import { opensSocket } from '../../router/upgrade';
import type { Upgrade } from '../../router/upgrade';
import { checkSize } from './header-size';
import { nodeProcess } from '../../node-process';

/** RFC 9113, section 7: the error codes with which streams are reset. */
const NO_ERROR = 0;
const INTERNAL_ERROR = 2;
const CANCEL = 8;

const FIRST_ERROR = 400;

type Done = (error?: Error | null) => void;

/** Members of the compatibility API that have no counterpart in HTTP/1.1. */
interface Http2Members {
  stream?: ServerHttp2Stream;
  scheme?: string | undefined;
  authority?: string | undefined;
}

/** The key under which a stream holds its `StreamSocket`. */
const SOCKET = Symbol('virtual socket');

interface StreamWithSocket extends ServerHttp2Stream {
  [SOCKET]?: StreamSocket | undefined;
}

export class StreamSocket extends VirtualSocket {
  private readonly session: ServerHttp2Session | undefined;
  private isWatchingIdle = false;
  private abortCode = INTERNAL_ERROR;
  private hasListener = false;

  constructor(
    readonly stream: ServerHttp2Stream,
    report: (error: unknown) => void,
    /** Set for a WebSocket request: if it is accepted, the response does not end the stream. */
    private readonly upgrade?: Upgrade,
  ) {
    super(report);
    this.session = stream.session as ServerHttp2Session | undefined;
  }

  /** Listens to the stream, and sets the members of the compatibility API on the messages, which must already exist. */
  begin(scheme: string | undefined, authority: string | undefined): void {
    const { stream } = this;
    const req = this.req as Http2Members;
    req.stream = stream;
    req.scheme = scheme;
    req.authority = authority;
    (this.res as Http2Members).stream = stream;
    (stream as StreamWithSocket)[SOCKET] = this;
    stream.on('error', ignore);
    stream.on('close', onClose);
    if (!stream.endAfterHeaders) this.awaitEnd();
  }

  /** Node emits `end` and `trailers` of a body without content as soon as they arrive, perhaps before anybody reads it. */
  protected awaitEnd(): void {
    const { stream } = this;
    let rawTrailers: string[] | undefined;
    stream.on('trailers', (_trailers: object, _flags: number, raw: string[]) => {
      rawTrailers = raw;
    });
    stream.on('end', () => {
      // Node also emits `end` when the client aborts the stream.
      if (!stream.aborted && stream.rstCode === 0) this.completeRequest(rawTrailers);
    });
  }

  ended(): void {
    const { res, stream } = this;
    // A client may also reset a stream with NO_ERROR.
    const isIncomplete = stream.aborted || stream.rstCode !== 0 || this._hadError || !stream.writableFinished;
    // A response that was sent completely before the client aborted counts as sent.
    if (!this.isSent && (isIncomplete || !inherited(res, 'writableEnded'))) this.abort();
    else this.leave();
  }

  protected sendHead({ status, fields, isBodiless, length, sendDate }: Head, isLast: boolean): void {
    const { stream } = this;
    if (stream.destroyed || stream.closed) {
      this._hadError = true;
      return;
    }
    if (stream.headersSent) {
      this.goOn(status);
      if (isLast && isWritable(stream)) endStream(stream).end();
      return;
    }
    checkSize(stream, fields);
    if (opensSocket(this.upgrade, status)) {
      // RFC 9110, section 9.3.6: a successful response to CONNECT has no content.
      delete fields['content-length'];
      stream.respond({ ...fields, ':status': String(status) });
      return;
    }
    const waitForTrailers = !isLast && !isBodiless && length === undefined;
    if (waitForTrailers) {
      stream.once('wantTrailers', () => {
        this.sendTrailers(this.trailers, stream.sendTrailers);
      });
    }
    fields[':status'] = String(status);
    // `sendDate` is missing from the type definitions.
    const options = { endStream: isLast, waitForTrailers, sendDate } as object;
    stream.respond(fields, isLast || waitForTrailers || !sendDate ? options : undefined);
    if (isBodiless) closeUnread(stream);
  }

  /**
   * Lets a response go on that the handler has begun on the stream itself.
   * @throws if it is the page of an error, which does not belong to it: then resets the stream
   */
  protected goOn(status: number): void {
    if (status < FIRST_ERROR) return;
    const error = new Error('An error followed when the handler had begun the response on res.stream');
    this.stream.destroy(error);
    throw error;
  }

  /** Sends trailers; if they cannot be sent, resets the stream, because the client is waiting for its end. */
  protected sendTrailers(fields: HeadFields, send: ServerHttp2Stream['sendTrailers']): void {
    const { stream } = this;
    try {
      checkSize(stream, fields);
      send.call(stream, fields);
    } catch (error) {
      stream.close(INTERNAL_ERROR);
      this.report(error);
    }
  }

  /** Records a write error, because a response whose content could not be sent must not emit `finish`. */
  private noting(done: Done): Done {
    return error => {
      if (error != null) this._hadError = true;
      done(error);
    };
  }

  /** Drops content: the stream is closed, and its `close` event is about to follow. */
  protected discard(done: Done): void {
    this._hadError = true;
    nodeProcess.nextTick(done);
  }

  protected sendContent(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    if (isWritable(this.stream)) this.stream.write(chunk, encoding, this.noting(done));
    else this.discard(done);
  }

  protected sendLast(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    if (isWritable(this.stream)) endStream(this.stream).end(chunk, encoding, this.noting(done));
    else this.discard(done);
  }

  protected sendEnd(done: Done): void {
    if (this.upgrade?.isAccepted === true) done();
    else if (isWritable(this.stream)) endStream(this.stream).end(this.noting(done));
    else this.discard(done);
  }

  protected inform(status: number, fields: HeadFields): void {
    const { stream } = this;
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    checkSize(stream, fields);
    stream.additionalHeaders({ ...fields, ':status': status });
  }

  protected startReading(): void {
    const { stream } = this;
    if (this.hasListener) {
      stream.resume();
      return;
    }
    this.hasListener = true;
    stream.on('data', (chunk: Buffer) => {
      if (!this.receive(chunk)) stream.pause();
    });
  }

  protected stopReading(): void {
    if (this.hasListener) this.stream.pause();
  }

  /** Responds with 408, or resets the stream if a response has begun, unless the content has arrived in full. */
  requestTimedOut(): void {
    const { stream } = this;
    if (stream.closed || stream.destroyed || stream.state.remoteClose === 1) return;
    this.abortCode = !stream.headersSent || stream.writableFinished ? NO_ERROR : CANCEL;
    if (!stream.headersSent) stream.respond({ ':status': 408 }, { endStream: true });
    this.abort();
  }

  protected abortBoth(): void {
    const { stream } = this;
    if (stream.destroyed) return;
    const end = (): void => {
      stream.close(this.abortCode);
      stream.destroy();
    };
    if (this.abortCode === NO_ERROR) afterResponse(stream, end);
    else end();
  }

  pendingBytes(): number {
    return this.stream.writableLength;
  }

  protected watchIdle(milliseconds: number): void {
    this.stream.setTimeout(milliseconds);
    if (this.isWatchingIdle) return;
    this.isWatchingIdle = true;
    this.stream.on('timeout', () => {
      this.timedOut();
    });
  }

  /** A property of the connection's socket, or undefined once the connection is closed, as on a socket. */
  private ofConnection<Value>(name: string): Value | undefined {
    const { session } = this;
    if (session === undefined || session.destroyed) return undefined;
    return (session.socket as unknown as Record<string, Value>)[name];
  }

  get remoteAddress(): string | undefined {
    return this.ofConnection('remoteAddress');
  }

  get remotePort(): number | undefined {
    return this.ofConnection('remotePort');
  }

  get remoteFamily(): string | undefined {
    return this.ofConnection('remoteFamily');
  }

  get localAddress(): string | undefined {
    return this.ofConnection('localAddress');
  }

  get localPort(): number | undefined {
    return this.ofConnection('localPort');
  }

  get localFamily(): string | undefined {
    return this.ofConnection('localFamily');
  }

  get encrypted(): boolean | undefined {
    return this.ofConnection('encrypted');
  }

  get authorized(): boolean | undefined {
    return this.ofConnection('authorized');
  }

  get authorizationError(): Error | undefined {
    return this.ofConnection('authorizationError');
  }

  get alpnProtocol(): string | undefined {
    return this.ofConnection('alpnProtocol');
  }

  get servername(): string | undefined {
    return this.ofConnection('servername');
  }

  get server(): unknown {
    return this.ofConnection('server');
  }

  get bytesRead(): number {
    return this.ofConnection('bytesRead') ?? 0;
  }

  get bytesWritten(): number {
    return this.ofConnection('bytesWritten') ?? 0;
  }

  address(): object {
    return this.ofConnection<() => object>('address')?.() ?? {};
  }

  getPeerCertificate(detailed?: boolean): object {
    return this.ofConnection<(detailed?: boolean) => object>('getPeerCertificate')?.(detailed) ?? {};
  }

  getCipher(): unknown {
    return this.ofConnection<() => unknown>('getCipher')?.();
  }

  getProtocol(): string | null | undefined {
    return this.ofConnection<() => string | null>('getProtocol')?.();
  }
}

/** Drops the socket, because Node keeps a closed stream and what it references until the next full garbage collection. */
function onClose(this: StreamWithSocket): void {
  const socket = this[SOCKET]!;
  this[SOCKET] = undefined;
  socket.ended();
}

/**
 * Ends an upload that nobody reads, after a response without content. Node does so itself, except for HEAD, and for a
 * 204 or 304 of its compatibility API, which waits for trailers.
 */
export function closeUnread(stream: ServerHttp2Stream): void {
  if (stream.endAfterHeaders) return;
  afterResponse(stream, () => {
    if (stream.readableFlowing === null && !stream.closed) stream.close();
  });
}

/** Calls a function once the response has been written: a reset would overtake unwritten headers. */
function afterResponse(stream: ServerHttp2Stream, then: () => void): void {
  if (stream.writableFinished) setImmediate(then);
  else stream.once('finish', () => setImmediate(then));
}

/**
 * Prepares a stream for its end. If the request has been read, Node destroys the stream as soon as the last frame has been
 * passed on, before it calls back, and so the response would count as aborted: postpones that until then.
 */
function endStream(stream: ServerHttp2Stream): ServerHttp2Stream {
  if (stream.endAfterHeaders) return stream;
  const { destroy } = stream;
  stream.destroy = (error?: Error): ServerHttp2Stream => {
    stream.destroy = destroy;
    const { session, rstCode, aborted, writableFinished } = stream;
    const isComplete = error == null && rstCode === 0 && !aborted && session?.destroyed === false;
    if (!isComplete || writableFinished) return stream.destroy(error);
    stream.once('finish', () => stream.destroy());
    return stream;
  };
  return stream;
}

function isWritable(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.writableEnded;
}

function ignore(): void {
  // Stream errors are handled on `close`
}
