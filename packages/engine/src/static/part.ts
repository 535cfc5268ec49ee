/** Determines which part of a file to send from `Range` (RFC 9110, section 14) and the options `start` and `end`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isStrict } from '../serving/strict';
import { parseRange } from '../protocol/range';
import { matchesIfRange } from './conditional';
import { field } from './file-fields';
import type { FilePolicy } from './file-options';

/** More ranges than this do not come from a legitimate client. */
const RANGE_LIMIT = 100;

export interface Part {
  start: number;
  length: number;
}

/** Whether the request asks for byte ranges, and the policy accepts them. */
export function asksForPart(req: IncomingMessage, policy: FilePolicy): boolean {
  const { range } = req.headers;
  // Spaces before the unit are allowed
  return range !== undefined && policy.acceptRanges && range.trimStart().startsWith('bytes=');
}

/**
 * Returns the part of a file to send. If it is a single range, sets the status and `Content-Range`.
 * @param size length of the file
 * @returns the value of `Content-Range` if no range can be satisfied
 */
export function partOf(
  req: IncomingMessage,
  res: ServerResponse,
  policy: FilePolicy,
  size: number,
): Part | string {
  const { start } = policy;
  const length = Math.max(0, Math.min(size - start, policy.end - start + 1));
  if (!asksForPart(req, policy)) return { start, length };
  const ranges = parseRange(length, req.headers.range!, {
    combine: true,
    limit: RANGE_LIMIT,
    isStrict: policy.version.requests.hasStrictRanges,
    clipsSuffix: isStrict(req),
  });
  const isCurrent = matchesIfRange(
    req.headers['if-range'] as string | undefined,
    field(res, 'etag'),
    // A date can't distinguish the original from a compressed file
    policy.precompressed ? undefined : field(res, 'last-modified'),
    isStrict(req),
  );
  if (ranges === -1 && isCurrent) return 'bytes */' + String(length);
  const only = typeof ranges === 'object' && ranges.length === 1 && isCurrent ? ranges[0] : undefined;
  if (only === undefined) return { start, length };
  res.statusCode = 206;
  res.setHeader('Content-Range', `bytes ${only.start}-${only.end}/${length}`);
  return { start: start + only.start, length: only.end - only.start + 1 };
}
