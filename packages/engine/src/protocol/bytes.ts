/** Bytes as Node's functions take them. */
import { Buffer } from 'node:buffer';

/** Returns a view as a Buffer, without copying. */
export function bufferOf(view: ArrayBufferView): Buffer {
  return Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
