/** What `write` and `end` are given, as hooks see it. */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';

/** A body that is known as a whole. */
export type Content = string | Buffer;

/** The body that `end` is given; undefined where it would have one for another method or status. */
export function contentOf(res: ServerResponse, [chunk, encoding]: unknown[]): Content | undefined {
  if (typeof chunk === 'string') {
    const isUtf8 = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
    return isUtf8 ? chunk : Buffer.from(chunk, encoding as BufferEncoding);
  }
  if (chunk instanceof Uint8Array) return bufferOf(chunk);
  return res.req.method === 'HEAD' || res.statusCode === 304 ? undefined : '';
}

/** Bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many bytes `write` is given. */
export function sizeOf([chunk, encoding]: unknown[]): number {
  if (chunk instanceof Uint8Array) return chunk.length;
  return Buffer.byteLength(
    String(chunk),
    typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8',
  );
}
