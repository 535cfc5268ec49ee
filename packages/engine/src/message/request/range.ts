/** `req.range`: which ranges of a representation a client requests. */
import { parseRange } from '../../protocol/range';
import { isStrict } from '../../serving/strict';
import type { Request } from '../../types/core';
import { versionOf } from '../../version';
import type { RangeFailure, RequestRanges } from '../../types/range';

/** `req.range`: parses the `Range` header for a representation of a given size (RFC 9110 section 14.2). */
export function range(
  this: Request,
  size: number,
  options?: { combine?: boolean | undefined },
): RequestRanges | RangeFailure | undefined {
  const field = this.get('Range');
  if (!field) return undefined;
  return parseRange(size, field, {
    combine: options?.combine,
    isStrict: versionOf(this).requests.hasStrictRanges,
    clipsSuffix: isStrict(this),
  });
}
