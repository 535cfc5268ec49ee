/**
 * Decodes the text of queries, and parses queries whose keys have at most one pair of brackets, with a name in it: `filter[name]=x&page=2`. Most nested
 * queries are of this kind, and are read in one pass. Anything else is left to the general parser.
 */
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
 * @param text the query
 * @param start where the name or value begins in it: reading from a slice of a string takes twice as long
 * @param end where it ends
 */
export function decodeQueryText(text: string, start: number, end: number): string {
  const decoded = end - start < LONG ? decodeShort(text, start, end) : decodeLong(text, start, end);
  return decoded ?? text.slice(start, end).replaceAll('+', ' ');
}

/** Decodes a part of the text character by character; returns undefined if an escape is malformed. */
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

type Tree = Record<string, unknown>;

const AMPERSAND = 0x26;
const ZERO = 0x30;
const NINE = 0x39;
const EQUALS = 0x3d;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** A slice of more characters keeps the whole text in memory. */
const LONGEST_NAME = 12;

/**
 * Names of previous queries, by the lowest bits of their hash. V8 would have to find a new copy of a name among all names
 * that it knows, which takes longer than the comparison with a known one.
 */
const names = new Array<string>(256).fill('');

/**
 * Parses a query of this kind.
 * @param text the query without `?`
 * @param parameterLimit how many parameters are read, including empty ones
 * @returns undefined for any other query
 * @example parseShallow('pet[name]=Tobi', 1000); // { pet: { name: 'Tobi' } }
 */
export function parseShallow(text: string, parameterLimit: number): Tree | undefined {
  const result: Tree = {};
  let left = parameterLimit;
  let start = 0;
  while (start < text.length && left-- > 0) {
    const end = parseParameter(result, text, start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  return result;
}

/** Reads the parameter that begins at `start`; returns the index of its end, or -1 if it is not of this kind. */
function parseParameter(result: Tree, text: string, start: number): number {
  let open = -1;
  let hash = 0;
  let outerHash = 0;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === EQUALS || code === AMPERSAND) break;
    if (code === OPEN) {
      if (open >= 0) return -1;
      open = at;
      outerHash = hash;
      hash = 0;
    } else if (code === CLOSE) {
      const following = text.charCodeAt(at + 1);
      if (open < 0 || (following !== EQUALS && following !== AMPERSAND && at + 1 < text.length)) return -1;
    } else if (code === PERCENT || code === PLUS) {
      return -1;
    } else {
      hash = (Math.imul(hash, 31) + code) | 0;
    }
  }
  if (at === start) return text.charCodeAt(at) === AMPERSAND ? at : -1;
  const split = at;
  if (open >= 0 && text.charCodeAt(split - 1) !== CLOSE) return -1;
  const end = text.charCodeAt(split) === EQUALS ? endOfValue(text, split + 1) : split;
  if (end < 0) return -1;
  const value = split === end ? '' : decodeQueryText(text, split + 1, end);
  const isAdded =
    open < 0
      ? add(result, nameAt(text, start, split, hash), value)
      : addInside(
          result,
          nameAt(text, start, open, outerHash),
          nameAt(text, open + 1, split - 1, hash),
          value,
        );
  return isAdded ? end : -1;
}

/** Returns the name at a place in the text. */
function nameAt(text: string, start: number, end: number, hash: number): string {
  const known = names[hash & 0xff]!;
  if (known.length === end - start && text.startsWith(known, start)) return known;
  const name = text.slice(start, end);
  if (name.length <= LONGEST_NAME) names[hash & 0xff] = name;
  return name;
}

/** Returns the index of a value's end, or -1 if it contains brackets, which could belong to the key. */
function endOfValue(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === AMPERSAND) return at;
    if (code === CLOSE || code === OPEN) return -1;
    if (code === PERCENT && text.charCodeAt(at + 1) === 0x35) return -1;
  }
  return text.length;
}

function addInside(result: Tree, name: string, member: string, value: string): boolean {
  if (!isPlain(name)) return false;
  const present = result[name];
  if (present === undefined) {
    const inside: Tree = {};
    result[name] = inside;
    return add(inside, member, value);
  }
  return typeof present === 'object' && Object.hasOwn(result, name) && add(present as Tree, member, value);
}

function add(tree: Tree, name: string, value: string): boolean {
  // Also rejects inherited names, which are rare
  if (!isPlain(name) || tree[name] !== undefined) return false;
  tree[name] = value;
  return true;
}

/** Whether a name is neither a possible array index nor `__proto__`. */
function isPlain(name: string): boolean {
  const first = name.charCodeAt(0);
  return name !== '' && (first < ZERO || first > NINE) && name !== '__proto__';
}
