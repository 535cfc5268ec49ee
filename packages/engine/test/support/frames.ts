/** Frames of WebSocket clients, byte by byte (RFC 6455, section 5.2). */

/** The opcodes of section 11.8, and the bit of a last frame. */
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;
export const FIN = 0x80;

interface FrameOptions {
  /** The four bytes of the mask as a number; undefined for none. Zeros by default. */
  mask?: number | undefined;
  /** The length in the header, by default that of the payload. */
  length?: number;
}

/** Creates a frame from its first byte and its payload. */
export function frame(first: number, payload: string | Buffer = '', options: FrameOptions = {}): Buffer {
  const { mask, length } = { mask: 0, ...options };
  const bytes = Buffer.from(payload as string);
  const size = length ?? bytes.length;
  const isMasked = mask === undefined ? 0 : 0x80;
  const header = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  header[0] = first;
  header[1] = isMasked | (size < 126 ? size : size < 65_536 ? 126 : 127);
  if (header.length === 4) header.writeUInt16BE(size, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(size), 2);
  if (mask === undefined) return Buffer.concat([header, bytes]);
  const key = Buffer.alloc(4);
  key.writeUInt32BE(mask >>> 0);
  if (mask !== 0) for (let i = 0; i < bytes.length; i++) bytes[i]! ^= key[i % 4]!;
  return Buffer.concat([header, key, bytes]);
}
