/**
 * Sends a response whose complete body is known: header block and body in one write to the socket.
 *
 * Used for every response sent by `send`, `json` and the like. Creates the same header block as Node in fewer steps, with
 * the same bytes. Anything unusual (a tool has patched a method between here and the socket, headers that change the
 * framing, a status that Node would convert or reject, a pipelined response that is still queued) goes through
 * `res.end(body)`.
 *
 * Saves 18 % of a small response on Node 24 and 19 % on Node 26.
 */
import { STATUS_CODES } from 'node:http';
import { dateLine } from '../http/date';
import { fieldsOf, PreparedList } from '../http/header-store';
import type { FieldValue } from '../http/header-store';
import { native } from '../http/native';
import type { Sender } from '../http/respond';
import { symbolNamed } from '../http/undocumented';
import { isReady, writeWhole } from './write-response';
import type { NativeResponse } from './write-response';

/** Headers that change the framing of the message, or that Node adds or changes itself. */
const FRAMING = new Set([
  'connection',
  // Node encodes its value differently
  'content-disposition',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

interface StatusLine {
  reason: string;
  line: string;
}

/** Status lines by status code. */
const statusLines: (StatusLine | undefined)[] = [];

/** Sends the body and ends the response, if nothing about it is unusual. */
export const sendOverHttp1: Sender = (response, body, form) => {
  const res = response as NativeResponse;
  if (!isOrdinary(res)) return false;
  const { statusCode } = res;
  // Because of the method HEAD, or of the status.
  const needsNoLength = !res._hasBody || statusCode === 204 || statusCode === 304;
  const content = needsNoLength ? '' : body;
  const status = content === undefined ? undefined : statusLine(statusCode);
  const block = status && headerBlock(res, status.line, needsNoLength);
  if (block === undefined) return false;
  if (needsNoLength) res._hasBody = false;
  res.statusMessage = status!.reason;
  res._header = block;
  writeWhole(res, block, content!, form);
  return true;
};

/** Whether nothing about the response is unusual, and it is the one being sent on its socket. */
function isOrdinary(res: NativeResponse): boolean {
  return (
    res._header === null &&
    // Responses of other kinds of servers have their own method.
    res._storeHeader === native._storeHeader &&
    isReady(res) &&
    res.statusMessage === undefined &&
    !(res._expect_continue && !res._sent100) &&
    // Nothing changes the framing, except perhaps a header.
    res.sendDate &&
    res.shouldKeepAlive &&
    res.useChunkedEncodingByDefault &&
    !res.chunkedEncoding &&
    !res.maxRequestsOnConnectionReached &&
    !res._removedConnection &&
    !res._removedContLen &&
    !res._removedTE
  );
}

/** Returns the status line; undefined if Node must convert or reject the status, or has no reason phrase for it. */
function statusLine(statusCode: unknown): StatusLine | undefined {
  if (typeof statusCode !== 'number' || !Number.isInteger(statusCode) || statusCode < 200 || statusCode > 999)
    return undefined;
  const reason = STATUS_CODES[statusCode];
  const kept = statusLines[statusCode];
  if (kept !== undefined && kept.reason === reason) return kept;
  // An application may have removed or replaced the reason phrase.
  if (typeof reason !== 'string') return undefined;
  return (statusLines[statusCode] = { reason, line: `HTTP/1.1 ${String(statusCode)} ${reason}\r\n` });
}

/**
 * Returns the header block including the empty line.
 * @param firstLine the status line with its line break
 * @param needsNoLength whether the response has no body because of its status or the request's method
 * @returns undefined if Node must handle one of the headers
 */
function headerBlock(res: NativeResponse, firstLine: string, needsNoLength: boolean): string | undefined {
  const fields = fieldsOf(res);
  let block = firstLine;
  let hasLength = false;
  let hasDate = false;
  for (const key in fields) {
    if (FRAMING.has(key)) return undefined;
    if (key === 'content-length') hasLength = true;
    else if (key === 'date') hasDate = true;
    const entry = fields[key]!;
    if (entry instanceof PreparedList) {
      block += entry.lines;
      continue;
    }
    if (typeof entry[1] === 'object') {
      // Node joins the values of some headers and repeats others.
      if (key !== 'set-cookie' || !Array.isArray(entry[1]) || hasUniqueFields(res)) return undefined;
      for (const one of entry[1] as readonly string[]) block += entry[0] + ': ' + one + '\r\n';
    } else {
      block += lineOf(key, entry);
    }
  }
  if (!hasLength && !needsNoLength) return undefined;
  return block + (hasDate ? '' : dateLine()) + connectionFields(res);
}

/** The symbol of the response property with the server's `uniqueHeaders`, looked up on first use. */
let UNIQUE: symbol | undefined;

/** Whether the server is configured with `uniqueHeaders`, or that is unknown. */
function hasUniqueFields(res: NativeResponse): boolean {
  UNIQUE ??= symbolNamed(res, 'kUniqueHeaders');
  return UNIQUE === undefined || res[UNIQUE] !== null;
}

type FieldEntry = [name: string, value: FieldValue];

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

/**
 * Returns the line of a header. Lines of the most common headers are cached, because they often repeat the previous
 * response's.
 */
function lineOf(key: string, entry: FieldEntry): string {
  const name = entry[0];
  const value = entry[1];
  let kept: KeptLine;
  switch (key) {
    case 'x-powered-by':
      kept = poweredBy;
      break;
    case 'content-type':
      kept = type;
      break;
    case 'content-length':
      kept = length;
      break;
    case 'etag':
      kept = tag;
      break;
    default:
      return name + ': ' + String(value) + '\r\n';
  }
  if (value !== kept.value || name !== kept.name) {
    kept.name = name;
    kept.value = value;
    kept.line = name + ': ' + String(value) + '\r\n';
  }
  return kept.line;
}

let keepAliveTimeout = -1;
let keepAliveFields = '';

/** Returns the headers of a keep-alive connection, and the empty line. */
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
