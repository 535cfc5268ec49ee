/**
 * Reads the header of a part of a form (RFC 7578, section 4), and accepts and ignores the same parts as busboy: a
 * part without a usable Content-Disposition is ignored, and only a line that is not a header is an error.
 */
import { decoderOf } from './charset';

export interface PartHeader {
  /** The name of the field; undefined if it is missing or empty. */
  name: string | undefined;
  /** The characters of the name as sent, in which a quote or line break of a browser is an escape of three. */
  nameSize: number;
  /** The name of the file; undefined if the part is a field. */
  filename: string | undefined;
  isFile: boolean;
  /** The media type, in lower case. */
  mimetype: string;
  /** The Content-Transfer-Encoding, in lower case. */
  encoding: string;
  /** The charset of the Content-Type, in lower case. */
  charset: string | undefined;
}

export interface HeaderOptions {
  /** Decodes names; undefined for Latin-1. */
  decodeName: ((text: string) => string) | undefined;
  /** Whether file names keep their directories. */
  preservePath: boolean;
}

/** The header is malformed. */
export const MALFORMED = 'malformed';
/** The part does not belong to a form. */
export const LEFT_OUT = 'left out';

const PLAIN_TYPE = 'text/plain';
const PLAIN_ENCODING = '7bit';
const BINARY = 'application/octet-stream';

