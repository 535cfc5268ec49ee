/**
 * `res.end` with all that is to be sent: the header block is what `writeHead` makes, with everything that hangs on its
 * making (whoever has patched it is called), but block and body go out in one write. Anything else is left to the
 * runtime's own `end`.
 */
import { Buffer } from 'node:buffer';
import { ServerResponse } from 'node:http';
import { hide } from './hidden';
import { canWriteDirectly, native } from './native';
import { isReady, TextForm, writeWhole } from './one-write';
import type { NativeResponse } from './one-write';

const runtime = ServerResponse.prototype as unknown as { end(...args: unknown[]): ServerResponse };

let beneath: () => typeof runtime;

/** Mirrors `ServerResponse.prototype.end`. */
export function end(
  this: ServerResponse,
  chunk?: unknown,
  encoding?: unknown,
  callback?: unknown,
): ServerResponse {
  const res = this as NativeResponse;
  if (canWriteDirectly && callback === undefined && isContent(chunk, encoding) && canEndAtOnce(res)) {
    if (res._header === null) {
      res._contentLength = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
      res._implicitHeader();
    }
    // whoever was called meanwhile may have done anything
    if (res._header !== null && res._hasBody && !res.chunkedEncoding && canEndAtOnce(res)) {
      writeWhole(res, res._header, chunk, TextForm.text);
      return res;
    }
  }
  return beneath().end.call(this, chunk, encoding, callback);
}

function canEndAtOnce(res: NativeResponse): boolean {
  return runtime.end === native.end && isReady(res);
}

function isContent(chunk: unknown, encoding: unknown): chunk is string | Buffer {
  if (typeof chunk !== 'string')
    return Buffer.isBuffer(chunk) && chunk.length > 0 && typeof encoding !== 'function';
  return chunk !== '' && (encoding == null || encoding === 'utf8' || encoding === 'utf-8');
}

/**
 * Ends the response with the last bytes of a file as a stream would, if somebody has patched `write` or `end`: tools
 * that keep or change the body which they find in `end` do not mean files.
 * @returns whether it was so; if not, nothing is sent
 */
export function endAsStream(res: ServerResponse, bytes: Buffer): boolean {
  if (res.write === native.write && (res.end === end || res.end === native.end)) return false;
  res.write(bytes);
  res.end();
  return true;
}

/**
 * Gives responses this `end`.
 * @param prototype one that inherits from the runtime's
 */
export function endAtOnce(prototype: object): void {
  beneath = hide(prototype, { end });
}
