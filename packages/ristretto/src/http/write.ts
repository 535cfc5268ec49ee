/**
 * The last step of an answer whose whole body is known: header block and body in one write to the socket.
 *
 * Runs on every request that is answered by `send`, `json` and their like. The runtime makes the same block in more
 * steps and sends it in more writes; what stands on the wire is the same. Whatever is out of the ordinary (somebody
 * has patched a function between here and the socket, fields that change the framing, a pipelined answer whose turn
 * has not come) takes the documented way, `res.end(body)`.
 */
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canWriteDirectly, native, OUT_HEADERS, WRITABLE_FINISHED } from './native';

type HeaderEntry = [name: string, value: string | number | readonly string[]];

/** A response with the fields that the runtime does not document; `native.ts` has checked them. */
interface NativeResponse extends ServerResponse {
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

/** Fields that change how the message is framed, or that the runtime adds or changes by itself. */
const FRAMING = new Set([
  'connection',
  // the runtime writes its value in an encoding of its own
  'content-disposition',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

const statusLines: (string | undefined)[] = [];

/**
 * Sends the body and ends the response.
 * @param asBytes whether a text goes to `res.end` as bytes, where it goes that way: the runtime then writes the header
 *   block in Latin-1, and otherwise in UTF-8 together with the text
 */
export function respond(res: ServerResponse, body: string | Buffer | undefined, asBytes = false): void {
  if (canWriteDirectly && body !== undefined && isOrdinary(res as NativeResponse)) {
    const block = headerBlock(res as NativeResponse);
    if (block !== undefined) {
      writeDirectly(res as NativeResponse, block, body, asBytes);
      return;
    }
  }
  if (typeof body !== 'string') res.end(body);
  else if (asBytes) res.end(Buffer.from(body));
  else res.end(body, 'utf8');
}

/** Whether nothing about the response is out of the ordinary, and it is its turn on the socket. */
function isOrdinary(res: NativeResponse): boolean {
  const socket: OwnedSocket | null = res.socket;
  return (
    res._header === null &&
    socket !== null &&
    socket._httpMessage === res &&
    socket.writable &&
    isUnpatched(res) &&
    res.statusMessage === undefined &&
    res.sendDate &&
    res.shouldKeepAlive &&
    res._hasBody &&
    res.useChunkedEncodingByDefault &&
    !res.chunkedEncoding &&
    !res.maxRequestsOnConnectionReached &&
    !res._removedConnection &&
    !res._removedContLen &&
    !res._removedTE &&
    !res.strictContentLength &&
    !(res._expect_continue && !res._sent100) &&
    res._trailer === '' &&
    !res.writableEnded &&
    res.writableCorked === 0 &&
    socket.writableCorked === 0 &&
    res.outputData.length === 0
  );
}

function isUnpatched(response: NativeResponse): boolean {
  const res = response as unknown as Record<keyof typeof native, unknown>;
  return (
    res.end === native.end &&
    res.writeHead === native.writeHead &&
    res.write === native.write &&
    res.setHeader === native.setHeader &&
    res._implicitHeader === native._implicitHeader &&
    res._storeHeader === native._storeHeader &&
    res._send === native._send
  );
}

/** The header block with its empty line; undefined where a field or the status wants the runtime's own care. */
function headerBlock(res: NativeResponse): string | undefined {
  const { statusCode } = res;
  if (statusCode < 200 || statusCode === 204 || statusCode === 304) return undefined;
  let block = statusLines[statusCode] ?? statusLine(statusCode);
  if (block === undefined) return undefined;

  const fields = (res as unknown as Record<symbol, Record<string, HeaderEntry> | null>)[OUT_HEADERS!];
  let hasLength = false;
  for (const key in fields) {
    if (FRAMING.has(key)) return undefined;
    if (key === 'content-length') hasLength = true;
    const [name, value] = fields[key]!;
    if (typeof value === 'object') {
      // the runtime joins the values of some fields and repeats others
      if (key !== 'set-cookie') return undefined;
      for (const one of value) block += name + ': ' + one + '\r\n';
    } else {
      block += name + ': ' + String(value) + '\r\n';
    }
  }
  return hasLength ? block + date() + connectionFields(res) : undefined;
}

function statusLine(statusCode: number): string | undefined {
  const reason = STATUS_CODES[statusCode];
  return reason === undefined
    ? undefined
    : (statusLines[statusCode] = `HTTP/1.1 ${String(statusCode)} ${reason}\r\n`);
}

let keepAliveTimeout = -1;
let keepAliveFields = '';

/** The fields for a connection that is kept, and the empty line. */
function connectionFields(res: NativeResponse): string {
  const limit = Number(res._maxRequestsPerSocket) | 0;
  const timeout = res._defaultKeepAlive ? res._keepAliveTimeout : 0;
  if (limit > 0) return makeConnectionFields(timeout, `, max=${String(res._maxRequestsPerSocket)}`);
  if (timeout !== keepAliveTimeout) {
    keepAliveFields = makeConnectionFields(timeout, '');
    keepAliveTimeout = timeout;
  }
  return keepAliveFields;
}

function makeConnectionFields(timeout: number, max: string): string {
  if (!timeout) return 'Connection: keep-alive\r\n\r\n';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${String(Math.floor(timeout / 1000))}${max}\r\n\r\n`;
}

let dateField = '';

/** The field with the time in the form of RFC 9110 section 5.6.7, made anew when the second is over. */
function date(): string {
  if (dateField === '') {
    const now = new Date();
    dateField = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(forgetDate, 1000 - now.getMilliseconds()).unref();
  }
  return dateField;
}

function forgetDate(): void {
  dateField = '';
}

/** Writes block and body, and ends the response. */
function writeDirectly(res: NativeResponse, block: string, body: string | Buffer, asBytes: boolean): void {
  const socket: OwnedSocket = res.socket!;
  res._header = block;
  res._headerSent = true;
  res.statusMessage = STATUS_CODES[res.statusCode]!;
  if (typeof body === 'string') {
    const whole = block + body;
    // the runtime writes a block that no text follows in Latin-1
    if (body === '' || isAscii(whole)) endWith(res, socket, whole, 'latin1');
    else if (!asBytes || isAscii(block)) endWith(res, socket, whole, 'utf8');
    else writeInTwo(res, socket, block, Buffer.from(body));
  } else {
    writeInTwo(res, socket, block, body);
  }
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
