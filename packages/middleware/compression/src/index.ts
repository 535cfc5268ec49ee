/**
 * Compresses responses: the interface of compression 1.8.
 *
 * A complete body is compressed in one call. Others are compressed by a stream, which `res.flush` flushes.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BrotliOptions } from 'node:zlib';
import { addResponseHook, destroyInTurn } from '@ristretto/response-hooks';
import type { Content, Output, ResponseHook } from '@ristretto/response-hooks';
import { readSize } from '@ristretto/private-engine/lib/amount';
import compressible = require('compressible');
import type { Request, RequestHandler, Response } from 'express-serve-static-core';
import vary = require('vary');
import { codersOf, preferredEncoding } from './encodings.js';
import type { Coder, Compressor, ZstdOptions } from './encodings.js';

declare global {
  namespace Express {
    interface Response {
      /** Sends what has been compressed so far. */
      flush(): void;
    }
  }
}

/** The options of one middleware. */
interface Settings {
  filter(req: IncomingMessage, res: ServerResponse): boolean;
  threshold: number;
  coders: Map<string, Coder>;
  /** For requests without `Accept-Encoding`. */
  enforced: Coder | undefined;
}

/**
 * Creates middleware that compresses responses.
 * @throws if `node:zlib` rejects an option
 * @example app.use(compression({ threshold: '2kb' }));
 */
function compression(options?: compression.CompressionOptions): RequestHandler {
  const given = options ?? {};
  const coders = codersOf(given);
  // It is better to report errors in options now than on the first response.
  for (const coder of coders.values()) coder.create().destroy();
  const settings: Settings = {
    filter: (given.filter ?? filter) as Settings['filter'],
    threshold: thresholdOf(given.threshold),
    coders,
    enforced: coders.get(String(given.enforceEncoding)),
  };
  return function compression(req: IncomingMessage, res: FlushableResponse, next: () => void) {
    const compress = new Compression(settings, req);
    // Stored in a variable first: a function that is written directly into a property is expected to live long, and
    // would keep the response until the next full garbage collection.
    const flush = (): void => {
      compress.flush();
    };
    res.flush = flush;
    addResponseHook(res, compress);
    next();
  };
}

function thresholdOf(threshold: unknown): number {
  const size = readSize(threshold ?? 1024);
  if (size !== undefined) return size;
  throw new TypeError(
    `compression(): threshold must be a number of bytes, or text such as '1kb', got ${String(threshold)}`,
  );
}

interface FlushableResponse extends ServerResponse {
  flush(): void;
}

/** Whether the type of the response is one that compresses well. */
function filter(_req: unknown, res: Pick<ServerResponse, 'getHeader'>): boolean {
  const type = res.getHeader('content-type');
  return type !== undefined && isCompressible(String(type));
}

/** Applications use few types; the number is limited because some are computed from requests. */
const MOST_TYPES = 200;
const knownTypes = new Map<string, boolean>();

function isCompressible(type: string): boolean {
  let known = knownTypes.get(type);
  if (known === undefined) {
    known = compressible(type) === true;
    if (knownTypes.size < MOST_TYPES) knownTypes.set(type, known);
  }
  return known;
}

const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;
const NO_TRANSFORM = /(?:^|,)\s*?no-transform\s*?(?:,|$)/i;

/** The compression of one response. */
class Compression implements ResponseHook {
  private coder: Coder | undefined = undefined;
  private stream: Compressor | undefined = undefined;

  constructor(
    private readonly settings: Settings,
    private readonly req: IncomingMessage,
  ) {}

  flush(): void {
    this.stream?.flush();
  }

  /** Chooses the encoding. */
  head(res: ServerResponse, body: Content | undefined): void {
    const { settings, req } = this;
    // A 304 has no Content-Type, but needs the Vary of the 200 (RFC 9110, section 15.4.5)
    const isUnchanged = res.statusCode === 304 && !res.hasHeader('Content-Type');
    if (!isUnchanged && !settings.filter(req, res)) return;
    const control = res.getHeader('cache-control');
    if (control && NO_TRANSFORM.test(String(control))) return;
    addVary(res);
    if (isUnchanged || isBelow(settings.threshold, res.getHeader('content-length'), body)) return;
    const encoding = res.getHeader('content-encoding') || 'identity';
    // A range is part of the uncompressed body.
    if (encoding !== 'identity' || req.method === 'HEAD' || res.statusCode === 206) return;
    this.coder = coderFor(req.headers['accept-encoding'], settings);
    if (this.coder === undefined) return;
    res.setHeader('Content-Encoding', this.coder.name);
    // The length of a complete body is corrected once it is known.
    if (body === undefined) res.removeHeader('Content-Length');
  }

