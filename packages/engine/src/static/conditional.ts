/**
 * Evaluates conditional requests for files (RFC 9110, sections 13 and 14.5): 304, 412, and whether `If-Range` matches.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isStrict } from '../serving/strict';
import { isFresh } from '../protocol/fresh';
import type { FilePolicy } from './file-options';

/** Whether the request has a header that `conditionStatus` evaluates. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return Boolean(
    headers['if-none-match'] ||
    headers['if-modified-since'] ||
    headers['if-match'] ||
    headers['if-unmodified-since'],
  );
}

/**
 * Returns the status that results from the conditions of a request.
 *
 * @param status the status without conditions
 * @param etag the entity tag as it will be sent, undefined if it will not be sent; `lastModified` likewise
 * @param byLetter whether a weak tag fails `If-Match`, as RFC 9110 requires (files only have weak tags); `tagDecides`
 * as for `isFresh`
 * @returns 412 if a precondition fails, 304 if the client's copy is fresh, otherwise undefined
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

/** Returns the status that results from the conditions of a request for a file. */
export function statusFor(
  { req, res, policy }: { req: IncomingMessage; res: ServerResponse; policy: FilePolicy },
  etag: string | undefined,
  lastModified: string | undefined,
): 304 | 412 | undefined {
  const { tagDecides } = policy.version.requests;
  const reading = { byLetter: isStrict(req), tagDecides };
  return conditionStatus(req.headers, res.statusCode, etag, lastModified, reading);
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
  // The comparison is negated, so that a file without a date fails.
  return !(Date.parse(lastModified ?? '') <= unmodifiedSince);
}

/**
 * Whether the list has the tag, weak or strong: files only have weak tags, which would never match in a strict
 * comparison.
 */
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
 * Whether `If-Range` matches the current representation, so that a part of it may be sent.
 * @param ifRange an entity tag or a date; anything else does not match
 * @param byLetter whether the tag must be strong, and the date identical, as RFC 9110 requires
 */
export function matchesIfRange(
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
