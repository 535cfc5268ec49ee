/** The Content-Disposition header (RFC 6266): whether a response is a file to be saved, and under which name. */
import { basename } from 'node:path';

/** Options of `contentDisposition`. */
interface ContentDispositionOptions {
  /** The disposition type, `'attachment'` by default; the other common one is `'inline'`. */
  type?: string | undefined;
  /**
   * The name for clients that support only ISO-8859-1. By default it is derived from the file name, with `?` for every
   * other character; false omits it.
   */
  fallback?: string | boolean | undefined;
}

/** The characters allowed in a quoted string: ISO-8859-1 without the lower control characters. */
const QUOTABLE = /^[\x20-\x7e\x80-\xff]+$/;
/** The characters not allowed in the fallback name. */
const NOT_LATIN1 = /[^\x20-\x7e\xa0-\xff]/g;
/** Some clients decode these in a quoted string, so a name that contains one is sent in its extended form too. */
export const PERCENT_ESCAPE = /%[0-9A-Fa-f]{2}/;
const QUOTED_PAIR = /[\\"]/g;
/** A token of RFC 9110, section 5.6.2. */
export const TOKEN = /^[!#$%&'*+.0-9A-Z^_`a-z|~-]+$/;
/** Characters that `encodeURIComponent` keeps but RFC 8187 does not allow in an extended value. */
const NOT_ATTRIBUTE_CHAR = /['()*]/g;

/**
 * Creates the value of a Content-Disposition header.
 * @param filename the name to save the file under; only the last segment of a path is used. Without it, only the type
 * is given.
 * @returns for names outside ISO-8859-1, both `filename`, with a fallback, and `filename*` (RFC 8187).
 * @throws TypeError if the name is not a string, the type is not a token, or the fallback is not an ISO-8859-1 string;
 * URIError if the name contains an unpaired surrogate
 * @example
 * contentDisposition('dir/plans.pdf'); // 'attachment; filename="plans.pdf"'
 * contentDisposition('€.txt'); // `attachment; filename="?.txt"; filename*=UTF-8''%E2%82%AC.txt`
 */
export function contentDisposition(filename?: string, options?: ContentDispositionOptions | null): string {
  const parameters = filename === undefined ? '' : filenameParameters(filename, options?.fallback);
  return dispositionType(options?.type) + parameters;
}

function dispositionType(type: unknown): string {
  if (!type) return 'attachment';
  if (typeof type !== 'string' || !TOKEN.test(type)) throw new TypeError('invalid type');
  return type.toLowerCase();
}

function filenameParameters(filename: unknown, fallback: unknown = true): string {
  if (typeof filename !== 'string') throw new TypeError('filename must be a string');
  if (typeof fallback !== 'string' && typeof fallback !== 'boolean') {
    throw new TypeError('fallback must be a string or boolean');
  }
  const name = basename(filename);
  const isQuotable = QUOTABLE.test(name);
  const plain = fallbackName(name, fallback);
  let parameters = '';
  if (isQuotable || plain !== undefined) parameters = '; filename=' + quote(plain ?? name);
  if (!isQuotable || plain !== undefined || PERCENT_ESCAPE.test(name)) {
    parameters += '; filename*=' + extendedValue(name);
  }
  return parameters;
}

/** Returns the name for old clients if it differs from the real one. */
function fallbackName(name: string, fallback: string | boolean): string | undefined {
  if (fallback === false) return undefined;
  if (fallback === true) {
    const latin1 = name.replace(NOT_LATIN1, '?');
    return latin1 === name ? undefined : latin1;
  }
  if (fallback.search(NOT_LATIN1) >= 0) throw new TypeError('fallback must be ISO-8859-1 string');
  const plain = basename(fallback);
  return plain === name ? undefined : plain;
}

/** Returns a quoted string (RFC 9110, section 5.6.4). */
export function quote(text: string): string {
  return '"' + text.replace(QUOTED_PAIR, '\\$&') + '"';
}

/** Returns an extended value (RFC 8187, section 3.2). */
export function extendedValue(text: string): string {
  return "UTF-8''" + encodeURIComponent(text).replace(NOT_ATTRIBUTE_CHAR, percentEncode);
}

function percentEncode(char: string): string {
  return '%' + char.charCodeAt(0).toString(16).toUpperCase();
}