const TOKEN = "[!#$%&'*+.^_`|~\\dA-Za-z-]+";
/** Matches the headers that browsers and most other clients send, which are read in one step. */
const USUAL = new RegExp(
  `^Content-Disposition: form-data; name="([^"\\\\\\0-\\x1f\\x7f]*)"` +
    `(?:; filename="([^"\\\\\\0-\\x1f\\x7f]*)")?(?:\\r\\nContent-Type: (${TOKEN}/${TOKEN}))?$`,
);
// With leading blanks apart from the value, a line of blanks that ends in another character would take quadratic time.
const LINE = new RegExp(`^(${TOKEN}):([\\t\\x20-\\x7e\\x80-\\xff]*)$`);
const LEADING_BLANKS = /^[ \t]+/;
const CONTINUATION = /^[ \t][\t\x20-\x7e\x80-\xff]*$/;
const DISPOSITION = new RegExp(TOKEN, 'y');
const MEDIA_TYPE = new RegExp(`${TOKEN}/${TOKEN}`, 'y');
// Matches one parameter at a time, starting at the end of the previous one. busboy accepts an empty name. White space
// before a semicolon or at the end is skipped.
const PARAMETER = new RegExp(
  `[ \\t]*;[ \\t]*((?:${TOKEN})?)=(?:"((?:[^"\\\\]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*)"|(${TOKEN}))`,
  'y',
);
const END = /[ \t]*$/y;
const QUOTED_PAIR = /\\(["\\])/g;
const EXTENDED = /^([^']+)'[^']*'((?:[!#$&+\-.^_`|~\dA-Za-z]|%[\dA-Fa-f]{2})+)$/;
const EMPTY_EXTENDED = /^[^']*'[^']*'$/;
const ESCAPE = /%([\dA-Fa-f]{2})/g;
/** What browsers send for a quote and line breaks in names: https://html.spec.whatwg.org/#multipart-form-data */
const BROWSER_ESCAPE = /%(?:22|0D|0A)/gi;

/**
 * Reads a header.
 * @param text the lines of the header, in Latin-1
 */
export function readPartHeader(
  text: string,
  options: HeaderOptions,
): PartHeader | typeof MALFORMED | typeof LEFT_OUT {
  const usual = USUAL.exec(text);
  if (usual !== null) {
    const [, name = '', filename, type] = usual;
    return partHeader(name, filename, false, type?.toLowerCase(), undefined, undefined, options);
  }
  const lines = readLines(text);
  if (lines === undefined) return MALFORMED;
  const disposition = lines.get('content-disposition');
  if (disposition === undefined) return LEFT_OUT;
  const parsed = readValue(disposition, DISPOSITION);
  if (parsed?.value.toLowerCase() !== 'form-data') return LEFT_OUT;
  const { parameters } = parsed;
  let filename = parameters.get('filename');
  let isDecoded = false;
  for (const [key, value] of parameters) {
    if (!key.endsWith('*') || value === '') continue;
    const decoded = decodeExtended(value);
    // If one of the parameters can't be read, it is unknown which file this is.
    if (decoded === undefined) return LEFT_OUT;
    if (key === 'filename*') [filename, isDecoded] = [decoded, true];
  }
  const contentType = lines.get('content-type');
  const type = contentType === undefined ? undefined : readValue(contentType, MEDIA_TYPE);
  const charset = type?.parameters.get('charset')?.toLowerCase();
  const encoding = lines.get('content-transfer-encoding')?.toLowerCase();
  const name = parameters.get('name') ?? '';
  return partHeader(
    name,
    filename || undefined,
    isDecoded,
    type?.value.toLowerCase(),
    encoding,
    charset,
    options,
  );
}

function partHeader(
  name: string,
  sentName: string | undefined,
  isDecoded: boolean,
  mimetype = PLAIN_TYPE,
  encoding = PLAIN_ENCODING,
  charset: string | undefined,
  { decodeName, preservePath }: HeaderOptions,
): PartHeader {
  // Browsers send an empty file name if no file is selected.
  let filename = sentName || undefined;
  if (filename !== undefined && decodeName !== undefined && !isDecoded) filename = decodeName(filename);
  if (filename !== undefined && !preservePath) filename = baseName(filename);
  if (decodeName !== undefined) name = decodeName(name);
  if (filename !== undefined) filename = filename.replace(BROWSER_ESCAPE, decodeURIComponent);
  return {
    name: name.replace(BROWSER_ESCAPE, decodeURIComponent) || undefined,
    nameSize: name.length,
    filename,
    isFile: filename !== undefined || mimetype === BINARY,
    mimetype,
    encoding,
    charset,
  };
}

/** Returns the first value of each header by its name in lower case; undefined if a line is not a header. */
function readLines(text: string): Map<string, string> | undefined {
  const headers: [name: string, value: string[]][] = [];
  for (const line of text.split('\r\n')) {
    const last = headers[headers.length - 1];
    if (last !== undefined && CONTINUATION.test(line)) {
      last[1].push(line);
      continue;
    }
    const match = LINE.exec(line);
    if (match === null) return undefined;
    headers.push([match[1]!.toLowerCase(), [match[2]!.replace(LEADING_BLANKS, '')]]);
  }
  const lines = new Map<string, string>();
  for (const [name, value] of headers) if (!lines.has(name)) lines.set(name, value.join(''));
  return lines;
}

/** Reads a value and its parameters, of which the first one with each name counts; undefined if they are malformed. */
function readValue(
  text: string,
  start: RegExp,
): { value: string; parameters: Map<string, string> } | undefined {
  start.lastIndex = 0;
  const first = start.exec(text)?.[0];
  if (first === undefined) return undefined;
  const parameters = new Map<string, string>();
  let at = start.lastIndex;
  for (;;) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) break;
    at = PARAMETER.lastIndex;
    const name = match[1]!.toLowerCase();
    const quoted = match[2];
    // An extended value is a token.
    if (quoted !== undefined && name.endsWith('*')) return undefined;
    if (parameters.has(name)) continue;
    const value = quoted === undefined ? match[3]! : quoted.replace(QUOTED_PAIR, '$1');
    // busboy accepts an extended value without text, whatever its charset, but not at the end of the header.
    const isEmpty = name.endsWith('*') && at < text.length && EMPTY_EXTENDED.test(value);
    parameters.set(name, isEmpty ? '' : value);
  }
  END.lastIndex = at;
  return END.test(text) ? { value: first, parameters } : undefined;
}

/** Decodes the value of `filename*` (RFC 8187): charset, language and percent-encoded text. */
function decodeExtended(value: string): string | undefined {
  const match = EXTENDED.exec(value);
  if (match === null) return undefined;
  const bytes = Buffer.from(
    match[2]!.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return decoderOf(match[1]!)?.(bytes, 0, bytes.length);
}

/** Some clients send the whole path of the file. */
function baseName(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : last;
}
