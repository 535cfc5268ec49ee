/** The Range header (RFC 9110 section 14.2): which bytes of a representation a client requests. */

import type { ByteRange, RangeFailure, RequestRanges } from '../types/request-negotiation';

/** Options of `parseRange`: the options of `req.range()`, and limits for serving ranges. */
interface ParseRangeOptions {
  /** Whether to merge ranges that overlap or touch; false by default. */
  combine?: boolean | undefined;
  /**
   * The maximum number of ranges; a header with more is treated as malformed, and the rest is not parsed. Default: no
   * limit.
   */
  limit?: number;
  /** Whether one malformed range makes the whole header malformed; by default it is ignored. */
  isStrict?: boolean | undefined;
  /**
   * Whether more last bytes than there are request the whole representation (RFC 9110, section 14.1.2); by default, such a range
   * can't be satisfied.
   */
  clipsSuffix?: boolean | undefined;
}

const DIGITS = /^\d*$/;
const UNSATISFIABLE = -1;
const MALFORMED = -2;

/** A range with its position in the header, used to restore the order of merged ranges. */
interface PlacedRange extends ByteRange {
  place: number;
}

/**
 * Parses a Range header for a representation of a given size.
 * @param size size of the whole representation in units of the header (bytes).
 * @returns the ranges, clipped to the size; -1 if none of them can be satisfied; -2 if the header is malformed.
 * @throws TypeError if the header is not a string.
 * @example parseRange(1000, 'bytes=0-99, -100'); // [{ start: 0, end: 99 }, { start: 900, end: 999 }], type 'bytes'
 */
export function parseRange(
  size: number,
  header: string,
  options?: ParseRangeOptions,
): RequestRanges | RangeFailure {
  if (typeof header !== 'string') throw new TypeError('argument str must be a string');
  const equals = header.indexOf('=');
  if (equals < 0) return MALFORMED;
  const limit = options?.limit ?? Infinity;
  const ranges = [] as unknown as RequestRanges;
  ranges.type = header.slice(0, equals);
  let count = 0;
  for (let start = equals + 1; start <= header.length; count++) {
    if (count === limit) return MALFORMED;
    const comma = header.indexOf(',', start);
    const end = comma < 0 ? header.length : comma;
    const text = header.slice(start, end);
    if (options?.isStrict && !isRange(size, text)) return MALFORMED;
    const range = start < end ? parseOne(size, text, options?.clipsSuffix) : undefined;
    if (range !== undefined) ranges.push(range);
    start = end + 1;
  }
  if (ranges.length === 0) return UNSATISFIABLE;
  return options?.combine ? combine(ranges) : ranges;
}

/** Whether a text is two numbers with a dash between them, one of which may be missing if the size is known. */
function isRange(size: number, text: string): boolean {
  const [first = '', last, ...more] = text.split('-').map(part => part.trim());
  if (more.length > 0 || last === undefined || !DIGITS.test(first + last)) return false;
  return !(size >= 0) ? first !== '' && last !== '' : first + last !== '';
}

/**
 * Returns one range clipped to the size, or undefined if it cannot be satisfied. Numbers are parsed like `parseInt`
 * does.
 */
function parseOne(size: number, text: string, clipsSuffix = false): ByteRange | undefined {
  const dash = text.indexOf('-');
  const first = dash < 0 ? text : text.slice(0, dash);
  let last = dash < 0 ? '' : text.slice(dash + 1);
  // Anything after a second dash is ignored: `5--1` is `5-`.
  const secondDash = last.indexOf('-');
  if (secondDash >= 0) last = last.slice(0, secondDash);
  let start = Number.parseInt(first, 10);
  let end = Number.parseInt(last, 10);
  if (Number.isNaN(start)) {
    start = clipsSuffix ? Math.max(0, size - end) : size - end;
    end = size - 1;
  } else if (Number.isNaN(end)) {
    end = size - 1;
  }
  if (end > size - 1) end = size - 1;
  // With NaN, both comparisons are false.
  return start >= 0 && start <= end ? { start, end } : undefined;
}

/** Merges ranges that overlap or touch, and restores the order of the header. */
function combine(ranges: RequestRanges): RequestRanges {
  const byStart = ranges.map(({ start, end }, place): PlacedRange => ({ start, end, place }));
  byStart.sort((a, b) => a.start - b.start);
  const merged: PlacedRange[] = [];
  let current: PlacedRange | undefined;
  for (const range of byStart) {
    if (current === undefined || range.start > current.end + 1) {
      merged.push(range);
      current = range;
    } else if (range.end > current.end) {
      current.end = range.end;
      current.place = Math.min(current.place, range.place);
    }
  }
  merged.sort((a, b) => a.place - b.place);
  const combined = merged.map(({ start, end }): ByteRange => ({ start, end })) as RequestRanges;
  combined.type = ranges.type;
  return combined;
}
