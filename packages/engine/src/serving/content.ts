/** Reads the arguments of `write` and `end` for hooks. */
import { types } from 'node:util';
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { bufferOf } from '../protocol/bytes';
import { requestOf } from './request-of';

/** A complete body. */
export type Content = string | Buffer;

/** Returns the body passed to `end`; undefined if the response has none only because of its method or status. */
export function contentOfEnd(res: ServerResponse, [chunk, encoding]: unknown[]): Content | undefined {
  if (typeof chunk === 'string') {
    const isUtf8 = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
    return isUtf8 ? chunk : Buffer.from(chunk, encoding as BufferEncoding);
  }
  if (types.isUint8Array(chunk)) return bufferOf(chunk);
  return requestOf(res)?.method === 'HEAD' || res.statusCode === 304 ? undefined : '';
}

/** Returns the size in bytes of the chunk passed to `write`. */
export function sizeOf([chunk, encoding]: unknown[]): number {
  if (types.isUint8Array(chunk)) return chunk.length;
  return Buffer.byteLength(
    String(chunk),
    typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8',
  );
}
