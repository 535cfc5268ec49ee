/**
 * Header block and body in one write to the socket, which also ends the response: what both ways to a whole answer end
 * with, `write.ts` with a block of its own and `end.ts` with that of `writeHead`.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { native, WRITABLE_FINISHED } from './native';

/** A response with the fields that the runtime does not document; `native.ts` has checked them. */
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
  _trailer: string;
  maxRequestsOnConnectionReached: boolean;
  outputData: unknown[];
  _finish(): void;
  [finished: symbol]: unknown;
}

/** The runtime notes on a socket whose turn it is. */
interface OwnedSocket extends Socket {
  _httpMessage?: unknown;
  _hadError?: boolean;
}

/** Bytes up to this number are written as text together with the block: one write is cheaper than two. */
const SMALL = 16 * 1024;

/** How a text goes to `res.end`, where it goes that way: the runtime writes the header block accordingly. */
export const enum TextForm {
  /** As it is: block and text are written in UTF-8 together. */
  text,
  /** As bytes: the block is written in Latin-1. */
  bytes,
  /** As bytes, and the text is known to be ASCII. */
  asciiBytes,
}

/** Whether it is the response's turn on its socket, and nothing has been written, held back, or is to follow. */
export function isReady(res: NativeResponse): boolean {
  const socket: OwnedSocket | null = res.socket;
  return (
    socket !== null &&
    socket._httpMessage === res &&
    socket.writable &&
    (res as unknown as { _send: unknown })._send === native._send &&
    !res._headerSent &&
    !res.strictContentLength &&
    res._trailer === '' &&
    !res.writableEnded &&
    res.writableCorked === 0 &&
    socket.writableCorked === 0 &&
    res.outputData.length === 0
  );
}

/** Writes block and body, and ends the response. */
export function writeWhole(res: NativeResponse, block: string, body: string | Buffer, form: TextForm): void {
  const socket: OwnedSocket = res.socket!;
  res._headerSent = true;
  if (typeof body === 'string') {
    const whole = block + body;
    // the runtime writes a block that no text follows in Latin-1
    if (form === TextForm.asciiBytes || body === '' || isAscii(whole)) endWith(res, socket, whole, 'latin1');
    else if (form === TextForm.text || isAscii(block)) endWith(res, socket, whole, 'utf8');
    else writeBytes(res, socket, block, Buffer.from(body));
  } else {
    writeBytes(res, socket, block, body);
  }
}

/** Latin-1 has one character for each byte, so that bytes can be written as text. */
function writeBytes(res: NativeResponse, socket: OwnedSocket, block: string, body: Buffer): void {
  if (body.length <= SMALL) endWith(res, socket, block + body.toString('latin1'), 'latin1');
  else writeInTwo(res, socket, block, body);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function writeInTwo(res: NativeResponse, socket: OwnedSocket, block: string, body: Buffer): void {
  socket.cork();
  socket.write(block, 'latin1');
  endWith(res, socket, body, undefined);
  socket.uncork();
}

/**
 * The last write of a response. The runtime's `end` would need a turn of its own to tell that all is written, and the
 * write tells it anyway.
 */
function endWith(
  res: NativeResponse,
  socket: OwnedSocket,
  chunk: string | Buffer,
  encoding: BufferEncoding | undefined,
): void {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `writableEnded` is made of it
  res.finished = true;
  socket.write(chunk, encoding, () => {
    if (socket._hadError) return;
    if (WRITABLE_FINISHED !== undefined) res[WRITABLE_FINISHED] = true;
    res.emit('finish');
  });
  res._finish();
}
