/** Decodes one name or value of a query string. */

const PLUS = 0x2b;
const PERCENT = 0x25;

/**
 * Replaces `+` with a space and decodes percent escapes of UTF-8; if an escape is malformed or not UTF-8, all escapes
 * are kept.
 *
 * `decodeURIComponent` would report that with an exception, which costs some hundred times as much as decoding, and a
 * client could trigger two for every four bytes that it sends.
 */
export function decodeQueryText(text: string): string {
  let decoded = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PLUS) {
      decoded += text.slice(start, i) + ' ';
      start = i + 1;
    } else if (code === PERCENT) {
      const character = escapedCharacter(text, i);
      if (character < 0) return text.replaceAll('+', ' ');
      decoded += text.slice(start, i) + String.fromCodePoint(character);
      start = i + 3 * utf8Length(character);
      i = start - 1;
    }
  }
  return start === 0 ? text : decoded + text.slice(start);
}

/** Returns the character whose escapes begin at an index, or -1 if they are not UTF-8 (RFC 3629). */
function escapedCharacter(text: string, at: number): number {
  const first = escapedByte(text, at);
  if (first < 0x80) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let character = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = escapedByte(text, at + 3 * i);
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

/** Returns the byte of the escape at an index, or -1 if there is none. */
function escapedByte(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Returns the value of a hexadecimal digit, or -1 for any other code, including `NaN` past the end. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
