/** The Content-Disposition field (RFC 6266), written for clients that read tokens, and ASCII for all others. */
import { PERCENT_ESCAPE, TOKEN, extendedValue, quote } from 'ristretto/lib/protocol/content-disposition';

/** What has no place in the name for old clients. */
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/**
 * Makes the value of a Content-Disposition field.
 *
 * @param filename the name to save under; without it only the type is given
 * @returns for names outside ASCII both `filename`, with `?` for other characters, and `filename*` (RFC 8187)
 * @throws URIError when the name has half of a surrogate pair
 * @example contentDisposition('plans.pdf') // 'attachment; filename=plans.pdf'
 */
export function contentDisposition(filename?: string): string {
  if (filename === undefined) return 'attachment';
  const plain = filename.replace(NOT_PRINTABLE, '?');
  const parameter = `; filename=${TOKEN.test(plain) ? plain : quote(plain)}`;
  const isPlain = plain === filename && !PERCENT_ESCAPE.test(filename);
  return `attachment${parameter}${isPlain ? '' : `; filename*=${extendedValue(filename)}`}`;
}
