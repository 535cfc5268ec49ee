/**
 * Parses queries whose keys have at most one pair of brackets, with a name in it: `filter[name]=x&page=2`. Most nested
 * queries are of this kind, and are read in one pass. Anything else is left to the general parser.
 */
import { decodeQueryText } from './query-decode.js';

type Tree = Record<string, unknown>;

const AMPERSAND = 0x26;
const PERCENT = 0x25;
const PLUS = 0x2b;
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
