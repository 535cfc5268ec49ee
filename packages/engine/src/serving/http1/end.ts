/**
 * `res.end` with a whole body: `writeHead` creates the header block, so that patches of it are called, but header block and
 * body are sent in one write, and the exchange stays light. Everything else is left to Node's own `end`.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { defineHidden } from '../define-hidden';
import { native } from '../native';
import { replaceEnd, TextForm } from '../respond';
import { lightConnectionOf } from './light-exchange';
import { isReady, writeWhole } from './write-response';
import type { NativeResponse } from './write-response';

interface EndFunction {
  end(...args: unknown[]): ServerResponse;
}

let nativeMethods: () => EndFunction;

/** Mirrors `ServerResponse.prototype.end`: `writeHead` creates the header block, so that patches of it are called. */
function end(this: ServerResponse, ...args: unknown[]): ServerResponse {
  const [chunk, encoding, callback] = args;
  const res = this as NativeResponse;
  if (callback === undefined && isContent(chunk, encoding) && canEndLight(res)) {
    const body = chunk ?? '';
    if (res._header === null) {
      res._contentLength = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
      makeHeader(res);
    }
    // Patched methods called in between may have changed the response.
    const canWrite = res._header !== null && !res.chunkedEncoding && (res._hasBody || body === '');
    if (canWrite && canEndLight(res)) {
      writeWhole(res, res._header!, body, TextForm.text);
      return res;
    }
  }
  return nativeMethods().end.apply(this, args);
}

function canEndLight(res: NativeResponse): boolean {
  return lightConnectionOf(res) !== undefined && nativeMethods().end === native.end && isReady(res);
}

/**
 * Creates the header block. If this throws, Node's `end` leaves the connection corked, so that nothing more is sent on it.
 */
function makeHeader(res: NativeResponse): void {
  try {
    res._implicitHeader();
  } catch (error) {
    res.socket?.cork();
    throw error;
  }
}

/** Whether this is a whole body, in an encoding that needs no conversion. */
function isContent(chunk: unknown, encoding: unknown): chunk is string | Buffer | null | undefined {
  if (typeof chunk !== 'string') return chunk == null ? encoding == null : isBytes(chunk, encoding);
  return encoding == null || encoding === 'utf8' || encoding === 'utf-8';
}

const isBytes = (chunk: unknown, encoding: unknown): boolean =>
  Buffer.isBuffer(chunk) && chunk.length > 0 && encoding == null;

/**
 * Adds this `end` to a prototype.
 * @param prototype one that inherits from Node's
 */
export function endAtOnce(prototype: object): void {
  nativeMethods = defineHidden<EndFunction>(prototype, { end });
  replaceEnd(end, () => nativeMethods().end);
}
