/** IP addresses and ranges: parsed once, then compared as words of 32 bits. */

/** One word for an IPv4 address, four for IPv6. An IPv4-mapped IPv6 address is treated as the IPv4 address. */
export type Address = readonly number[];

/** The addresses that begin with the same bits. */
export interface Range {
  words: Address;
  /** A mask for each word. */
  masks: readonly number[];
}

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const COLON = 0x3a;
const ZEROS: readonly number[] = new Array<number>(8).fill(0);
const WORD_MAX = 0xffffffff;
const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** The number of bits before the IPv4 address in an IPv4-mapped address, `::ffff:192.0.2.1`. */
const MAPPED_BITS = 96;

/**
 * Parses an address: IPv4 in dotted decimal, or IPv6 according to RFC 4291 with an optional zone. For settings written
 * for Express, the forms of `inet_aton` are supported too: octal (`010`) and hexadecimal parts, or a single number.
 * @returns undefined for anything else
 * @example parseAddress('::ffff:127.0.0.1'); // [0x7f000001]
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const word = ipv4Word(text);
    return word < 0 ? undefined : [word];
  }
  const words = ipv6Words(text);
  return words && isMapped(words) ? words.slice(3) : words;
}

/**
 * Parses a range: an address, an address and a prefix length (`10.0.0.0/8`), or an IPv4 address and a netmask
 * (`10.0.0.0/255.0.0.0`).
 * @throws TypeError for anything else, and for an IPv4-mapped range with a prefix of 96 bits or fewer, except
 *   `::ffff:0:0/96`: all IPv4-mapped addresses
 * @example parseRange('fe80::/10');
 */
export function parseRange(text: string): Range {
  const slash = text.lastIndexOf('/');
  const addressText = slash < 0 ? text : text.slice(0, slash);
  const words = parseAddress(addressText);
  if (!words) throw new TypeError(`invalid IP address: ${addressText}`);
  const written = addressText.includes(':') ? IPV6_BITS : IPV4_BITS;
  const prefix = slash < 0 ? written : prefixLength(text.slice(slash + 1), written);
  const isWhole = words.length === 1 && words[0] === 0;
  const leastMapped = isWhole ? MAPPED_BITS : MAPPED_BITS + 1;
  // With a shorter prefix, a mapped range would match every IPv4 address (CVE-2026-90711).
  const least = words.length * IPV4_BITS === written ? 1 : leastMapped;
  if (prefix < least || prefix > written) throw new TypeError(`invalid range on address: ${text}`);
  return { words, masks: prefixMasks(words.length, prefix - written + words.length * IPV4_BITS) };
}

/** Whether the address is in the range. */
export function isInRange(address: Address, range: Range): boolean {
  const { words, masks } = range;
  if (address.length !== words.length) return false;
  for (let i = 0; i < words.length; i++) {
    if (((address[i]! ^ words[i]!) & masks[i]!) !== 0) return false;
  }
  return true;
}

/** Returns the length of a prefix given as a number, or as a netmask for IPv4; 0 if it is neither. */
function prefixLength(text: string, bits: number): number {
  if (/^\d+$/.test(text)) return Number.parseInt(text, 10);
  const mask = bits === IPV4_BITS ? ipv4Word(text) : -1;
  if (mask < 0) return 0;
  const prefix = Math.clz32(~mask);
  return (prefix === 0 ? 0 : wordMask(prefix) >>> 0) === mask ? prefix : 0;
}

function prefixMasks(length: number, prefix: number): number[] {
  const masks: number[] = [];
  for (let i = 0; i < length; i++) masks.push(wordMask(prefix - i * IPV4_BITS));
  return masks;
}

/** Returns a word whose first bits are set. */
function wordMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= IPV4_BITS ? -1 : ~(WORD_MAX >>> bits);
}

/** Returns an IPv4 address as an unsigned word, or -1 if the text is not one. */
function ipv4Word(text: string): number {
  let word = 0;
  let part = -1;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      if (part === 0) return unusualIpv4Word(text);
      part = (part < 0 ? 0 : part * 10) + code - ZERO;
      if (part > 255) return unusualIpv4Word(text);
    } else if (code === DOT && part >= 0 && dots < 3) {
      word = word * 256 + part;
      part = -1;
      dots++;
    } else {
      return unusualIpv4Word(text);
    }
  }
  return dots === 3 && part >= 0 ? word * 256 + part : unusualIpv4Word(text);
}

function unusualIpv4Word(text: string): number {
  const parts = text.split('.', 5);
  if (parts.length === 1) return ipv4Part(text, WORD_MAX);
  if (parts.length !== 4) return -1;
  let word = 0;
  for (const part of parts) {
    const byte = ipv4Part(part, 255);
    if (byte < 0) return -1;
    word = word * 256 + byte;
  }
  return word;
}

/** Returns the value of a part in decimal, octal or hexadecimal, or -1 if it is invalid or above the maximum. */
function ipv4Part(text: string, max: number): number {
  if (!/^(?:\d+|0x[\da-f]+)$/i.test(text)) return -1;
  const value = /^0\d/.test(text) ? Number.parseInt(text, 8) : Number(text);
  return value <= max ? value : -1;
}

/** Returns the four words of an IPv6 address, or undefined if the text is not one. */
function ipv6Words(text: string): number[] | undefined {
  const percent = text.indexOf('%');
  if (percent >= 0 && !/^[\da-z]+$/i.test(text.slice(percent + 1))) return undefined;
  const groups = ipv6Groups(percent < 0 ? text : text.slice(0, percent));
  if (groups?.length !== 8) return undefined;
  const words: number[] = [];
  for (let i = 0; i < 8; i += 2) words.push(groups[i]! * 0x10000 + groups[i + 1]!);
  return words;
}

/** Returns the groups of 16 bits, including those that `::` represents, or undefined if a group is invalid. */
function ipv6Groups(text: string): number[] | undefined {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const end = groupEnd(text, at);
    if (text.charCodeAt(end) === DOT) {
      const word = ipv4Word(text.slice(at));
      if (word < 0) return undefined;
      groups.push(Math.floor(word / 0x10000), word % 0x10000);
      break;
    }
    const value = end === at ? Infinity : Number.parseInt(text.slice(at, end), 16);
    if (value > 0xffff || groups.length === 8) return undefined;
    groups.push(value);
    if (end === text.length) break;
    if (text.charCodeAt(end) !== COLON || end + 1 === text.length) return undefined;
    at = end + 1;
    if (text.charCodeAt(at) !== COLON) continue;
    if (gap >= 0) return undefined;
    gap = groups.length;
    at++;
  }
  if (gap >= 0) groups.splice(gap, 0, ...ZEROS.slice(0, Math.max(8 - groups.length, 0)));
  return groups;
}

/** Returns the index after the hexadecimal digits that begin at an index. */
function groupEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isHexDigit(text.charCodeAt(at))) at++;
  return at;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return (code >= ZERO && code <= NINE) || (lower >= 0x61 && lower <= 0x66);
}

function isMapped(words: Address): boolean {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}
