/**
 * Sends a body in chunks, as fast as the client reads it. An error before the first chunk goes to the error handlers;
 * after it, the connection is aborted, so that no client mistakes the part for the whole.
 */
import { Buffer } from 'node:buffer';
import { inspect } from 'node:util';
import { nodeMicrotask } from '../../node-process';
import { cutOff, isOver, onClosed } from '../../serving/closing';
import type { Response } from '../../types/internals';
import { bytesOf } from './body-source';
import type { BodySource, ResponseLike } from './body-source';
import { BYTES_TYPE, HTML_TYPE } from './body-types';
import { OF_CONNECTION } from '../../serving/fields';

/** Headers that describe the encoded body. */
const OF_ENCODED = new Set(['content-encoding', 'content-length']);
/** The codings that `fetch` decodes; the headers of its responses still mention them. */
const DECODED = /^\s*(?:x-)?(?:gzip|deflate|br)\s*(?:,\s*(?:x-)?(?:gzip|deflate|br)\s*)*$/i;

/**
 * Sets status and headers; cookies are added to existing ones. Headers about the connection are skipped, and those
 * about an encoding that `fetch` has decoded.
 * @returns a function that reverts all changes
 */
export function takeHead(res: Response, response: ResponseLike): () => void {
  const { statusCode, statusMessage } = res;
  const replaced = new Map<string, ReturnType<Response['getHeader']>>();
  const isDecoded = response.url !== '' && DECODED.test(response.headers.get('content-encoding') ?? '');
  res.statusCode = response.status;
  if (response.statusText !== '') res.statusMessage = response.statusText;
  for (const [name, value] of response.headers) {
    if (OF_CONNECTION.has(name) || (isDecoded && OF_ENCODED.has(name))) continue;
    if (!replaced.has(name)) replaced.set(name, res.getHeader(name));
    if (name === 'set-cookie') res.append(name, value);
    else res.setHeader(name, value);
  }
  return () => {
    res.statusCode = statusCode;
    res.statusMessage = statusMessage;
    for (const [name, value] of replaced) {
      if (value === undefined) res.removeHeader(name);
      else res.setHeader(name, value);
    }
  };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Sends the body of a source.
 * @returns false if the response has no body: the source has been released, and the caller must send the response
 * @throws Error `ERR_HTTP_HEADERS_SENT` if the header block has already been sent
 */
export function sendStream(res: Response, source: BodySource): boolean {
  if (isOver(res) && !res.writableEnded) {
    // The client has disconnected.
    source.cancel();
    return true;
  }
  try {
    // Throws, as for any other body.
    if (res.headersSent) res.setHeader('Content-Type', BYTES_TYPE);
    const undo = source.response === undefined ? nothing : takeHead(res, source.response);
    if (hasBody(res)) {
      void new BodyStream(res, source, undo).run();
      return true;
    }
    describe(res, source);
  } catch (error) {
    source.cancel();
    throw error;
  }
  source.cancel();
  return false;
}

const nothing = (): void => undefined;

function hasBody({ req, statusCode }: Response): boolean {
  return req.method !== 'HEAD' && !WITHOUT_BODY.has(statusCode) && !req.fresh;
}

/**
 * Sets the headers that describe the body.
 * @param first the first chunk, if it is known
 */
function describe(res: Response, { type, length, response }: BodySource, first?: string | Buffer): void {
  if (length !== undefined) res.setHeader('Content-Length', length);
  // A `Response` without a type must not get one.
  if (response !== undefined || res.hasHeader('Content-Type')) return;
  if (type !== undefined) res.setHeader('Content-Type', type || BYTES_TYPE);
  else if (first !== undefined)
    res.setHeader('Content-Type', typeof first === 'string' ? HTML_TYPE : BYTES_TYPE);
}

/** The responses for which a stream is being read. */
const streaming = new WeakSet<Response>();

class BodyStream {
  private readonly next: ((error?: unknown) => void) | undefined;
  private readonly unwatch: () => void;
  private hasBegun = false;
  private isStopped = false;
  /** The number of bytes that `Content-Length` announces, and the number sent so far. */
  private announced = NaN;
  private sent = 0;
  /** Called when there is room for more, or when there is nothing more to send. */
  private wake: () => void = nothing;

  constructor(
    private readonly res: Response,
    private readonly source: BodySource,
    private readonly undo: () => void,
  ) {
    // Read now: by the time of an error, `req.next` may be that of another handler.
    this.next = res.req.next;
    this.unwatch = onClosed(res.req, res, this.stop);
    // Added once, not for each wait: compression middleware forwards `drain` and cannot remove a listener.
    res.on('drain', this.drained);
    if (!streaming.has(res)) nodeMicrotask(this.adopt);
    streaming.add(res);
  }

  async run(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.source.read();
        if (this.isOver()) return;
        if (done) break;
        const piece = pieceOf(value);
        if (piece.length > 0 && !this.write(piece)) await this.room();
      }
      this.end();
    } catch (error) {
      if (!this.isOver()) this.fail(error);
    }
  }

  /**
   * Takes a header block for ours that has been sent by now: by the same handler, as in `res.send(stream); res.flushHeaders()`.
   * One that is sent later belongs to another response.
   */
  private readonly adopt = (): void => {
    if (this.res.headersSent && !isOver(this.res)) this.begin();
  };

  /** Whether to stop sending, because the client has disconnected or other code has responded. */
  private isOver(): boolean {
    const { res, hasBegun } = this;
    // A write after the end would be an uncaught error.
    if (res.writableEnded || (!hasBegun && res.headersSent)) this.stop();
    return this.isStopped;
  }

  /** Sends a chunk; returns whether there is room for more. */
  private write(piece: string | Buffer): boolean {
    const { res } = this;
    if (!this.hasBegun) this.begin(piece);
    this.sent += Buffer.byteLength(piece);
    if (this.sent > this.announced) throw this.lengthError();
    // Wrappers of `write` often return nothing; only false means that a `drain` will follow.
    return (res.write(piece) as unknown) !== false;
  }

  private begin(first?: string | Buffer): void {
    const { res } = this;
    if (!res.headersSent) describe(res, this.source, first);
    this.announced = Number(res.getHeader('Content-Length') ?? NaN);
    this.hasBegun = true;
  }

  private end(): void {
    if (!this.hasBegun) this.begin();
    if (this.sent < this.announced) throw this.lengthError();
    this.res.end();
    this.stop();
  }

  private lengthError(): Error {
    return new Error(
      `Expected a body of ${String(this.announced)} bytes, according to Content-Length, got ${String(this.sent)}`,
    );
  }

  private fail(reason: unknown): void {
    const { res, next } = this;
    this.stop();
    if (res.headersSent || next === undefined) cutOff(res);
    else this.undo();
    next?.(errorOf(reason));
  }

  private room(): Promise<void> {
    return new Promise(resolve => {
      this.wake = resolve;
    });
  }

  private readonly drained = (): void => {
    this.wake();
  };

  private readonly stop = (): void => {
    if (this.isStopped) return;
    this.isStopped = true;
    streaming.delete(this.res);
    this.unwatch();
    this.res.off('drain', this.drained);
    this.source.cancel();
    this.wake();
  };
}

/** @throws TypeError for a value that is neither text nor bytes */
function pieceOf(value: unknown): string | Buffer {
  const piece = typeof value === 'string' ? value : bytesOf(value);
  if (piece !== undefined) return piece;
  throw new TypeError(
    `Expected strings or bytes from the body passed to res.send, got ${inspect(value, { depth: 0 })}`,
  );
}

/** Wraps reasons that `next` would not treat as errors, such as `'route'`. */
function errorOf(reason: unknown): unknown {
  if (typeof reason === 'object' && reason !== null) return reason;
  return new Error(`The body passed to res.send failed with ${String(reason)}`);
}
