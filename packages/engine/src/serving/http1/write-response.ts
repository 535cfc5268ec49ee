/**
 * Sends header block and body in one write to the socket, and ends the response: the last step of everything that sends a whole body, and
 * `res.end`. For this, `writeHead` creates the header block, so that patches of it are called, and the exchange stays light.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { defineHidden } from '../define-hidden';
import { native } from '../native';
import { TextForm, replaceEnd } from '../write-content';
import { lightConnectionOf } from './light-exchange';
import type { NativeResponse, NativeSocket } from './native-messages';

type End = (this: ServerResponse, ...rest: unknown[]) => void;

/** Up to this many bytes, a body is written as text together with the header block: one write is cheaper than two. */
const SMALL = 16 * 1024;
/** From this many characters on, joining text and header block, which copies both, takes longer than a second write. */
const LARGE = 64 * 1024;

/** Whether the response is being sent on its socket, and nothing has been written, is queued, or will follow. */
export function isReady(res: NativeResponse): boolean {
  // Undefined if a response created by `Object.create` has been given another prototype.
  const socket = res.socket as NativeSocket | null | undefined;
  return (
    socket?._httpMessage === res &&
    socket.writable &&
    res._send === native._send &&
    res._writeRaw === native._writeRaw &&
    res.emit === native.emit &&
    !res._headerSent &&
    !res.strictContentLength &&
    // Node would send the header block, and drop the body
    !res.destroyed &&
    res._trailer === '' &&
    !res.writableEnded &&
    res.writableCorked === 0 &&
    socket.writableCorked === 0 &&
    res.outputData?.length === 0
  );
}

/** Writes the header block that the response already has and the body, and ends the response. */
export function writeWhole(res: NativeResponse, block: string, body: string | Buffer, form: TextForm): void {
  if (typeof body !== 'string') writeBytes(res, block, body);
  // Node encodes a header block without a text body in Latin-1.
  else if (form === TextForm.asciiBytes || body === '' || (isAscii(body) && isAscii(block)))
    endWith(res, block, body, 'latin1');
  else if (form === TextForm.text || isAscii(block)) endWith(res, block, body, 'utf8');
  else writeBytes(res, block, Buffer.from(body));
}

/** Writes bytes as text in Latin-1, which has one character for each byte. */
function writeBytes(res: NativeResponse, block: string, body: Buffer): void {
  if (body.length <= SMALL) {
    endWith(res, block, body.toString('latin1'), 'latin1');
    return;
  }
  const connection = lightConnectionOf(res);
  if (connection === undefined) endNatively(res, body);
  else connection.endInTwoWrites(res, block, body, 'latin1');
}

function endWith(res: NativeResponse, block: string, text: string, encoding: 'latin1' | 'utf8'): void {
  const connection = lightConnectionOf(res);
  if (connection === undefined) endNatively(res, text, encoding);
  else if (text.length < LARGE) connection.endInOneWrite(res, block + text, encoding);
  else connection.endInTwoWrites(res, block, text, encoding);
}

/** Lets Node send the rest: it puts the header block in front. */
function endNatively(
  res: NativeResponse,
  ...rest: [chunk: string | Buffer, encoding?: BufferEncoding]
): void {
  (native.end as End).apply(res, rest);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

interface EndFunction {
  end(...args: unknown[]): ServerResponse;
}

let nativeMethods: () => EndFunction;

/** Mirrors `ServerResponse.prototype.end`: `writeHead` creates the header block, so that patches of it are called. */
function end(this: ServerResponse, ...args: unknown[]): ServerResponse {
  const [chunk, encoding, callback] = args;
  const res = this as NativeResponse;
  if (callback === undefined && isContent(chunk, encoding) && canEndLight(res)) {
    const body = chunk ?? '';
    // Not only null: programs that reset a response assign '' or undefined.
    if (!res._header) {
      res._contentLength = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
      makeHeader(res);
    }
    // Patched methods called in between may have changed the response.
    const { _header: block } = res;
    const canWrite = block && !res.chunkedEncoding && (res._hasBody || body === '');
    if (canWrite && canEndLight(res)) {
      writeWhole(res, block, body, TextForm.text);
      return res;
    }
  }
  return nativeMethods().end.apply(this, args);
}

function canEndLight(res: NativeResponse): boolean {
  return lightConnectionOf(res) !== undefined && nativeMethods().end === native.end && isReady(res);
}

/**
 * Creates the header block. If this throws, Node's `end` leaves the connection corked, so that nothing more is sent on it.
 */
function makeHeader(res: NativeResponse): void {
  try {
    res._implicitHeader();
  } catch (error) {
    res.socket?.cork();
    throw error;
  }
}

/** Whether this is a whole body, in an encoding that needs no conversion. */
function isContent(chunk: unknown, encoding: unknown): chunk is string | Buffer | null | undefined {
  if (typeof chunk !== 'string') return chunk == null ? encoding == null : isBytes(chunk, encoding);
  return encoding == null || encoding === 'utf8' || encoding === 'utf-8';
}

const isBytes = (chunk: unknown, encoding: unknown): boolean =>
  Buffer.isBuffer(chunk) && chunk.length > 0 && encoding == null;

/**
 * Adds this `end` to a prototype.
 * @param prototype one that inherits from Node's
 */
export function endAtOnce(prototype: object): void {
  nativeMethods = defineHidden<EndFunction>(prototype, { end });
  replaceEnd(end, () => nativeMethods().end);
}
