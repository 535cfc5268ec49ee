/** The encodings of responses: how each is compressed, and which one a client prefers (RFC 9110, section 12.5.3). */
import zlib from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import type { Transform } from 'node:stream';
import { deflaterOf } from './deflate-now.js';

/** The common members of the streams of `node:zlib`. */
export interface Compressor extends Transform {
  flush(): void;
}

type Content = string | Uint8Array;
type Done = (error: Error | null, bytes: Buffer) => void;

/** Compresses by one encoding, with the options of one middleware. */
export interface Coder {
  readonly name: string;
  create(): Compressor;
  compressNow(body: Content): Buffer;
  compress(body: Content, done: Done): void;
  /** Up to this many bytes, compressing at once takes less processor time than a trip to the thread pool. */
  readonly mostNow: number;
}

/**
 * Measured on Node 24: a JSON of 64 KiB takes 0.5 ms with gzip, where the cost of the trip no longer matters; one of
 * 10 KiB takes
 * 72 µs, and 145 µs on the pool.
 */
const MOST_NOW = 64 * 1024;

/** Qualities of Brotli and levels of Zstandard above these take several times as long. */
const FAST_BROTLI = 6;
const FAST_ZSTD = 6;

/** The default quality of Brotli is for files that are compressed once. */
const BROTLI_QUALITY = 4;

/** Options of Zstandard, as in `node:zlib`. */
export interface ZstdOptions {
  chunkSize?: number | undefined;
  /** By the constants of `node:zlib`, such as `ZSTD_c_compressionLevel`. */
  params?: Record<number, number | boolean> | undefined;
}

/** Zstandard came with Node 22.15 and 23.8, and is missing from the types of older versions. */
interface Zstandard {
  createZstdCompress?(options: ZstdOptions): Compressor;
  zstdCompressSync(body: Content, options: ZstdOptions): Buffer;
  zstdCompress(body: Content, options: ZstdOptions, done: Done): void;
  constants: { ZSTD_c_compressionLevel: number };
}

interface CoderOptions extends ZlibOptions {
  brotli?: BrotliOptions | undefined;
  zstd?: ZstdOptions | undefined;
}

/** Returns the encodings by name, in order of preference. */
export function codersOf(options: CoderOptions): Map<string, Coder> {
  const { BROTLI_PARAM_QUALITY } = zlib.constants;
  const brotli = {
    ...options.brotli,
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, ...options.brotli?.params },
  };
  const { zstd = {} } = options;
  const coders: Coder[] = [
    {
      name: 'br',
      create: () => zlib.createBrotliCompress(brotli),
      compressNow: body => zlib.brotliCompressSync(body, brotli),
      compress: (body, done) => {
        zlib.brotliCompress(body, brotli, done);
      },
      mostNow: Number(brotli.params[BROTLI_PARAM_QUALITY]) <= FAST_BROTLI ? MOST_NOW : 0,
    },
    {
      name: 'gzip',
      create: () => zlib.createGzip(options),
      compressNow: deflaterOf('gzip', options),
      compress: (body, done) => {
        zlib.gzip(body, options, done);
      },
      mostNow: MOST_NOW,
    },
    {
      name: 'deflate',
      create: () => zlib.createDeflate(options),
      compressNow: deflaterOf('deflate', options),
      compress: (body, done) => {
        zlib.deflate(body, options, done);
      },
      mostNow: MOST_NOW,
    },
  ];
  const { createZstdCompress, zstdCompressSync, zstdCompress, constants } = zlib as unknown as Zstandard;
  if (createZstdCompress !== undefined) {
    const level = zstd.params?.[constants.ZSTD_c_compressionLevel] ?? 0;
    coders.push({
      name: 'zstd',
      create: () => createZstdCompress(zstd),
      compressNow: body => zstdCompressSync(body, zstd),
      compress: (body, done) => {
        zstdCompress(body, zstd, done);
      },
      mostNow: Number(level) <= FAST_ZSTD ? MOST_NOW : 0,
    });
  }
  return new Map(coders.map(coder => [coder.name, coder]));
}

/** An encoding in a header. */
interface Element {
  name: string;
  quality: number;
  order: number;
}

/**
 * Returns the preferred encoding: by quality; among equal ones `br`, then `gzip`, then in the order of the header.
 * @param header the value of `Accept-Encoding`
 * @param offers the names of the encodings, without `identity`
 * @returns one of the offers, `'identity'`, or undefined if the client accepts none of them
 */
export function preferredEncoding(header: string, offers: Iterable<string>): string | undefined {
  const texts = header.split(',');
  const elements = texts.map(parse).filter(element => element !== undefined);
  if (!elements.some(({ name }) => name === 'identity' || name === '*')) {
    // An encoding that the client has not named must not win over one that it has.
    const quality = Math.min(1, ...elements.map(element => element.quality || 1));
    elements.push({ name: 'identity', quality, order: texts.length });
  }
  let best: Candidate | undefined;
  let index = 0;
  for (const offer of [...offers, 'identity']) {
    const candidate = candidateOf(offer, index++, elements);
    if (candidate !== undefined && candidate.quality > 0 && (best === undefined || isBetter(candidate, best)))
      best = candidate;
  }
  return best?.offer;
}

interface Candidate extends Element {
  offer: string;
  rank: number;
  isNamed: boolean;
  index: number;
}

/** Encodings that are chosen before others of the same quality. */
const PREFERRED = ['br', 'gzip'];

/** Not chosen by a wildcard: clients that do not support it send wildcards too. */
const ONLY_NAMED = 'zstd';

/** Returns the quality of an offer, from the element that names it, or else a wildcard. */
function candidateOf(offer: string, index: number, elements: readonly Element[]): Candidate | undefined {
  let best: Element | undefined;
  for (const element of elements) {
    const isNamed = element.name === offer;
    if (!isNamed && (element.name !== '*' || offer === ONLY_NAMED)) continue;
    // If several elements have the same name, the one with the highest quality counts, or else the last one.
    const isBest =
      best === undefined ||
      (Number(best.name === offer) - Number(isNamed) ||
        best.quality - element.quality ||
        best.order - element.order) < 0;
    if (isBest) best = element;
  }
  if (best === undefined) return undefined;
  const at = PREFERRED.indexOf(offer);
  const rank = at < 0 ? PREFERRED.length : at;
  return { ...best, offer, index, rank, isNamed: best.name === offer };
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.quality !== b.quality) return a.quality > b.quality;
  if (a.rank !== b.rank) return a.rank < b.rank;
  if (a.isNamed !== b.isNamed) return a.isNamed;
  return a.order !== b.order ? a.order < b.order : a.index < b.index;
}

/** Parses `gzip;q=0.5`. */
function parse(text: string, order: number): Element | undefined {
  const [first = '', ...parameters] = text.split(';');
  const name = first.trim().toLowerCase();
  if (name === '' || /\s/.test(name)) return undefined;
  let quality = 1;
  for (const parameter of parameters) {
    const [key, value = ''] = parameter.trim().split('=');
    if (key !== 'q') continue;
    quality = Number.parseFloat(value);
    break;
  }
  return { name, quality, order };
}
