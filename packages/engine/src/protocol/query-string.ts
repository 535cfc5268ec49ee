/**
 * Parses query strings and urlencoded bodies: with the `simple` parser, which is Node's, or the `extended` one, whose
 * keys address places in a tree (`pet[name]=x`, `pet[tags][]=y`), with the same results as qs 6.16.
 */
import querystring = require('node:querystring');
import { decodeQueryText, parseShallow } from './query-shallow';
import { QueryTree, splitKey } from './query-tree';
import type { KeyLimits, Leaf } from './query-tree';

/** Limits of the extended parser. */
export interface ExtendedOptions {
  /** How many brackets of a key are parsed; the rest of the key is treated as one name. Default 5. */
  depth?: number;
  /** Whether to throw a `RangeError` for a key that is deeper than `depth`. Default false. */
  strictDepth?: boolean;
  /** The largest length of an array; more values make an object with the indexes as keys. Default 20. */
  arrayLimit?: number;
  /** From which index on a key such as `a[30]` makes an object. Default `arrayLimit`. */
  indexLimit?: number;
  /** How many parameters are read, including empty ones; the rest is ignored. Default 1000. */
  parameterLimit?: number;
}

/** A function that creates the object of `req.query` from a query, or from null if the URL has none. */
export type QueryParser = (text: string | null) => object;

interface Limits extends KeyLimits {
  arrayLimit: number;
  indexLimit?: number | undefined;
  parameterLimit: number;
}

const DEFAULTS: Limits = { depth: 5, strictDepth: false, arrayLimit: 20, parameterLimit: 1000 };

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Parses a query string or urlencoded text into an object whose keys may be nested.
 *
 * Names inherited from `Object.prototype` are set like any other; `__proto__` is ignored everywhere.
 * @param text the query without `?`
 * @param options the limits; by default those for query strings
 * @throws RangeError if a key is deeper than `depth` and `strictDepth` is on
 * @example parseExtended('pet[name]=Tobi&pet[tags][]=a'); // { pet: { name: 'Tobi', tags: ['a'] } }
 */
export function parseExtended(text: string, options?: ExtendedOptions): Record<string, unknown> {
  return parseWithin(text, options ? limitsOf(options) : DEFAULTS);
}

function limitsOf(options: ExtendedOptions): Limits {
  return {
    depth: options.depth ?? DEFAULTS.depth,
    strictDepth: options.strictDepth ?? DEFAULTS.strictDepth,
    arrayLimit: options.arrayLimit ?? DEFAULTS.arrayLimit,
    indexLimit: options.indexLimit,
    parameterLimit: options.parameterLimit ?? DEFAULTS.parameterLimit,
  };
}

function parseWithin(text: string, limits: Limits): Record<string, unknown> {
  const plain = parseFlat(text, limits);
  if (plain !== undefined) return plain;
  const shallow = limits.depth > 0 ? parseShallow(text, limits.parameterLimit) : undefined;
  return shallow ?? parseNested(text, limits);
}

/**
 * Parses a query string without brackets in one pass.
 * @returns undefined if there are brackets, escaped or not, anywhere in it
 */
function parseFlat(text: string, limits: Limits): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {};
  let left = limits.parameterLimit;
  let tooLong = false;
  let start = 0;
  let equals = -1;
  let escaped = false;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : AMPERSAND;
    if (code > EQUALS && code !== OPEN && code !== CLOSE) continue;
    if (code === EQUALS) {
      if (equals < 0) equals = i;
    } else if (code === PLUS) {
      escaped = true;
    } else if (code === PERCENT) {
      if (isEscapedBracket(text, i)) return undefined;
      escaped = true;
    } else if (code === OPEN || code === CLOSE) {
      return undefined;
    } else if (code === AMPERSAND) {
      if (left-- > 0 && i > start && equals !== start) {
        const split = equals < 0 ? i : equals;
        const name = escaped ? decodeQueryText(text, start, split) : text.slice(start, split);
        const value = escaped ? decodeQueryText(text, split + 1, i) : text.slice(split + 1, i);
        if (addFlat(result, name, value, limits.arrayLimit)) tooLong = true;
      }
      start = i + 1;
      equals = -1;
      escaped = false;
    }
  }
  if (tooLong) arraysToObjects(result, limits.arrayLimit);
  return result;
}

