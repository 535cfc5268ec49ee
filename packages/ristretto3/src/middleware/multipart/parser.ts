/**
 * Splits a multipart body (RFC 2046, section 5.1.1) into its parts. Bytes are pushed in as they arrive, and the content
 * of a part is passed on in slices of the chunks, without collecting it. Only the header of one part and the few bytes
 * that may start a boundary are kept, and each byte is examined once or twice, however the chunks are split.
 */
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';
import { parsePartHeader } from './part-header';
import type { PartHeader } from './part-header';

/** The events of a body, in order. */
export type MultipartEvent =
  { type: 'begin'; header: PartHeader } | { type: 'data'; chunk: Buffer } | { type: 'end' };

/** The maximum length of a part's header, including its boundary line. */
const HEADER_LIMIT = 16 * 1024;
/** The maximum length of a boundary (RFC 2046, section 5.1.1). */
const BOUNDARY_LIMIT = 70;

const EMPTY = Buffer.alloc(0);
const END_OF_HEADER = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = 0x0d;
const DASH = 0x2d;
const CLOSING_LENGTH = 2;

export class MultipartParser {
  private readonly delimiter: Buffer;
  private state: 'preamble' | 'header' | 'content' | 'epilogue' = 'preamble';
  /** The end of the last chunk, if it may be the start of a delimiter. Initially the line break before the body. */
  private rest: Buffer = Buffer.from('\r\n');
  private readonly header = Buffer.allocUnsafe(HEADER_LIMIT);
  private headerLength = 0;

  /**
   * @param boundary the parameter of the Content-Type
   * @throws an error with status 400 for a missing or overlong boundary
   */
  constructor(boundary: string | undefined) {
    if (!boundary || boundary.length > BOUNDARY_LIMIT) throw malformed('content-type missing boundary');
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /**
   * Parses the next chunk.
   * @throws an error with status 400 for an invalid header, 413 for one that is too long
   */
  *push(chunk: Buffer): Generator<MultipartEvent, void> {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = EMPTY;
    while (bytes.length > 0 && this.state !== 'epilogue') {
      if (this.state === 'header') {
        const collected = this.collectHeader(bytes);
        if (collected === undefined) return;
        bytes = bytes.subarray(collected.length);
        yield { type: 'begin', header: collected.header };
        continue;
      }
      const at = bytes.indexOf(this.delimiter);
      const end = at < 0 ? this.certainLength(bytes) : at;
      if (this.state === 'content' && end > 0) yield { type: 'data', chunk: bytes.subarray(0, end) };
      if (at < 0) {
        this.rest = bytes.subarray(end);
        return;
      }
      if (this.state === 'content') yield { type: 'end' };
      bytes = bytes.subarray(at + this.delimiter.length);
      this.state = 'header';
      this.headerLength = 0;
    }
  }

  /** Throws unless the body was complete. */
  assertComplete(): void {
    if (this.state !== 'epilogue') throw malformed('stream ended unexpectedly');
  }

  /** Returns the number of bytes that cannot belong to a delimiter that continues in the next chunk. */
  private certainLength(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.delimiter.length + 1);
    for (
      let at = bytes.indexOf(CARRIAGE_RETURN, from);
      at >= 0;
      at = bytes.indexOf(CARRIAGE_RETURN, at + 1)
    ) {
      if (bytes.compare(this.delimiter, 0, bytes.length - at, at) === 0) return at;
    }
    return bytes.length;
  }

  /**
   * Collects the bytes after a delimiter: `--` at the end of the body, else the rest of the line and the part's header.
   *
   * @returns the header and how many of the bytes belong to it; `undefined` while it is incomplete, or at the end of
   * the body
   */
  private collectHeader(bytes: Buffer): { length: number; header: PartHeader } | undefined {
    const before = this.headerLength;
    this.headerLength += bytes.copy(this.header, before);
    const collected = this.header.subarray(0, this.headerLength);
    if (this.headerLength < CLOSING_LENGTH) return undefined;
    if (collected[0] === DASH && collected[1] === DASH) {
      this.state = 'epilogue';
      return undefined;
    }
    const end = collected.indexOf(END_OF_HEADER, Math.max(0, before - END_OF_HEADER.length + 1));
    if (end < 0) {
      if (this.headerLength < HEADER_LIMIT) return undefined;
      throw httpError(413, `header of a part exceeds ${HEADER_LIMIT} bytes`, { type: 'entity.too.large' });
    }
    this.state = 'content';
    const length = end + END_OF_HEADER.length - before;
    return { length, header: parsePartHeader(collected.toString('utf8', 0, end)) };
  }
}

export function malformed(message: string): HttpError {
  return httpError(400, message, { type: 'multipart.malformed' });
}
