/**
 * Creates the header block of a response in fewer steps than Node, with the same bytes. Headers and states that change
 * the framing are left to Node.
 */
import { dateLine } from '../http/date';
import { fieldsOf, PreparedList } from '../http/header-store';
import type { FieldValue } from '../http/header-store';
import { symbolNamed } from '../http/undocumented';
import type { NativeResponse } from './write-response';

/** Headers that change the framing of the message, or that Node adds or changes itself. */
const FRAMING = new Set([
  'connection',
  // Node encodes its value differently
  'content-disposition',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

/** Whether nothing changes the framing, except perhaps a header. */
export function hasOrdinaryFraming(res: NativeResponse): boolean {
  return (
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

/**
 * Returns the header block including the empty line.
 * @param firstLine the status line with its line break
 * @param needsNoLength whether the response has no body because of its status or the request's method
 * @returns undefined if Node must handle one of the headers
 */
export function headerBlock(
  res: NativeResponse,
  firstLine: string,
  needsNoLength: boolean,
): string | undefined {
  const fields = fieldsOf(res);
  let block = firstLine;
  let hasLength = false;
  for (const key in fields) {
    if (FRAMING.has(key)) return undefined;
    if (key === 'content-length') hasLength = true;
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
  return hasLength || needsNoLength ? block + dateLine() + connectionFields(res) : undefined;
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

function sameLine(kept: KeptLine, entry: FieldEntry): string {
  const name = entry[0];
  const value = entry[1];
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
