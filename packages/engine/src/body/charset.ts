/**
 * The charset of a body: reads it from Content-Type, and decodes the bytes. UTF-8 is decoded by Node, everything else
 * (UTF-16, UTF-32, the legacy charsets) by iconv-lite.
 */
import type * as iconvLite from 'iconv-lite';
import { deferred } from '../deferred';
import { parseContentType } from '../protocol/content-type';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';
import { lenientParameters } from '../protocol/lenient-parameters';
import type { BodyVersion } from '../version';

interface Iconv {
  encodingExists: typeof iconvLite.encodingExists;
  decode: typeof iconvLite.decode;
  /**
   * The modules that `encodingExists` has loaded: names of other encodings, classes, and the parameters of families.
   */
  encodings: Record<string, unknown>;
}

/** The encodings whose tables iconv-lite reads from separate files when a client first uses them. */
interface WithTable {
  type: '_dbcs';
  table(): unknown;
  gb18030?(): unknown;
}

let iconv: (() => Iconv) | undefined;
let hasTables = false;

// An application's clients send the same few values, so the last result is cached.
let lastHeader = '';
let lastReading: boolean | undefined;
let lastCharset: string | undefined;

/**
 * Returns the charset parameter of a Content-Type in lower case; undefined if there is none, it is empty, or the header
 * is malformed.
 * @param reading whether malformed parameters make the header malformed; if not, the first charset counts, else the last
 * @example charsetOf('text/plain; charset=KOI8-R', { readsParameters: true }); // 'koi8-r'
 */
export function charsetOf(
  header: string | undefined,
  { readsParameters }: Pick<BodyVersion['requests'], 'readsParameters'>,
): string | undefined {
  if (!header?.includes(';')) return undefined;
  if (header === lastHeader && readsParameters === lastReading) return lastCharset;
  lastCharset = parseCharset(header, readsParameters)?.toLowerCase() || undefined;
  lastHeader = header;
  lastReading = readsParameters;
  return lastCharset;
}

function parseCharset(header: string, readsParameters: boolean): string | undefined {
  if (!readsParameters) return lenientParameters(header).charset;
  try {
    return parseContentType(header).parameters.charset;
  } catch {
    return undefined;
  }
}

/** Whether {@link decode} supports the charset, under any of its names. */
export function isSupportedCharset(charset: string): boolean {
  return charset === 'utf-8' || prepareCharsets()().encodingExists(charset);
}

/**
 * Decodes a body, removing a byte order mark at its start. Bytes that are invalid in the charset become U+FFFD.
 * @param charset one that {@link isSupportedCharset}.
 */
export function decode(bytes: Buffer, charset: string): string {
  if (charset !== 'utf-8') return prepareCharsets()().decode(bytes, charset);
  const marked = bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.toString('utf8', 3) : bytes.toString('utf8');
}

/** Returns the error for a charset that a parser does not support. */
export function unsupportedCharset(charset: string): HttpError {
  return httpError(415, `unsupported charset "${charset.toUpperCase()}"`, {
    charset: charset.toLowerCase(),
    type: 'charset.unsupported',
  });
}

/**
 * Has the decoders loaded after startup. Call it when a parser that accepts charsets other than UTF-8 is created.
 * @returns a function that returns iconv-lite
 */
export function prepareCharsets(): () => Iconv {
  iconv ??= deferred(() => {
    const loaded = require('iconv-lite') as Iconv;
    loaded.encodingExists('utf-8'); // This call loads the encodings
    return loaded;
  });
  return iconv;
}

/** Does the same for parsers that accept every charset, also those with large tables (Shift_JIS, GBK, Big5, …). */
export function prepareTables(): void {
  if (hasTables) return;
  hasTables = true;
  const loaded = prepareCharsets();
  deferred(() => {
    for (const encoding of Object.values(loaded().encodings)) {
      const { type, table, gb18030 } = Object(encoding) as Partial<WithTable>;
      if (type !== '_dbcs') continue;
      table?.();
      gb18030?.();
    }
    return true;
  });
}
