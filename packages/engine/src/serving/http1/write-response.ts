/**
 * Sends header block and body in one write to the socket, and ends the response: the last step of `res.end` and of everything
 * that sends a whole body.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { native } from '../native';
import { TextForm } from '../respond';
import { lightConnectionOf } from './light-exchange';
import type { LightResponse } from './light-exchange';

/** A response with Node's undocumented properties, which `native.ts` has checked. */
export interface NativeResponse extends ServerResponse {
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  _defaultKeepAlive: boolean;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket?: number;
  _expect_continue: boolean;
  _sent100: boolean;
  _contentLength: number | null;
  _implicitHeader(): void;
  /** Compared with Node's own, as the next two are. */
  _storeHeader: unknown;
  _send: unknown;
  _writeRaw: unknown;
  _trailer: string;
  maxRequestsOnConnectionReached: boolean;
  outputData: unknown[];
  _finish(): void;
  [symbol: symbol]: unknown;
}

/** A socket with the properties that Node sets: the response being sent, and whether the connection failed. */
interface OwnedSocket extends Socket {
  _httpMessage?: unknown;
  _hadError?: boolean;
}

type End = (this: ServerResponse, ...rest: unknown[]) => void;

/** Up to this many bytes, a body is written as text together with the header block: one write is cheaper than two. */
const SMALL = 16 * 1024;

/** Whether the response is being sent on its socket, and nothing has been written, is queued, or will follow. */
export function isReady(res: NativeResponse): boolean {
  // Undefined if a response created by `Object.create` has been given another prototype.
  const socket = res.socket as OwnedSocket | null | undefined;
  return (
    socket?._httpMessage === res &&
    socket.writable &&
    res._send === native._send &&
    res._writeRaw === native._writeRaw &&
    res.emit === native.emit &&
    !res._headerSent &&
    !res.strictContentLength &&
    res._trailer === '' &&
    !res.writableEnded &&
    res.writableCorked === 0 &&
    socket.writableCorked === 0 &&
    res.outputData.length === 0
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
  else connection.endWithBytes(res as unknown as LightResponse, block, body);
}

function endWith(res: NativeResponse, block: string, text: string, encoding: 'latin1' | 'utf8'): void {
  const connection = lightConnectionOf(res);
  if (connection === undefined) endNatively(res, text, encoding);
  else connection.endWithText(res as unknown as LightResponse, block + text, encoding);
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