/** Whether `%5B` or `%5D` is at an index: qs treats these as brackets before it decodes anything. */
function isEscapedBracket(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) !== 0x35) return false;
  const digit = text.charCodeAt(at + 2) | 0x20;
  return digit === 0x62 || digit === 0x64;
}

/** Adds one parameter without brackets. Returns whether its key now has more values than an array may hold. */
function addFlat(result: Record<string, unknown>, name: string, value: string, arrayLimit: number): boolean {
  if (name === '__proto__') return false;
  const present = result[name];
  if (present === undefined || !Object.hasOwn(result, name)) {
    result[name] = value;
    return false;
  }
  if (Array.isArray(present)) return present.push(value) > arrayLimit;
  result[name] = [present, value];
  return arrayLimit < 2;
}

/** Converts arrays that exceed the limit to objects with the indexes as keys. */
function arraysToObjects(flat: Record<string, unknown>, arrayLimit: number): void {
  for (const [name, values] of Object.entries(flat)) {
    if (Array.isArray(values) && values.length > arrayLimit) flat[name] = Object.assign({}, values);
  }
}

/** Parses a query string with brackets: first the values of each key, then the keys into a tree. */
function parseNested(text: string, limits: Limits): Record<string, unknown> {
  const tree = new QueryTree(limits.arrayLimit, limits.indexLimit);
  for (const [key, leaf] of inObjectOrder(collect(withBrackets(text), limits))) {
    tree.insert(splitKey(key, limits), leaf);
  }
  return tree.finish();
}

/** Unescapes brackets: escaped ones have the same meaning. */
function withBrackets(text: string): string {
  return text.includes('%5') ? text.replace(/%5B/gi, '[').replace(/%5D/gi, ']') : text;
}

/**
 * Collects all values of each key, decoded. Every character is read once: an `indexOf` that finds nothing would scan
 * the whole rest for each parameter, even inside a condition, because optimized code may run it speculatively.
 */
function collect(text: string, limits: Limits): Map<string, Leaf> {
  const flat = new Map<string, Leaf>();
  const escaped = text.includes('%') || text.includes('+');
  let left = limits.parameterLimit;
  let start = 0;
  let split = -1;
  let behindBracket = false;
  for (let i = 0; i <= text.length && left > 0; i++) {
    const code = i < text.length ? text.charCodeAt(i) : AMPERSAND;
    if (code === EQUALS) {
      // An `=` within brackets belongs to the key.
      const closes = i > start && text.charCodeAt(i - 1) === CLOSE;
      if (split < 0 || (closes && !behindBracket)) {
        split = i;
        behindBracket = closes;
      }
    } else if (code === AMPERSAND) {
      if (split < 0) split = i;
      if (split > start) {
        const key = escaped ? decodeQueryText(text, start, split) : text.slice(start, split);
        const value = escaped ? decodeQueryText(text, split + 1, i) : text.slice(split + 1, i);
        collectOne(flat, key, value);
      }
      left--;
      start = i + 1;
      split = -1;
      behindBracket = false;
    }
  }
  return flat;
}

function collectOne(flat: Map<string, Leaf>, key: string, value: string): void {
  const present = flat.get(key);
  if (present === undefined) flat.set(key, value);
  else if (typeof present === 'string') flat.set(key, [present, value]);
  else present.push(value);
}

