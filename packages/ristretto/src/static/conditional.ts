/** Conditional requests for files (RFC 9110, sections 13 and 14.5): 304, 412, and whether a range is still meant. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isStrict } from '../http/strict';
import { isFresh } from '../protocol/fresh';
import type { FilePolicy } from './options';

/** Whether the request has a field that `conditionStatus` looks at. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return Boolean(
    headers['if-none-match'] ||
    headers['if-modified-since'] ||
    headers['if-match'] ||
    headers['if-unmodified-since'],
  );
}

/**
 * The status that the conditions of a request lead to.
 *
 * @param status what would be sent without conditions
 * @param etag the validators as they will be sent, undefined where they will not
 * @param byLetter whether a weak tag fails `If-Match`, as RFC 9110 has it: files have weak tags only; and `tagDecides` as
 *   for `isFresh`
 * @returns 412 when a precondition fails, 304 when the client's copy is fresh, else undefined
 */
export function conditionStatus(
  headers: IncomingHttpHeaders,
  status: number,
  etag: string | undefined,
  lastModified: string | undefined,
  { byLetter = false, tagDecides = false } = {},
): 304 | 412 | undefined {
  if (failsPrecondition(headers, etag, lastModified, byLetter)) return 412;
  const isCacheable = (status >= 200 && status < 300) || status === 304;
  return isCacheable && isFresh(headers, { etag, 'last-modified': lastModified }, tagDecides)
    ? 304
    : undefined;
}

/** The same for a request for a file. */
export function statusFor(
  { req, res, policy }: { req: IncomingMessage; res: ServerResponse; policy: FilePolicy },
  etag: string | undefined,
  lastModified: string | undefined,
): 304 | 412 | undefined {
  const { tagDecides } = policy.manners;
  const manners = { byLetter: isStrict(req), tagDecides };
  return conditionStatus(req.headers, res.statusCode, etag, lastModified, manners);
}

function failsPrecondition(
  headers: IncomingHttpHeaders,
  etag: string | undefined,
  lastModified: string | undefined,
  byLetter: boolean,
): boolean {
  const match = headers['if-match'];
  if (match) return !etag || (match !== '*' && !(byLetter ? listsStrongTag : listsTag)(match, etag));
  const unmodifiedSince = Date.parse(headers['if-unmodified-since'] ?? '');
  if (Number.isNaN(unmodifiedSince)) return false;
  // Negated, so that a file without a date fails.
  return !(Date.parse(lastModified ?? '') <= unmodifiedSince);
}

/** Whether the list has the tag, weak or strong: files have weak tags only, which by the letter would never match. */
function listsTag(list: string, etag: string): boolean {
  const opaque = withoutWeakness(etag);
  return list.split(',').some(tag => withoutWeakness(tag.trim()) === opaque);
}

/** The strong comparison of RFC 9110, section 8.8.3.2. */
function listsStrongTag(list: string, etag: string): boolean {
  return !etag.startsWith('W/') && list.split(',').some(tag => tag.trim() === etag);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/**
 * Whether the representation is the one that `If-Range` means, so that a part of it may be sent.
 * @param ifRange an entity tag or a date; what is neither means another representation
 * @param byLetter whether the tag must be strong, and the date the same, as RFC 9110 has it
 */
export function isRangeMeant(
  ifRange: string | undefined,
  etag: string | undefined,
  lastModified: string | undefined,
  byLetter = false,
): boolean {
  if (!ifRange) return true;
  if (byLetter) return ifRange === lastModified || (ifRange === etag && !etag.startsWith('W/'));
  if (ifRange.includes('"')) return Boolean(etag) && ifRange.includes(etag!);
  return Date.parse(lastModified ?? '') <= Date.parse(ifRange);
}
