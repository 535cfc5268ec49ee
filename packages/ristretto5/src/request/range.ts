/** `req.range`: the ranges of a representation that a request asks for. */
import { parseRange } from '@ristretto/private-engine/lib/protocol';
import type { RangeFailure, RequestRanges } from '@ristretto/private-engine/lib/types/range';
import type { Request } from '../types/core';

/**
 * Parses the `Range` header (RFC 9110, section 14.2).
 *
 * @param size length of the resource, in the units of the header (bytes)
 * @param options `combine` merges ranges that overlap or are adjacent
 * @returns the ranges, limited to the size; -1 if none can be satisfied; -2 if the header is malformed; undefined
 * without the header
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
