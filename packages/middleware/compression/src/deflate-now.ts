/**
 * Compresses whole bodies at once, one after another, with the same compressor: creating one, which reserves 256 KiB,
 * takes longer than compressing a body of 10 KiB.
 *
 * `node:zlib` offers one-call compression only through functions that create a compressor for each call. The handle of
 * a stream that is used here is undocumented, but the same in every version since Node 0.12. It is checked once: if it
 * does not compress as expected, `gzipSync` and `deflateSync` are used.
 */
import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import type { ZlibOptions } from 'node:zlib';

type Content = string | Uint8Array;
type Compress = (body: Content) => Buffer;

/** A stream of `node:zlib`, with its undocumented members. */
interface NativeStream {
  reset(): void;
  /** How much output space and how much input a write has left. */
  _writeState: Uint32Array;
  _handle: {
    writeSync(
      flush: number,
      input: Uint8Array,
      inputStart: number,
      inputLength: number,
      output: Uint8Array,
      outputStart: number,
      outputLength: number,
    ): void;
  } | null;
}

const { Z_FINISH } = zlib.constants;

/** Options that the handle does not support. */
const OTHERS = ['dictionary', 'finishFlush', 'info', 'maxOutputLength'] as const;

const OUTPUT_SIZE = 64 * 1024;

/**
 * Returns a function that compresses a body.
 * @param name the encoding
 */
export function deflaterOf(name: 'gzip' | 'deflate', options: ZlibOptions): Compress {
  const native: Compress =
    name === 'gzip' ? body => zlib.gzipSync(body, options) : body => zlib.deflateSync(body, options);
  if (OTHERS.some(option => options[option as keyof ZlibOptions] !== undefined)) return native;
  const create = () => (name === 'gzip' ? zlib.createGzip(options) : zlib.createDeflate(options));
  let compress: Compress | undefined;
  return body => {
    compress ??= reusing(create as unknown as () => NativeStream) ?? native;
    return compress(body);
  };
}

/** Returns a function that reuses a compressor; undefined if that does not work. */
function reusing(create: () => NativeStream): Compress | undefined {
  const compress = makeReusing(create);
  try {
    return works(compress) ? compress : undefined;
  } catch {
    return undefined;
  }
}

function works(compress: Compress): boolean {
  const long = 'compressed '.repeat(20_000);
  return ['', 'text', long, 'text'].every(
    text =>
      zlib.unzipSync(compress(text)).toString() === text &&
      compress(Buffer.from(text)).equals(compress(text)),
  );
}

function makeReusing(create: () => NativeStream): Compress {
  const output = Buffer.allocUnsafeSlow(OUTPUT_SIZE);
  let stream: NativeStream | undefined;
  return body => {
    const input = typeof body === 'string' ? Buffer.from(body) : body;
    // `stream` is unset during the call, so that a compressor that fails, whose state is unknown, is not used again.
    const current = stream ?? create();
    stream = undefined;
    current.reset();
    const pieces: Buffer[] = [];
    const state = current._writeState;
    let start = 0;
    for (;;) {
      current._handle!.writeSync(Z_FINISH, input, start, input.length - start, output, 0, OUTPUT_SIZE);
      const [room, rest] = state as unknown as [number, number];
      // Copied, because the output buffer is reused.
      pieces.push(Buffer.from(output.subarray(0, OUTPUT_SIZE - room)));
      if (room > 0) break;
      start = input.length - rest;
    }
    stream = current;
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  };
}
