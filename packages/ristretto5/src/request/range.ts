/** `req.range`: which ranges of a representation a request asks for. */
import { parseRange } from 'ristretto/lib/protocol/range';
import type { RangeFailure, RequestRanges } from 'ristretto/lib/types/range';
import type { Request } from '../types/core';

/**
 * The `Range` field against the size of what is asked for (RFC 9110 section 14.2).
 *
 * @param size size of the whole in units of the field (bytes)
 * @param options `combine` makes one of ranges that overlap or touch
 * @returns the ranges, cut to the size; -1 when none can be satisfied; -2 when the field is malformed; undefined when
 *   there is none
 * @example req.range(1000); // [{ start: 0, end: 99 }], with type 'bytes'
 */
export function range(
  this: Request,
  size: number,
  options?: { combine?: boolean | undefined },
): RequestRanges | RangeFailure | undefined {
  const field = this.get('Range');
  if (!field) return undefined;
  return parseRange(size, field, { combine: options?.combine, isStrict: true });
}
