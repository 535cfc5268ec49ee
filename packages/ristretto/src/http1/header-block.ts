/**
 * The header block of a response, made in fewer steps than Node's own; what stands on the wire is the same.
 * Fields and states that change the framing are left to Node.
 */
import { dateLine } from '../http/date';
import { OUT_HEADERS } from '../http/native';
import type { NativeResponse } from './one-write';
import type { FieldStore, FieldValue } from '../http/set-header';

/** Fields that change how the message is framed, or that Node adds or changes by itself. */
const FRAMING = new Set([
  'connection',
  // Node writes its value in an encoding of its own
  'content-disposition',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

/** Whether nothing has been asked for that changes the framing, but perhaps by a field. */
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
 * The block with its empty line.
 * @param firstLine the status line, with its end
 * @param needsNoLength whether the response has no body by its status or the request's method
 * @returns undefined where a field wants Node's own care
 */
export function headerBlock(
  res: NativeResponse,
  firstLine: string,
  needsNoLength: boolean,
): string | undefined {
  const fields = (res as unknown as FieldStore)[OUT_HEADERS!];
  let block = firstLine;
  let hasLength = false;
  for (const key in fields) {
    if (FRAMING.has(key)) return undefined;
    if (key === 'content-length') hasLength = true;
    const entry = fields[key]!;
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

/** The symbol under which a response has the fields that its server wants to be sent once; looked for when needed. */
let UNIQUE: symbol | undefined;

/** Whether the server wants some fields to be sent once, or that can't be told. */
function hasUniqueFields(res: NativeResponse): boolean {
  UNIQUE ??= Object.getOwnPropertySymbols(res).find(({ description }) => description === 'kUniqueHeaders');
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

/** The line of a field. Those that nearly every response has are often the same as in the response before. */
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
