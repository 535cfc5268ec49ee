/**
 * Bodies in the content coding zstd: https://www.rfc-editor.org/rfc/rfc8878
 *
 * In some versions, Node's decoder does not report a truncated body, and it decodes only the first of several frames in
 * one chunk. So this file finds the frame boundaries, without decoding, and passes the decoder one frame at a time.
 */
import type { Transform } from 'node:stream';
import type * as zlib from 'node:zlib';

/** Missing from the types of the oldest supported Node. */
interface Zstd {
  createZstdDecompress?: (options: { params: Record<number, number> }) => Transform;
  constants: { ZSTD_d_windowLogMax: number };
}

/** The largest window that a decoder must support for the content coding (RFC 9659): 8 MiB of memory. */
const WINDOW_LOG_MAX = 23;

const MAGIC = 0xfd2fb528;
/** The first of sixteen magic numbers of skippable frames (section 3.1.2). */
const SKIPPABLE_MAGIC = 0x184d2a50;
const CHECKSUM_LENGTH = 4;
const RUN_LENGTH_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** The maximum number of frames. Each costs a separate call to the decoder, even if it is empty. */
const MOST_FRAMES = 1000;

function loadZstd(): Zstd {
  return require('node:zlib') as typeof zlib & Zstd;
}

/** Whether this version of Node decodes zstd (22.15 and 23.8 were the first). */
export function hasZstd(): boolean {
  return loadZstd().createZstdDecompress !== undefined;
}

/** Creates a decoder for zstd bodies, if {@link hasZstd}. */
export function createUnzstd(): Transform {
  const { createZstdDecompress, constants } = loadZstd();
  return ofWholeFrames(
    createZstdDecompress!({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } }),
  );
}

/** Makes a decoder receive one frame at a time, and fail with zlib's error codes unless all frames are complete. */
export function ofWholeFrames(decoder: Transform): Transform {
  const frames = new Frames();
  const { _transform: transform, _flush: flush } = decoder;
  decoder._transform = (chunk: Buffer, encoding, callback) => {
    const end = frames.take(chunk);
    if (end < 0) callback(codedError('Z_DATA_ERROR', 'invalid zstd data'));
    else if (end === chunk.length) transform.call(decoder, chunk, encoding, callback);
    else {
      transform.call(decoder, chunk.subarray(0, end), encoding, error => {
        if (error) callback(error);
        else decoder._transform(chunk.subarray(end), encoding, callback);
      });
    }
  };
  decoder._flush = callback => {
    if (frames.areWhole) flush.call(decoder, callback);
    else callback(codedError('Z_BUF_ERROR', 'unexpected end of file'));
  };
  return decoder;
}

function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Tracks frames (section 3.1) from block to block, leaving their contents to the decoder. */
class Frames {
  private ended = 0;
  /** The field being read: its value so far, the bytes read, its length, and the function that receives the value. */
  private value = 0;
  private count = 0;
  private length = 4;
  private read: (value: number) => boolean = this.readMagic;
  /** Bytes to skip before the next field. */
  private passing = 0;
  private isEnding = false;
  private checksum = 0;

  /** Whether there was at least one frame, and all of them are complete. */
  get areWhole(): boolean {
    return this.ended > 0 && this.read === this.readMagic && this.count === 0;
  }

  /**
   * Reads up to the end of the frame. @returns how far it read; -1 if the bytes are not a frame, or exceed the limit of
   * frames
   */
  take(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.passing > 0) {
        const passed = Math.min(this.passing, bytes.length - at);
        this.passing -= passed;
        at += passed;
      } else {
        this.value += bytes[at++]! * 256 ** this.count;
        if (++this.count === this.length && !this.read(this.value)) return -1;
      }
      if (!this.isEnding || this.passing > 0) continue;
      this.isEnding = false;
      this.expect(4, this.readMagic);
      return ++this.ended > MOST_FRAMES ? -1 : at;
    }
    return at;
  }

  private expect(length: number, read: (value: number) => boolean): boolean {
    this.value = this.count = 0;
    this.length = length;
    this.read = read;
    return true;
  }

  private readMagic(magic: number): boolean {
    if (magic === MAGIC) return this.expect(1, this.readDescriptor);
    return magic - (magic % 16) === SKIPPABLE_MAGIC && this.expect(4, this.readSkippable);
  }

  private readSkippable(size: number): boolean {
    this.passing = size;
    return (this.isEnding = true);
  }

  private readDescriptor(descriptor: number): boolean {
    const isSingle = (descriptor >> 5) & 1;
    const dictionary = [0, 1, 2, 4][descriptor & 3]!;
    const size = descriptor >> 6;
    this.passing = 1 - isSingle + dictionary + (size === 0 ? isSingle : 1 << size);
    this.checksum = (descriptor >> 2) & 1 ? CHECKSUM_LENGTH : 0;
    return this.expect(3, this.readBlock);
  }

  private readBlock(header: number): boolean {
    const type = (header >> 1) & 3;
    this.isEnding = (header & 1) === 1;
    this.passing = (type === RUN_LENGTH_BLOCK ? 1 : header >> 3) + (this.isEnding ? this.checksum : 0);
    return type !== RESERVED_BLOCK && this.expect(3, this.readBlock);
  }
}
