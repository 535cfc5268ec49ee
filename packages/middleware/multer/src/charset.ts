/** Decodes text of forms in the charset that a part, or an option, names. */

export type Decode = (bytes: Buffer, start: number, end: number) => string;

const utf8: Decode = (bytes, start, end) => bytes.toString('utf8', start, end);
const latin1: Decode = (bytes, start, end) => bytes.toString('latin1', start, end);
const utf16le: Decode = (bytes, start, end) => bytes.toString('utf16le', start, end);
const base64: Decode = (bytes, start, end) => bytes.toString('base64', start, end);

/** The charsets that busboy decodes with methods of Buffer: its Latin-1 has control characters where windows-1252 has letters. */
const DECODERS = new Map<string, Decode>([
  ...['utf-8', 'utf8'].map(name => [name, utf8] as const),
  ...['latin1', 'ascii', 'us-ascii', 'iso-8859-1', 'iso8859-1', 'iso88591', 'iso_8859-1', 'windows-1252'].map(
    name => [name, latin1] as const,
  ),
  ...['iso_8859-1:1987', 'cp1252', 'x-cp1252'].map(name => [name, latin1] as const),
  ...['utf16le', 'utf-16le', 'ucs2', 'ucs-2'].map(name => [name, utf16le] as const),
  ['base64', base64],
]);

/** Returns the decoder of a charset; undefined for an unknown one. */
export function decoderOf(charset: string): Decode | undefined {
  const name = charset.toLowerCase();
  const known = DECODERS.get(name);
  if (known !== undefined) return known;
  try {
    const decoder = new TextDecoder(name);
    return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}
