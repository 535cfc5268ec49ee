/**
 * Manages the headers of a file response: fills in those that are not set, and removes those that a 304 must not have.
 */
import type { Stats } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { getField, removeField, setField } from '../serving/fields';
import { writeContent } from '../serving/write-content';
import { statTag } from '../protocol/entity-tag';
import type { Coding, FilePolicy } from './file-options';

interface Validators {
  mtimeMs: number;
  size: number;
  etag: string;
  lastModified: string;
}

/** The validators of the last file. They depend only on the two numbers, so they cannot be stale. */
let last: Validators = { mtimeMs: NaN, size: NaN, etag: '', lastModified: '' };

/** Returns the default entity tag and date of a file. */
export function validatorsOf(stats: Stats): Validators {
  const { mtimeMs, size } = stats;
  if (last.mtimeMs !== mtimeMs || last.size !== size) {
    last = { mtimeMs, size, etag: statTag(stats), lastModified: stats.mtime.toUTCString() };
  }
  return last;
}

/**
 * Fills in the headers that a 304 also has, unless they are set.
 * @param coding content coding of the file; undefined or null for none. An encoded file has its own entity tag, even
 * with the same size and date, and no ranges
 */
export function setFields(
  res: ServerResponse,
  policy: FilePolicy,
  stats: Stats,
  coding: Coding | null | undefined,
): void {
  if (policy.acceptRanges && !coding) fillIn(res, 'accept-ranges', 'Accept-Ranges', 'bytes');
  if (policy.cacheControl !== undefined) fillIn(res, 'cache-control', 'Cache-Control', policy.cacheControl);
  const { etag, lastModified } = validatorsOf(stats);
  if (policy.lastModified) fillIn(res, 'last-modified', 'Last-Modified', lastModified);
  if (policy.etag) fillIn(res, 'etag', 'ETag', coding ? `${etag.slice(0, -1)}-${coding}"` : etag);
}

/** Sets `Content-Type` by the file's name, unless it is set. */
export function setType(res: ServerResponse, { version }: FilePolicy, path: string): void {
  if (getField(res, 'content-type')) return;
  const type = version.files.contentType(path);
  if (type) res.setHeader('Content-Type', type);
}

function fillIn(res: ServerResponse, key: string, name: string, value: string): void {
  if (!getField(res, key)) setField(res, key, name, value);
}

/** Returns a header of the response as it will be sent. @param key its name in lower case */
export function field(res: ServerResponse, key: string): string | undefined {
  const value = getField(res, key);
  return value === undefined ? undefined : String(value);
}

/** Headers that describe the content, which a 304 does not have. */
const OF_THE_CONTENT = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
];

/** Sends a 304: the client's copy is still fresh. */
export function notModified(res: ServerResponse): void {
  for (const name of OF_THE_CONTENT) removeField(res, name);
  res.statusCode = 304;
  writeContent(res, undefined);
}
