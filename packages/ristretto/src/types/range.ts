/** Parts of a resource that a request asks for: the result of `req.range()` (RFC 9110, section 14). */

/** One range; both ends are inclusive and count from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The ranges that can be satisfied, and the unit they count, mostly `bytes`. */
export interface RequestRanges extends Array<ByteRange> {
  type: string;
}

/** Options of `req.range()`. */
export interface RangeOptions {
  /** Merge ranges that overlap or touch; false by default. */
  combine?: boolean | undefined;
}

/** -1 when no range can be satisfied (answer 416), -2 when the header can't be read (ignore it). */
export type RangeFailure = -1 | -2;
