/**
 * Splits a multipart body (RFC 2046, section 5.1.1) into its parts, in time linear in its length however the chunks are
 * split. Content is passed on as it arrives, as ranges of the chunks: only the header of one part is collected, and the
 * few bytes at the end of a chunk that may start a delimiter.
 */

/**
 * The handlers for the elements of a body, in their order. `bytes` is valid only during the call. A handler may
 * throw, or call `parser.stop()`; nothing more is called after either.
 */
export interface MultipartHandler {
  /** A part starts: its header lines, separated by CRLF, without the line break at the end. */
  onHeader(bytes: Buffer, start: number, end: number): void;
  /** A range of the content of the part; never empty. */
  onData(bytes: Buffer, start: number, end: number): void;
  /** The part is complete. */
  onEnd(): void;
  /** A boundary is followed by something else on its line. Everything up to the next boundary is left out. */
  onStray(): void;
  /** The header of a part exceeds `HEADER_LIMIT`, or contains a boundary. The parser has stopped. */
  onBadHeader(reason: 'overlong' | 'boundary'): void;
}

/** The maximum length of a part's header in bytes, with the line break at its end. */
export const HEADER_LIMIT = 16 * 1024;
/** The maximum length of a boundary (RFC 2046, section 5.1.1). */
export const BOUNDARY_LIMIT = 70;

const EMPTY = Buffer.alloc(0);
const END_OF_HEADER = Buffer.from('\r\n\r\n');
const LINE_BREAK = 2;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DASH = 0x2d;

const LINE_START = 0;
const CONTENT = 1;
const BOUNDARY = 2;
const PADDING = 3;
const HEADER = 4;
const COMPLETE = 5;
const STOPPED = 6;

export class MultipartParser {
  private readonly delimiter: Buffer;
  private state = LINE_START;
  /** Whether the content is that of a part, rather than the preamble or the text after a stray boundary. */
  private isPart = false;
  /** The end of the last chunk, whose meaning depends on the next chunk. */
  private rest: Buffer = EMPTY;
  /** The header of the part that started in an earlier chunk, from the line break after the boundary on. */
  private header: Buffer | undefined = undefined;
  private headerLength = 0;

  /** @param boundary the parameter of the Content-Type, of 1 to `BOUNDARY_LIMIT` characters */
  constructor(
    boundary: string,
    private readonly handler: MultipartHandler,
  ) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Whether the closing boundary has been found. Everything after it is left out. */
  get isComplete(): boolean {
    return this.state === COMPLETE;
  }

  /** Ignores the rest of the body. */
  stop(): void {
    this.state = STOPPED;
    this.rest = EMPTY;
  }

  /** Parses the next chunk, and calls the handler for each completed element. */
  write(chunk: Buffer): void {
    let bytes = chunk;
    if (this.rest.length > 0) {
      bytes = Buffer.concat([this.rest, chunk]);
      this.rest = EMPTY;
    }
    let at = 0;
    // Each function parses one element and returns the start of the next one, or -1 at the end of the chunk.
    while (at >= 0 && this.state < COMPLETE) {
      if (this.state === CONTENT) at = this.readContent(bytes, at);
      else if (this.state === HEADER) at = this.readHeader(bytes, at);
      else if (this.state === LINE_START) at = this.readLineStart(bytes, at);
      else at = this.readBoundaryLine(bytes, at);
    }
  }

  private hold(bytes: Buffer, from: number): number {
    this.rest = bytes.subarray(from);
    return -1;
  }

  /**
   * Looks for a boundary at the start of the body, and right after the header of a part: a boundary there needs no
   * separate line break, and the part has no content.
   */
  private readLineStart(bytes: Buffer, at: number): number {
    const { delimiter } = this;
    const length = delimiter.length - LINE_BREAK;
    const compared = Math.min(length, bytes.length - at);
    if (bytes.compare(delimiter, LINE_BREAK, LINE_BREAK + compared, at, at + compared) !== 0) {
      this.state = CONTENT;
      return at;
    }
    if (compared < length) return this.hold(bytes, at);
    this.endContent();
    return at + length;
  }

  private readContent(bytes: Buffer, at: number): number {
    const found = bytes.indexOf(this.delimiter, at);
    const end = found < 0 ? this.certainEnd(bytes, at) : found;
    if (this.isPart && end > at) {
      this.handler.onData(bytes, at, end);
      if (this.state === STOPPED) return -1;
    }
    if (found < 0) return this.hold(bytes, end);
    this.endContent();
    return found + this.delimiter.length;
  }

  private endContent(): void {
    this.state = BOUNDARY;
    if (!this.isPart) return;
    this.isPart = false;
    this.handler.onEnd();
  }

  /** Returns the position of a delimiter that may continue in the next chunk, or else the end of the bytes. */
  private certainEnd(bytes: Buffer, start: number): number {
    const { delimiter } = this;
    const from = Math.max(start, bytes.length - delimiter.length + 1);
    for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1)) {
      if (bytes.compare(delimiter, 0, bytes.length - at, at) === 0) return at;
    }
    return bytes.length;
  }

  /** Reads the rest of a boundary's line: `--` after the last boundary, otherwise only white space. */
  private readBoundaryLine(bytes: Buffer, at: number): number {
    while (this.state === PADDING && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
    if (bytes.length - at < LINE_BREAK) return this.hold(bytes, at);
    const first = bytes[at];
    const second = bytes[at + 1];
    if (first === CR && second === LF) {
      this.state = HEADER;
      this.headerLength = 0;
      return at;
    }
    if (this.state === BOUNDARY) {
      if (first === DASH && second === DASH) {
        this.state = COMPLETE;
        return -1;
      }
      if (first === SPACE || first === TAB) {
        this.state = PADDING;
        return at;
      }
    }
    this.state = CONTENT;
    this.handler.onStray();
    return at;
  }

  /** Reads the header of a part. `at` is the line break after the boundary, or the start of a later chunk. */
  private readHeader(bytes: Buffer, at: number): number {
    let from = at;
    let source = bytes;
    const before = this.headerLength;
    if (before > 0) {
      source = this.header!;
      from = 0;
      this.headerLength += bytes.copy(source, before, at);
    } else {
      this.headerLength = bytes.length - at;
    }
    const length = this.headerLength;
    const found = source.indexOf(END_OF_HEADER, from + Math.max(0, before - END_OF_HEADER.length + 1));
    // A match that ends later would include leftovers of an earlier header.
    const end = found + END_OF_HEADER.length <= from + length ? found : -1;
    if ((end < 0 ? length : end + END_OF_HEADER.length - from - 1) >= HEADER_LIMIT) {
      return this.refuseHeader('overlong');
    }
    if (end < 0) {
      if (before === 0) bytes.copy((this.header ??= Buffer.allocUnsafe(HEADER_LIMIT)), 0, at);
      return -1;
    }
    // Other software would consider this the start of a part.
    const delimiter = source.indexOf(this.delimiter, from);
    if (delimiter >= 0 && delimiter < end) return this.refuseHeader('boundary');
    this.state = LINE_START;
    this.isPart = true;
    this.handler.onHeader(source, Math.min(from + LINE_BREAK, end), end);
    return at + (end - from) + END_OF_HEADER.length - before;
  }
  private refuseHeader(reason: 'overlong' | 'boundary'): number {
    this.stop();
    this.handler.onBadHeader(reason);
    return -1;
  }
}
