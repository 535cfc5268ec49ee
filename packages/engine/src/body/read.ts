/**
 * Reads the body of a request: inflates it, limits it to `limit` bytes, and compares its length with Content-Length.
 * This is on the hot path of every POST: the listeners are functions of this module that find their state under a
 * symbol of the stream, and a body that arrives in one chunk is not copied.
 *
 * After an error the rest of the request is read and discarded before `next` is called, so that a client that finishes
 * sending before it reads gets the response, and the connection can be reused. If the rest is long and the connection
 * is keep-alive, `next` is called before the end: the client need not send it all to learn that it was rejected.
 */
import { AsyncResource } from 'node:async_hooks';
import type * as http from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { excessHeaders, tooManyHeaders } from '../serving/excess-headers';
import { releaseBody, takeBody } from '../serving/bypass-stream';
import type { BodyTaker } from '../serving/bypass-stream';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';
import type { Next } from '../types/next';
import type { BodyRequest } from './accept-body';
import { isSupportedCharset, unsupportedCharset } from './charset';
import { deliver } from './deliver';
import type { Delivery } from './deliver';
import { contentCoding, createInflater } from './inflate';
import type { ContentCoding } from './inflate';
import type { CommonOptions, Verify } from './parser-options';
import { Pieces } from './pieces';

/** How many bytes of a rejected body are read and discarded before the response. */
const DRAIN_LIMIT = 1024 * 1024;

/** Events of a request after which no more data arrives. */
const ENDS = ['end', 'close', 'error'];

/** The listeners of a request, or of the decoder that it is piped to. `this` is another request where a program passes one that inherits from it. */
interface Listeners {
  error: (cause: Error) => void;
  close: () => void;
  aborted: () => void;
  end: () => void;
  data: (chunk: Buffer) => void;
  /** For errors of the decoder. */
  undecoded: (cause: Error) => void;
}

/**
 * One body being read. It is an async resource because the chunks arrive in the async context of the connection, while
 * the next handler must run in that of the previous handler (AsyncLocalStorage).
 */
class Reading extends AsyncResource implements BodyTaker, Delivery {
  readonly pieces: Pieces;
  inflater: Transform | undefined = undefined;
  /** Whether the chunks come directly from the HTTP parser, bypassing the stream. */
  isTaken = false;
  listeners: Listeners | undefined = undefined;
  readonly verify: Verify | undefined;
  readonly limit: number;

  constructor(
    readonly req: BodyRequest,
    readonly res: http.ServerResponse,
    readonly next: Next,
    options: CommonOptions,
    readonly parse: (body: never) => unknown,
    readonly charset: string | null,
    /** The expected number of bytes from Content-Length; null if there is none, or if it counts the encoded bytes. */
    readonly length: number | null,
  ) {
    super('BodyReading');
    this.verify = options.verify;
    this.limit = options.limit;
    this.pieces = new Pieces(length);
  }

  take(chunk: Buffer): void {
    const { limit, pieces } = this;
    pieces.add(chunk);
    if (pieces.received > limit) fail(this, tooLarge({ limit, received: pieces.received }));
  }

  finish(): void {
    const { length, pieces } = this;
    const { received } = pieces;
    if (length !== null && length !== received) {
      const properties = { expected: length, length, received, type: 'request.size.invalid' };
      fail(this, httpError(400, 'request size did not match content length', properties));
      return;
    }
    const bytes = pieces.join();
    stop(this);
    this.runInAsyncScope(deliver, undefined, this, bytes);
  }

  listen(): void {
    this.isTaken = false;
    // Prepended, so that they run before listeners that were added while this body was being read
    listen(this, this.req, 'prependListener');
  }
}

/**
 * Reads and parses the body of `req` into `req.body` and calls `next`. If anything is wrong with the body, passes an
 * error with a status and usually a `type`.
 *
 * @param parse creates `req.body` from the decoded text, or from the bytes if `charset` is null.
 * @param charset the charset of the text.
 */
export function read(
  req: BodyRequest,
  res: http.ServerResponse,
  next: Next,
  options: CommonOptions,
  parse: (body: never) => unknown,
  charset: string | null,
): void {
  if (options.version.bodies.marksRead) req._body = true;
  // `verify` receives the charset, so with `verify` the charset is checked before anything else
  if (options.verify !== undefined && charset !== null && !isSupportedCharset(charset)) {
    giveUp(new Reading(req, res, next, options, parse, charset, null), unsupportedCharset(charset));
    return;
  }
  let coding: ContentCoding | undefined;
  try {
    coding = contentCoding(req.headers, options.inflate);
  } catch (error) {
    next(error);
    return;
  }
  const field = req.headers['content-length'];
  const length = coding !== undefined || field === undefined ? null : Number.parseInt(field, 10);
  const reading = new Reading(req, res, next, options, parse, charset, length);
  const error = obstacle(reading);
  if (error !== undefined) fail(reading, error);
  else if (coding !== undefined) inflate(reading, coding);
  else if (takeBody(req, reading)) reading.isTaken = true;
  else listen(reading, req);
}