  whole(res: ServerResponse, body: Content): Content | undefined | Promise<Content> {
    const { coder } = this;
    // If another hook has failed, the headers no longer belong to this response.
    if (coder === undefined || res.getHeader('Content-Encoding') !== coder.name) return undefined;
    if (body.length <= coder.mostNow) return coder.compressNow(body);
    return new Promise((resolve, reject) => {
      coder.compress(body, (error, compressed) => {
        if (error === null) resolve(compressed);
        else reject(error);
      });
    });
  }

  pieces(res: ServerResponse, next: Output, drain: () => void): Output | undefined {
    if (this.coder === undefined) return undefined;
    const stream = this.coder.create();
    const isLive = EVENT_STREAM.test(String(res.getHeader('Content-Type')));
    this.stream = stream;
    stream.on('data', (chunk: Buffer) => {
      if (!next.write(chunk)) stream.pause();
    });
    stream.on('end', () => {
      next.end();
    });
    stream.on('drain', drain);
    stream.on('error', error => {
      destroyInTurn(res, error);
    });
    // Frees the memory of the compressor if the client disconnects.
    if (res.destroyed) stream.destroy();
    else res.once('close', () => stream.destroy());
    return {
      write: (chunk, encoding, callback) => {
        const hasRoom = stream.write(bytesOf(chunk, encoding), callback);
        // The client waits for each event
        if (isLive) stream.flush();
        return hasRoom;
      },
      end: (chunk, encoding) => {
        if (chunk === undefined) stream.end();
        else stream.end(bytesOf(chunk, encoding));
      },
      drain: () => {
        stream.resume();
      },
    };
  }
}

function bytesOf(chunk: Content, encoding: BufferEncoding | undefined): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
}

function addVary(res: ServerResponse): void {
  if (res.getHeader('Vary') === undefined) res.setHeader('Vary', 'Accept-Encoding');
  else vary(res, 'Accept-Encoding');
}

/** Whether a response is known to be shorter than the threshold. */
function isBelow(threshold: number, length: unknown, body: Content | undefined): boolean {
  if (Number(length) < threshold) return true;
  // A character is at least one byte.
  if (length || body === undefined || body.length >= threshold) return false;
  return (typeof body === 'string' ? Buffer.byteLength(body) : body.length) < threshold;
}

/** The cache's maximum size: clients usually send few different values, but could send many. */
const MOST_HEADERS = 100;
const LONGEST_HEADER = 200;

const choices = new Map<string, string | undefined>();

function coderFor(header: string | undefined, { coders, enforced }: Settings): Coder | undefined {
  if (!header) return enforced;
  let choice = choices.get(header);
  if (choice === undefined && !choices.has(header)) {
    choice = preferredEncoding(header, coders.keys());
    if (choices.size < MOST_HEADERS && header.length <= LONGEST_HEADER) choices.set(header, choice);
  }
  return choice === undefined ? undefined : coders.get(choice);
}

declare namespace compression {
  /** The default of the option `filter`: whether the type of the response is one that compresses well. */
  function filter(req: Request, res: Response): boolean;

  /** Decides whether a response may be compressed. */
  type CompressionFilter = (req: Request, res: Response) => boolean;

  /** These, and the options of `node:zlib` for gzip and deflate. */
  interface CompressionOptions {
    /** The size of each chunk of a stream, in bytes. @default 16384 */
    chunkSize?: number | undefined;
    /** Decides whether a response may be compressed. @default compression.filter */
    filter?: CompressionFilter | undefined;
    /** Options of Brotli. @default quality 4 */
    brotli?: BrotliOptions | undefined;
    /** Options of Zstandard, which Node has from 22.15 on. */
    zstd?: ZstdOptions | undefined;
    /** The encoding for requests without `Accept-Encoding`. @default 'identity' */
    enforceEncoding?: string | undefined;
    /** From 0 (none) to 9 (best). @default -1, which is 6 */
    level?: number | undefined;
    /** Memory of the compressor, from 1 to 9. @default 8 */
    memLevel?: number | undefined;
    /** The algorithm of zlib. */
    strategy?: number | undefined;
    /** Smallest body that is compressed, in bytes or as text such as `'1kb'`. @default 1024 */
    threshold?: number | string | undefined;
    /** The size of the window, as a power of two. @default 15 */
    windowBits?: number | undefined;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as the types of the original
    [property: string]: any;
  }
}

compression.filter = filter as typeof compression.filter;

// Node.js finds the name for `import { filter } from` by reading this text; the last line replaces the value.
module.exports = { filter };

export = compression;
