/** The Content-Disposition header (RFC 6266): the name as a token if possible, with an ASCII form for old clients. */
import { PERCENT_ESCAPE, TOKEN, extendedValue, quote } from '@ristretto/private-engine/lib/protocol';

/** The characters that are replaced in the name for old clients. */
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/**
 * Returns the value of a Content-Disposition header.
 *
 * @param filename the name to save under; without it, the value is only the type
 * @returns for names outside ASCII both `filename`, with `?` for other characters, and `filename*` (RFC 8187)
 * @throws URIError if the name contains a lone surrogate
 * @example contentDisposition('plans.pdf') // 'attachment; filename=plans.pdf'
 */
export function contentDisposition(filename?: string): string {
  if (filename === undefined) return 'attachment';
  const plain = filename.replace(NOT_PRINTABLE, '?');
  const parameter = `; filename=${TOKEN.test(plain) ? plain : quote(plain)}`;
  const isPlain = plain === filename && !PERCENT_ESCAPE.test(filename);
  return `attachment${parameter}${isPlain ? '' : `; filename*=${extendedValue(filename)}`}`;
}
