/** The headers of a file response: fills in those that are not set, and omits those that a 304 must not have. */
import type { Stats } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { getField, removeField, setField } from '../http/fields';
import { respond } from '../http1/write';
import { statTag } from '../protocol/entity-tag';
import type { Coding, FilePolicy } from './options';

interface Validators {
  mtimeMs: number;
  size: number;
  etag: string;
  lastModified: string;
}

/** Those of the file asked about last. They depend on nothing but the two numbers, so they can't be out of date. */
let last: Validators = { mtimeMs: NaN, size: NaN, etag: '', lastModified: '' };

/** The default entity tag and date of a file. */
export function validatorsOf(stats: Stats): Validators {
  const { mtimeMs, size } = stats;
  if (last.mtimeMs !== mtimeMs || last.size !== size) {
    last = { mtimeMs, size, etag: statTag(stats), lastModified: stats.mtime.toUTCString() };
  }
  return last;
}

/**
 * Fills in the headers that a 304 also has, unless they are set.
 * @param coding in which the file is sent; undefined and null for none. A coded file has an entity tag of its own, even
 *   where it has the same size and date, and no ranges
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
export function setType(res: ServerResponse, { manners }: FilePolicy, path: string): void {
  if (getField(res, 'content-type')) return;
  const type = manners.contentType(path);
  if (type) res.setHeader('Content-Type', type);
}

function fillIn(res: ServerResponse, key: string, name: string, value: string): void {
  if (!getField(res, key)) setField(res, key, name, value);
}

/** A field of the response as it will be sent. @param key its name in lower case */
export function field(res: ServerResponse, key: string): string | undefined {
  const value = getField(res, key);
  return value === undefined ? undefined : String(value);
}

/** What describes a content that a 304 does not have. */
const OF_THE_CONTENT = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
];

/** Answers with 304: the client's copy is still good. */
export function notModified(res: ServerResponse): void {
  for (const name of OF_THE_CONTENT) removeField(res, name);
  res.statusCode = 304;
  respond(res, undefined);
}
