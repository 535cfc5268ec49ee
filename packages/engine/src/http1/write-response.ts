/**
 * Sends header block and body in one write to the socket, and ends the response: the last step of both fast paths,
 * `write.ts` with its own header block and `end.ts` with that of `writeHead`.
 *
 * Newer versions of Node write a last chunk and end the response at once, so their own `end` is used. Those before 24.21
 * and 26.8 need a second, empty write to detect that everything has been written: 17 % of a small response on 24.12.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { native } from '../http/native';
import { TextForm } from '../http/respond';
import { verifiedNode } from '../http/verified-node-versions';

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

type End = (this: ServerResponse, chunk: unknown, encoding: unknown) => void;

/** Up to this many bytes, a body is written as text together with the header block: one write is cheaper than two. */
const SMALL = 16 * 1024;

/** Whether Node's own `end` sends a complete response in one write. */
const endsInOneWrite = verifiedNode?.endsInOneWrite ?? true;

/** Whether the response is being sent on its socket, and nothing has been written, is queued, or will follow. */
export function isReady(res: NativeResponse): boolean {
  // Undefined if a response created by `Object.create` has been given another prototype.
  const socket = res.socket as OwnedSocket | null | undefined;
  return (
    socket?._httpMessage === res &&
    socket.writable &&
    res._send === native._send &&
    res._writeRaw === native._writeRaw &&
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
  if (typeof body !== 'string') {
    writeBytes(res, block, body);
    return;
  }
  const text = withBlock(block, body);
  // Node encodes a header block without a text body in Latin-1.
  if (form === TextForm.asciiBytes || body === '' || isAsciiOnly(block, text)) endWith(res, text, 'latin1');
  else if (form === TextForm.text || isAscii(block)) endWith(res, text, 'utf8');
  else writeBytes(res, block, Buffer.from(body));
}

/** Returns the text to write, or the text to pass to Node's own `end`, which prepends the block. */
function withBlock(block: string, text: string): string {
  return endsInOneWrite ? text : block + text;
}

function isAsciiOnly(block: string, text: string): boolean {
  return isAscii(text) && (!endsInOneWrite || isAscii(block));
}

/** Writes bytes as text in Latin-1, which has one character for each byte. */
function writeBytes(res: NativeResponse, block: string, body: Buffer): void {
  if (body.length <= SMALL) endWith(res, withBlock(block, body.toString('latin1')), 'latin1');
  else if (endsInOneWrite) (native.end as End).call(res, body, undefined);
  else writeInTwo(res, block, body);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function endWith(res: NativeResponse, text: string, encoding: 'latin1' | 'utf8'): void {
  if (endsInOneWrite) {
    (native.end as End).call(res, text, encoding);
  } else {
    res._headerSent = true;
    writeLast(res, res.socket!, text, encoding);
    res._finish();
  }
}

function writeInTwo(res: NativeResponse, block: string, body: Buffer): void {
  const socket = res.socket!;
  res._headerSent = true;
  socket.cork();
  socket.write(block, 'latin1');
  writeLast(res, socket, body, undefined);
  socket.uncork();
  res._finish();
}

/** Makes the last write of a response, and emits `finish` when it completes. */
function writeLast(
  res: NativeResponse,
  socket: OwnedSocket,
  chunk: string | Buffer,
  encoding: BufferEncoding | undefined,
): void {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `writableEnded` is computed from it
  res.finished = true;
  socket.write(chunk, encoding, () => {
    if (!socket._hadError) res.emit('finish');
  });
}
