/** Decodes one name or value of a query string. */

const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;
const LAST_OF_LATIN1 = 0xff;

/** From this length on it is faster to collect the characters than to add up strings: twice as fast for a sentence. */
const LONG = 24;

/** Filled by each call and read immediately. Longer text is decoded in several parts. */
const characters = Buffer.allocUnsafeSlow(1024);

/**
 * Replaces `+` with a space and decodes percent escapes of UTF-8; if an escape is malformed or not UTF-8, all escapes
 * are kept.
 *
 * `decodeURIComponent` would report that with an exception, which costs some hundred times as much as decoding, and a
 * client could trigger two for every four bytes that it sends.
 *
 * @param text the query
 * @param start where the name or value begins in it: reading from a slice of a string takes twice as long
 * @param end where it ends
 */
export function decodeQueryText(text: string, start: number, end: number): string {
  const decoded = end - start < LONG ? decodeShort(text, start, end) : decodeLong(text, start, end);
  return decoded ?? text.slice(start, end).replaceAll('+', ' ');
}

/** Returns undefined if an escape is malformed. */
function decodeShort(text: string, start: number, end: number): string | undefined {
  let decoded = '';
  let plain = start;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === PLUS) {
      decoded += text.slice(plain, i) + ' ';
      plain = i + 1;
    } else if (code === PERCENT) {
      const character = escapedCharacter(text, i, end);
      if (character < 0) return undefined;
      decoded += text.slice(plain, i) + String.fromCodePoint(character);
      plain = i + 3 * utf8Length(character);
      i = plain - 1;
    }
  }
  return plain === start ? text.slice(start, end) : decoded + text.slice(plain, end);
}

/** Does the same for text of which every character is in ISO-8859-1; leaves any other to `decodeShort`. */
function decodeLong(text: string, start: number, end: number): string | undefined {
  let decoded = '';
  let count = 0;
  for (let i = start; i < end; i++) {
    let code = text.charCodeAt(i);
    if (code === PLUS) {
      code = SPACE;
    } else if (code === PERCENT) {
      code = escapedCharacter(text, i, end);
      if (code < 0) return undefined;
      i += 3 * utf8Length(code) - 1;
    }
    if (code > LAST_OF_LATIN1) return decodeShort(text, start, end);
    if (count === characters.length) {
      decoded += characters.toString('latin1');
      count = 0;
    }
    characters[count++] = code;
  }
  return decoded + characters.toString('latin1', 0, count);
}

/** Returns the character whose escapes begin at an index, or -1 if they are not UTF-8 (RFC 3629). */
function escapedCharacter(text: string, at: number, end: number): number {
  const first = escapedByte(text, at, end);
  if (first < 0x80) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let character = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = escapedByte(text, at + 3 * i, end);
    if (byte < 0x80 || byte > 0xbf) return -1;
    character = (character << 6) | (byte & 0x3f);
  }
  // Rejects overlong forms, surrogates, and values beyond Unicode.
  const isValid =
    utf8Length(character) === length && (character & 0x1ff800) !== 0xd800 && character <= 0x10ffff;
  return isValid ? character : -1;
}

/** Returns the number of bytes of a character in UTF-8. */
function utf8Length(character: number): number {
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character < 0x10000 ? 3 : 4;
}

/** Returns the byte of the escape at an index, or -1 if there is none before `end`. */
function escapedByte(text: string, at: number, end: number): number {
  if (at + 2 >= end || text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Returns the value of a hexadecimal digit, or -1 for any other code. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
