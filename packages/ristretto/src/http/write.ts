/**
 * The last step of an answer whose whole body is known: header block and body in one write to the socket.
 *
 * Runs on every request that is answered by `send`, `json` and their like. The runtime makes the same block in more
 * steps and sends it in more writes; what stands on the wire is the same. Whatever is out of the ordinary (somebody
 * has patched a function between here and the socket, fields that change the framing, a pipelined answer whose turn
 * has not come) takes the documented way, `res.end(body)`.
 */
import { ServerResponse as RuntimeResponse, STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { end } from './end';
import { canWriteDirectly, native, OUT_HEADERS } from './native';
import { isReady, TextForm, writeWhole } from './one-write';
import type { NativeResponse } from './one-write';

type HeaderEntry = [name: string, value: string | number | readonly string[]];

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

const runtime = RuntimeResponse.prototype;

const statusLines: (string | undefined)[] = [];

/** Sends the body and ends the response. */
export function respond(
  res: ServerResponse,
  body: string | Buffer | undefined,
  form: TextForm = TextForm.text,
): void {
  if (canWriteDirectly && isOrdinary(res as NativeResponse)) {
    const needsNoLength = isBodiless(res as NativeResponse);
    const content = needsNoLength ? '' : body;
    const block = content === undefined ? undefined : headerBlock(res as NativeResponse, needsNoLength);
    if (block !== undefined) {
      if (needsNoLength) (res as NativeResponse)._hasBody = false;
      res.statusMessage = STATUS_CODES[res.statusCode]!;
      (res as NativeResponse)._header = block;
      writeWhole(res as NativeResponse, block, content!, form);
      return;
    }
  }
  if (body === undefined) res.end();
  else if (typeof body !== 'string') res.end(body);
  else if (form === TextForm.text) res.end(body, 'utf8');
  else res.end(Buffer.from(body));
}

/** Whether nothing about the response is out of the ordinary, and it is its turn on the socket. */
function isOrdinary(res: NativeResponse): boolean {
  return (
    res._header === null &&
    isReady(res) &&
    isUnpatched(res) &&
    res.statusMessage === undefined &&
    res.sendDate &&
    res.shouldKeepAlive &&
    res.useChunkedEncodingByDefault &&
    !res.chunkedEncoding &&
    !res.maxRequestsOnConnectionReached &&
    !res._removedConnection &&
    !res._removedContLen &&
    !res._removedTE &&
    !(res._expect_continue && !res._sent100)
  );
}

/** Whether the answer has no body and need not tell a length: that to HEAD, and by its status. */
function isBodiless({ _hasBody, statusCode }: NativeResponse): boolean {
  return !_hasBody || statusCode === 204 || statusCode === 304;
}

function isUnpatched(response: NativeResponse): boolean {
  const res = response as unknown as Record<keyof typeof native, unknown>;
  return (
    (res.end === end || res.end === native.end) &&
    runtime.end === native.end &&
    res.writeHead === native.writeHead &&
    res.write === native.write &&
    res.setHeader === native.setHeader &&
    res._implicitHeader === native._implicitHeader &&
    res._storeHeader === native._storeHeader
  );
}

/** The header block with its empty line; undefined where a field or the status wants the runtime's own care. */
function headerBlock(res: NativeResponse, needsNoLength: boolean): string | undefined {
  const { statusCode } = res;
  if (statusCode < 200) return undefined;
  let block = statusLines[statusCode] ?? statusLine(statusCode);
  if (block === undefined) return undefined;

  const fields = (res as unknown as Record<symbol, Record<string, HeaderEntry> | null>)[OUT_HEADERS!];
  let hasLength = false;
  for (const key in fields) {
    if (FRAMING.has(key)) return undefined;
    if (key === 'content-length') hasLength = true;
    const entry = fields[key]!;
    if (typeof entry[1] === 'object') {
      // the runtime joins the values of some fields and repeats others
      if (key !== 'set-cookie') return undefined;
      for (const one of entry[1]) block += entry[0] + ': ' + one + '\r\n';
    } else {
      block += lineOf(key, entry);
    }
  }
  return hasLength || needsNoLength ? block + date() + connectionFields(res) : undefined;
}

interface KeptLine {
  name: string;
  value: unknown;
  line: string;
}

const keptLine = (): KeptLine => ({ name: '', value: undefined, line: '' });
const poweredBy = keptLine();
const type = keptLine();
const length = keptLine();
const tag = keptLine();

/** The line of a field. Those that nearly every answer has are often the same as in the answer before. */
function lineOf(key: string, entry: HeaderEntry): string {
  switch (key) {
    case 'x-powered-by':
      return sameLine(poweredBy, entry);
    case 'content-type':
      return sameLine(type, entry);
    case 'content-length':
      return sameLine(length, entry);
    case 'etag':
      return sameLine(tag, entry);
    default:
      return entry[0] + ': ' + String(entry[1]) + '\r\n';
  }
}

function sameLine(kept: KeptLine, entry: HeaderEntry): string {
  const name = entry[0];
  const value = entry[1];
  if (value !== kept.value || name !== kept.name) {
    kept.name = name;
    kept.value = value;
    kept.line = name + ': ' + String(value) + '\r\n';
  }
  return kept.line;
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
