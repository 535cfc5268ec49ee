/** The result of `req.range()`: the parts of a resource that a request asks for (RFC 9110, section 14). */

declare module 'express-serve-static-core' {
  /** A range; both ends are inclusive and count from 0. */
  interface ByteRange {
    /** The first position, counted from 0. */
    start: number;
    /** The last position, inclusive. */
    end: number;
  }

  /** The satisfiable ranges, and their unit, usually `bytes`. */
  interface RequestRanges extends Array<ByteRange> {
    /** The unit of the positions, usually `bytes`. */
    type: string;
  }
}

export type { ByteRange, RequestRanges } from 'express-serve-static-core';

/** -1 if no range can be satisfied (send a 416), -2 if the header is malformed (ignore it). */
export type RangeFailure = -1 | -2;