/** Returns the reason why reading would fail from the start, if any. */
function obstacle({ charset, length, limit, req }: Reading): HttpError | undefined {
  // Content-Encoding may be among the dropped headers
  if (excessHeaders(req) > 0) return tooManyHeaders(req);
  if (length !== null && length > limit) return tooLarge({ expected: length, length, limit });
  if (req.readableEncoding) {
    return httpError(500, 'stream encoding should not be set', { type: 'stream.encoding.set' });
  }
  if (isOver(req)) return httpError(500, 'stream is not readable', { type: 'stream.not.readable' });
  return charset === null || isSupportedCharset(charset) ? undefined : unsupportedCharset(charset);
}

function listen(reading: Reading, source: Readable, add: 'on' | 'prependListener' = 'on'): void {
  const { req } = reading;
  const { error, close, aborted, end, data } = (reading.listeners = makeListeners(reading));
  req[add]('error', error);
  req[add]('close', close);
  req[add]('aborted', aborted);
  source[add]('end', end);
  source.on('data', data);
}

function inflate(reading: Reading, coding: ContentCoding): void {
  const inflater = createInflater(coding);
  reading.inflater = inflater;
  listen(reading, inflater);
  inflater.on('error', reading.listeners!.undecoded);
  reading.req.pipe(inflater);
}

function makeListeners(reading: Reading): Listeners {
  const { req } = reading;
  return {
    /** Node's requests emit an error only when they are aborted; other streams may emit it for other reasons. */
    error(cause) {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- its replacement can't distinguish an abort from an error
      fail(reading, req.aborted ? aborted(reading) : httpError(400, cause));
    },
    /** The request also closes after its last byte, possibly while a decoder is still at work. */
    close() {
      if (!req.readableEnded) fail(reading, aborted(reading));
    },
    /** Emitted before the response closes, so that loggers that run on its `close` event see the status of the error. */
    aborted() {
      fail(reading, aborted(reading));
    },
    end() {
      reading.finish();
    },
    data(chunk) {
      // A listener that was removed last from an object that inherits from the request stays with the request
      if (reading.listeners !== undefined) reading.take(chunk);
    },
    undecoded(cause) {
      fail(reading, httpError(400, cause));
    },
  };
}

/** Removes the listeners and destroys the decoder, which may be in the middle of a chunk (CVE-2026-111181). */
function stop(reading: Reading): void {
  const { inflater, listeners, req } = reading;
  reading.pieces.clear();
  if (reading.isTaken) {
    releaseBody(req);
    return;
  }
  if (listeners === undefined) return;
  reading.listeners = undefined;
  const source = inflater ?? req;
  req.removeListener('error', listeners.error);
  req.removeListener('close', listeners.close);
  req.removeListener('aborted', listeners.aborted);
  source.removeListener('end', listeners.end);
  source.removeListener('data', listeners.data);
  if (inflater === undefined) return;
  req.unpipe(inflater);
  inflater.removeListener('error', listeners.undecoded);
  inflater.destroy();
}

/** Handles an error in reading the source, which body-parser pauses before it discards the rest. */
function fail(reading: Reading, error: unknown): void {
  stop(reading);
  // Mock requests may lack `pause`; nothing listens to a request whose body was taken from the parser
  const { req, inflater, isTaken } = reading;
  if (inflater === undefined && !isTaken) (req as Partial<Readable>).pause?.();
  giveUp(reading, error);
}

/** Passes the error on once the request has ended, or enough of the rest has been discarded. */
function giveUp(reading: Reading, error: unknown): void {
  const { req } = reading;
  if (isOver(req)) passOnError(reading, error);
  else discardRest(reading, error);
}

/**
 * Reads the request to its end if the connection closes after the response, because a client that is still sending
 * would otherwise lose the response.
 */
function discardRest(reading: Reading, error: unknown): void {
  const { req, res } = reading;
  let discarded = 0;
  // Mock requests have no socket. Its error must come before the response closes, like that of an upload in progress.
  const socket = req.socket as Socket | undefined;
  const drained = (): void => {
    // For a listener that stays, as in `makeListeners`
    discarded = -Infinity;
    for (const event of ENDS) req.removeListener(event, drained);
    socket?.removeListener('error', drained);
    req.removeListener('data', discard);
    passOnError(reading, error);
  };
  const discard = (chunk: Buffer): void => {
    discarded += chunk.length;
    if (discarded > DRAIN_LIMIT && res.shouldKeepAlive) drained();
  };
  for (const event of ENDS) req.on(event, drained);
  socket?.on('error', drained);
  req.on('data', discard);
  req.resume();
}

/** Whether no more data will arrive. Mock requests may lack `readable`, and are read. */
function isOver(req: { readable?: boolean }): boolean {
  return req.readable === false;
}

function passOnError(reading: Reading, error: unknown): void {
  reading.runInAsyncScope(reading.next, undefined, error);
}

function tooLarge(properties: object): HttpError {
  return httpError(413, 'request entity too large', { ...properties, type: 'entity.too.large' });
}

function aborted({ length, pieces: { received } }: Reading): HttpError {
  const properties = { code: 'ECONNABORTED', expected: length, length, received, type: 'request.aborted' };
  return httpError(400, 'request aborted', properties);
}
