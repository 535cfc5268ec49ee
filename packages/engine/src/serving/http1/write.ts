/**
 * Sends a response whose complete body is known: header block and body in one write to the socket.
 *
 * Used for every response sent by `send`, `json` and the like. Creates the same header block as Node in fewer steps, with
 * the same bytes. Anything unusual (a tool has patched a method between here and the socket, headers that change the
 * framing, a status that Node would convert or reject, a pipelined response that is still queued) goes through
 * `res.end(body)`.
 *
 * Saves 20 % of a small response on Node 24 and 9 % on Node 26.
 */
import { STATUS_CODES } from 'node:http';
import { dateLine } from '../date';
import { fieldsOf, PreparedList } from '../header-store';
import type { Fields, FieldValue } from '../header-store';
import { native } from '../native';
import type { Writer } from '../write-content';
import { symbolNamed } from '../node-internals';
import { HeaderLine } from './header-lines';
import { isReady, writeWhole } from './write-response';
import type { NativeResponse } from './native-messages';

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
  first: HeaderLine;
}

/** Status lines by status code. */
const statusLines: (StatusLine | undefined)[] = [];

/** Sends the body and ends the response, if nothing about it is unusual. */
export const writeOverHttp1: Writer = (response, body, form) => {
  const res = response as NativeResponse;
  if (!isOrdinary(res)) return false;
  const { statusCode } = res;
  // A response to HEAD, or one whose status allows no body.
  const needsNoLength = !res._hasBody || statusCode === 204 || statusCode === 304;
  const content = needsNoLength ? '' : body;
  const status = content === undefined ? undefined : statusLine(statusCode);
  const block = status && headerBlock(res, status.first, needsNoLength);
  if (block === undefined) return false;
  if (needsNoLength) res._hasBody = false;
  res.statusMessage = status!.reason;
  res._header = block;
  writeWhole(res, block, content!, form);
  return true;
};

/** Whether the response is an ordinary one, and the current one of its socket. */
function isOrdinary(res: NativeResponse): boolean {
  return (
    res._header === null &&
    // Responses of other kinds of servers have their own method.
    res._storeHeader === native._storeHeader &&
    isReady(res) &&
    res.statusMessage === undefined &&
    !(res._expect_continue && !res._sent100) &&
    // Only headers may change the framing.
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
  const line = `HTTP/1.1 ${String(statusCode)} ${reason}\r\n`;
  return (statusLines[statusCode] = { reason, first: new HeaderLine('', '', '', line) });
}

/**
 * Returns the header block including the empty line.
 * @param first the status line
 * @param needsNoLength whether the response has no body because of its status or the request's method
 * @returns undefined if Node must handle one of the headers
 */
function headerBlock(res: NativeResponse, first: HeaderLine, needsNoLength: boolean): string | undefined {
  const fields = fieldsOf(res) ?? NO_FIELDS;
  if (fields['content-length'] === undefined && !needsNoLength) return undefined;
  // The last line that repeats; undefined after the first that does not.
  let line: HeaderLine | undefined = first;
  let block = '';
  for (const key in fields) {
    const entry = fields[key]!;
    const isList = entry instanceof PreparedList;
    const name = isList ? '' : entry[0];
    const value = isList ? entry : entry[1];
    const next: HeaderLine | undefined = line?.followedBy(key, name, value);
    if (next !== undefined) {
      line = next;
      continue;
    }
    const lines = linesOf(res, key, name, value);
    if (lines === undefined) return undefined;
    block = line === undefined ? block + lines : line.follow(key, name, value, lines);
    line = undefined;
  }
  const rest = linesOfNode(fields.date === undefined ? dateLine() : '', connectionFields(res));
  if (line === undefined) return block + rest;
  return line.followedBy('', '', rest)?.joined() ?? line.follow('', '', rest, rest);
}

const NO_FIELDS: Fields = {};

/** Returns the lines of a header, or of a list; undefined if Node must handle it. */
function linesOf(
  res: NativeResponse,
  key: string,
  name: string,
  value: FieldValue | PreparedList,
): string | undefined {
  if (value instanceof PreparedList) return value.lines;
  if (FRAMING.has(key)) return undefined;
  if (typeof value !== 'object') return name + ': ' + String(value) + '\r\n';
  // Node joins the values of some headers and repeats others.
  if (key !== 'set-cookie' || !Array.isArray(value) || hasUniqueFields(res)) return undefined;
  let lines = '';
  for (const one of value as readonly string[]) lines += name + ': ' + one + '\r\n';
  return lines;
}

/** The symbol of the response property with the server's `uniqueHeaders`, looked up on first use. */
let UNIQUE: symbol | undefined;

/** Whether the server is configured with `uniqueHeaders`, or that is unknown. */
function hasUniqueFields(res: NativeResponse): boolean {
  UNIQUE ??= symbolNamed(res, 'kUniqueHeaders');
  return UNIQUE === undefined || res[UNIQUE] !== null;
}

let lastDate = '';
let lastConnection = '';
let lastLines = '';

/** Returns the lines that Node adds: the same string for all responses of one second. */
function linesOfNode(date: string, connection: string): string {
  if (date !== lastDate || connection !== lastConnection) {
    lastDate = date;
    lastConnection = connection;
    lastLines = date + connection;
  }
  return lastLines;
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
