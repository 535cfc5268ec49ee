/**
 * Queries whose keys have at most one pair of brackets, with a name in it: `filter[name]=x&page=2`. Most nested queries
 * are of this kind, and are read in one pass. Whatever is less plain is left to the general way.
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

/**
 * Parses a query of the plain kind.
 * @param text the query without `?`
 * @param parameterLimit how many parameters are read, empty ones counted
 * @returns undefined where the query is of another kind
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

/** Reads the parameter that begins at `start`; returns where it ends, -1 where it is not a plain one. */
function parseParameter(result: Tree, text: string, start: number): number {
  let open = -1;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === EQUALS || code === AMPERSAND) break;
    if (code === OPEN) {
      if (open >= 0) return -1;
      open = at;
    } else if (code === CLOSE) {
      const following = text.charCodeAt(at + 1);
      if (open < 0 || (following !== EQUALS && following !== AMPERSAND && at + 1 < text.length)) return -1;
    } else if (code === PERCENT || code === PLUS) {
      return -1;
    }
  }
  if (at === start) return text.charCodeAt(at) === AMPERSAND ? at : -1;
  const split = at;
  if (open >= 0 && text.charCodeAt(split - 1) !== CLOSE) return -1;
  const end = text.charCodeAt(split) === EQUALS ? endOfValue(text, split + 1) : split;
  if (end < 0) return -1;
  const value = split === end ? '' : decodeQueryText(text.slice(split + 1, end));
  const isAdded =
    open < 0
      ? add(result, text.slice(start, split), value)
      : addInside(result, text.slice(start, open), text.slice(open + 1, split - 1), value);
  return isAdded ? end : -1;
}

/** Where a value ends; -1 where it has brackets, which could belong to the key. */
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
  // also what is inherited: that is rare enough
  if (!isPlain(name) || tree[name] !== undefined) return false;
  tree[name] = value;
  return true;
}

/** Whether a name is no index of an array, and no other way to a prototype. */
function isPlain(name: string): boolean {
  const first = name.charCodeAt(0);
  return name !== '' && (first < ZERO || first > NINE) && name !== '__proto__';
}
