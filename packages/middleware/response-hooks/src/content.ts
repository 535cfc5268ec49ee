/** What code passes to `write` and `end`, and what hooks return. */
import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import type { Content } from './hook';

export function isContent(chunk: unknown): chunk is Content {
  return typeof chunk === 'string' || types.isUint8Array(chunk);
}

/** Returns the body passed to `end`. */
export function bodyOfEnd(chunk: unknown, encoding: unknown): Content {
  if (!isContent(chunk)) return '';
  return typeof chunk === 'string' && !isUtf8(encoding) ? Buffer.from(chunk, encodingOf(encoding)) : chunk;
}

function isUtf8(encoding: unknown): boolean {
  return typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
}

/** Returns the size in bytes of the chunk passed to `write`. */
export function sizeOf([chunk, encoding]: unknown[]): number {
  return types.isUint8Array(chunk) ? chunk.length : Buffer.byteLength(String(chunk), encodingOf(encoding));
}

export function encodingOf(encoding: unknown): BufferEncoding | undefined {
  return typeof encoding === 'string' ? (encoding as BufferEncoding) : undefined;
}

export function isPromise(value: unknown): value is Promise<Content | undefined> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