/** Returns the entries in the order of an object's members, where array indexes precede all other names. */
function inObjectOrder(flat: Map<string, Leaf>): Iterable<[string, Leaf]> {
  for (const key of flat.keys()) {
    const first = key.charCodeAt(0);
    if (first >= ZERO && first <= NINE) return Object.entries(Object.fromEntries(flat));
  }
  return flat;
}

/**
 * Parses a query string with Node's own parser: no nesting, a repeated key creates an array, and by default at most
 * 1,000
 * parameters are read.
 * @param text the query without `?`; null or empty text results in an empty object
 * @param options `parameterLimit`: how many parameters are read, `Infinity` for all
 * @returns an object without a prototype
 * @example parseSimple('a=1&a=2&b[c]=3'); // { a: ['1', '2'], 'b[c]': '3' }
 */
export function parseSimple(
  text: string | null,
  options?: Pick<ExtendedOptions, 'parameterLimit'>,
): Record<string, unknown> {
  const limit = options?.parameterLimit ?? DEFAULTS.parameterLimit;
  // In Node, 0 means no limit.
  return querystring.parse(text ?? '', '&', '=', { maxKeys: limit === Infinity ? 0 : limit });
}

/**
 * Creates a parser for queries with custom limits, for `web.query(options)`.
 * @param options the limits; by default those of `parseExtended`
 * @example extendedQueryParser({ depth: 1 })('a[b]=c'); // { a: { b: 'c' } }
 */
export function extendedQueryParser(options: ExtendedOptions = {}): QueryParser {
  const limits = limitsOf(options);
  return text => (text ? parseWithin(text, limits) : {});
}

/** The options of our parser; for anything else, an application passes its own parser function. */
const SUPPORTED = new Set(['arrayLimit', 'depth', 'parameterLimit', 'strictDepth', 'allowPrototypes']);

/**
 * Creates an extended parser with limits that the program gives.
 * @param what their place, for messages: `query()`
 * @param defaults limits for those that the program does not give
 * @throws TypeError for an option that the parser does not have
 */
export function queryParserWith(
  what: string,
  options: ExtendedOptions | undefined,
  defaults: ExtendedOptions = {},
): QueryParser {
  for (const name of Object.keys(options ?? {})) {
    if (!SUPPORTED.has(name)) {
      throw new TypeError(
        `${what} has no option '${name}': pass a function, such as text => qs.parse(text, { ${name}: … })`,
      );
    }
  }
  return extendedQueryParser({ ...defaults, ...options });
}

/** An application's queries may have longer arrays than the default, as in Express since 4.22. */
const APPLICATION = { arrayLimit: 1000 };

const parseExtendedQuery = extendedQueryParser(APPLICATION);

/**
 * Returns the parser for a value of the `query parser` setting.
 * @param setting `'extended'`, or its limits; `'simple'` or true for the simple one, false for none, or a custom function
 * @throws TypeError for any other value, or an unknown limit
 * @example compileQueryParser('extended')('a[b]=c'); // { a: { b: 'c' } }
 */
export function compileQueryParser(setting: unknown): QueryParser {
  if (typeof setting === 'function') return setting as QueryParser;
  if (Object.prototype.toString.call(setting) === '[object Object]') {
    return queryParserWith("the setting 'query parser'", setting as ExtendedOptions, APPLICATION);
  }
  switch (setting) {
    case true:
    case 'simple':
      return parseSimpleQuery;
    case false:
      return parseNothing;
    case 'extended':
      return parseExtendedQuery;
    default:
      throw new TypeError(`unknown value for query parser function: ${String(setting)}`);
  }
}

function parseSimpleQuery(text: string | null): object {
  return parseSimple(text);
}

function parseNothing(): object {
  return {};
}

/**
 * Counts the parameters of urlencoded text, including empty ones.
 * @param limit the maximum number
 * @returns the number of parameters, or undefined if there are more than the limit
 * @example countParameters('a=1&b=2', 1000); // 2
 */
export function countParameters(text: string, limit: number): number | undefined {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count++;
  return count > limit ? undefined : count;
}
