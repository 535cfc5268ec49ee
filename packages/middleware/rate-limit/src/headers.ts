/**
 * The headers that tell clients of the limit:
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ in three of its drafts, and `X-RateLimit-*`.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { format, types } from 'node:util';
import type { RateLimitInfo } from './types.js';

/** The value of `Date`, which changes once a second. */
let second = -1;
let date = '';

function dateNow(): string {
  const now = Date.now();
  if (Math.floor(now / 1000) !== second) {
    second = Math.floor(now / 1000);
    date = new Date(now).toUTCString();
  }
  return date;
}

/** Returns the seconds until the window ends, or its whole length if the store does not report the end. */
export function secondsLeft(resetTime: Date | undefined, windowMs: number): number {
  if (!resetTime) return Math.ceil(windowMs / 1000);
  return Math.max(0, Math.ceil((resetTime.getTime() - Date.now()) / 1000));
}

export function setLegacyHeaders(res: ServerResponse, info: RateLimitInfo): void {
  res.setHeader('X-RateLimit-Limit', String(info.limit));
  res.setHeader('X-RateLimit-Remaining', String(info.remaining));
  const { resetTime } = info;
  if (!resetTime) return;
  // Sent with the server's time, so that clients with different clocks can still compute when the window ends.
  if (types.isDate(resetTime)) res.setHeader('Date', dateNow());
  res.setHeader('X-RateLimit-Reset', String(Math.ceil(resetTime.getTime() / 1000)));
}

export function setDraft6Headers(res: ServerResponse, info: RateLimitInfo, windowMs: number): void {
  res.setHeader('RateLimit-Policy', `${info.limit};w=${Math.ceil(windowMs / 1000)}`);
  res.setHeader('RateLimit-Limit', String(info.limit));
  res.setHeader('RateLimit-Remaining', String(info.remaining));
  res.setHeader('RateLimit-Reset', String(secondsLeft(info.resetTime, windowMs)));
}

export function setDraft7Headers(res: ServerResponse, info: RateLimitInfo, windowMs: number): void {
  const left = secondsLeft(info.resetTime, windowMs);
  res.setHeader('RateLimit-Policy', `${info.limit};w=${Math.ceil(windowMs / 1000)}`);
  res.setHeader('RateLimit', `limit=${info.limit}, remaining=${info.remaining}, reset=${left}`);
}

/** The partition keys of recent clients: a hash costs more than all headers. */
const partitionKeys = new Map<string, string>();
const MOST_PARTITION_KEYS = 1000;
const LONGEST_KEPT_KEY = 100;

/** Returns a key that distinguishes clients in headers without revealing their addresses. */
function partitionKeyOf(given: unknown): string {
  // A key generator in a program without types may return anything: clients would then share one count.
  if (typeof given !== 'string' && !types.isUint8Array(given))
    throw new TypeError(`rateLimit: expected keyGenerator to return a string, got ${format(given)}`);
  const key = String(given);
  let found = partitionKeys.get(key);
  if (found === undefined) {
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
    found = Buffer.from(hash).toString('base64');
    // Keys may be headers that clients choose, so long ones are not stored.
    if (key.length > LONGEST_KEPT_KEY) return found;
    if (partitionKeys.size >= MOST_PARTITION_KEYS) partitionKeys.clear();
    partitionKeys.set(key, found);
  }
  return found;
}

/** Adds a value to a header, because several limiters each have a policy. */
function append(res: ServerResponse, name: string, value: string): void {
  const present = res.getHeader(name);
  if (present === undefined) res.setHeader(name, value);
  else res.setHeader(name, [...(Array.isArray(present) ? present : [String(present)]), value]);
}

export function setDraft8Headers(
  res: ServerResponse,
  info: RateLimitInfo,
  windowMs: number,
  name: string,
): void {
  const left = secondsLeft(info.resetTime, windowMs);
  const key = partitionKeyOf(info.key);
  append(res, 'RateLimit', `"${name}"; r=${info.remaining}; t=${left}`);
  append(res, 'RateLimit-Policy', `"${name}"; q=${info.limit}; w=${Math.ceil(windowMs / 1000)}; pk=:${key}:`);
}
