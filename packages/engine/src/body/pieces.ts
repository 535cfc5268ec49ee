/** Collects the chunks of a body and joins them. */

/** From this many bytes on, it pays to allocate the whole buffer before all chunks have arrived. */
const LARGE = 128 * 1024;

/**
 * The whole buffer is allocated once this fraction has arrived, so a client cannot reserve memory that it does not
 * fill.
 */
const TRUSTED_PART = 1 / 16;

/**
 * Collects the chunks of one body. A body of a single chunk is not copied. For a large body of known length, chunks are
 * copied into place as they arrive: each is still in the CPU cache then, and need not be kept.
 */
export class Pieces {
  /** Bytes received so far. */
  received = 0;
  private first: Buffer | undefined = undefined;
  private list: Buffer[] | undefined = undefined;
  private whole: Buffer | undefined = undefined;

  /** @param length the expected length in bytes; null if unknown */
  constructor(private readonly length: number | null) {}

  add(piece: Buffer): void {
    const at = this.received;
    this.received += piece.length;
    if (at === 0) {
      this.first = piece;
    } else if (this.whole !== undefined) {
      piece.copy(this.whole, at);
    } else {
      this.list ??= [this.first!];
      this.list.push(piece);
      if (this.received >= LARGE) this.prepareWhole();
    }
  }

  private prepareWhole(): void {
    const { length, list, received } = this;
    if (length === null || received > length || received < length * TRUSTED_PART) return;
    const whole = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for (const piece of list!) at += piece.copy(whole, at);
    this.whole = whole;
    this.list = undefined;
    this.first = undefined;
  }

  /** Returns the complete body, once all of it has arrived. */
  join(): Buffer {
    if (this.whole !== undefined) return this.whole;
    if (this.list !== undefined) return Buffer.concat(this.list, this.received);
    return this.first ?? Buffer.alloc(0);
  }

  /** Releases the chunks. */
  clear(): void {
    this.first = undefined;
    this.list = undefined;
    this.whole = undefined;
  }
}
