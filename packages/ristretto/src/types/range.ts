/** Parts of a resource that a request asks for: the result of `req.range()` (RFC 9110, section 14). */

declare module 'express-serve-static-core' {
  /** One range; both ends are inclusive and count from 0. */
  interface ByteRange {
    /** The first position, counted from 0. */
    start: number;
    /** The last position, inclusive. */
    end: number;
  }

  /** The ranges that can be satisfied, and the unit they count, mostly `bytes`. */
  interface RequestRanges extends Array<ByteRange> {
    /** The unit of the positions, mostly `bytes`. */
    type: string;
  }
}

export type { ByteRange, RequestRanges } from 'express-serve-static-core';

/** -1 when no range can be satisfied (send a 416), -2 when the header can't be read (ignore it). */
export type RangeFailure = -1 | -2;
