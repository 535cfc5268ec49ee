/** Content codings (RFC 9110 section 8.4): chooses the decoder that a body needs, if any. */
import type * as http from 'node:http';
import type { Transform } from 'node:stream';
import type * as zlib from 'node:zlib';
import { deferred } from '../deferred';
import { httpError } from '../protocol/errors';
import type * as zstd from './zstd';

const zstdDecoder = deferred(() => require('./zstd') as typeof zstd);

export type ContentCoding = 'gzip' | 'deflate' | 'br' | 'zstd';

/**
 * Returns the coding of a request's body; undefined if the body is not encoded. A list of codings is rejected: each
 * further one would multiply the work that a small request causes (CVE-2026-22036).
 * @param inflate whether encoded bodies are accepted at all.
 * @throws an error with status 415 for a coding other than gzip, deflate, br and, if Node supports it, zstd, or for any
 * coding if `inflate` is false.
 */
export function contentCoding(
  headers: http.IncomingHttpHeaders,
  inflate: boolean,
): ContentCoding | undefined {
  const encoding = headers['content-encoding']?.toLowerCase();
  if (!encoding || encoding === 'identity') return undefined;
  const type = 'encoding.unsupported';
  if (!inflate) throw httpError(415, 'content encoding unsupported', { encoding, type });
  if (encoding === 'gzip' || encoding === 'deflate' || encoding === 'br') return encoding;
  if (encoding === 'zstd' && zstdDecoder().hasZstd()) return encoding;
  throw httpError(415, `unsupported content encoding "${encoding}"`, { encoding, type });
}

/**
 * Creates a decoder for the coding. It outputs chunks of at most 16 KiB, so that exceeding a limit is noticed early.
 */
export function createInflater(coding: ContentCoding): Transform {
  const { createBrotliDecompress, createGunzip, createInflate } = require('node:zlib') as typeof zlib;
  if (coding === 'gzip') return createGunzip();
  if (coding === 'zstd') return zstdDecoder().createUnzstd();
  return coding === 'deflate' ? createInflate() : createBrotliDecompress();
}
