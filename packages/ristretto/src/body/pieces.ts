/** The pieces of a body as they come, and the whole that they make. */

/** From this many bytes on it pays to have the whole ready before all its pieces are there. */
const LARGE = 128 * 1024;

/** The whole is made when this part of it has come: no client has memory set aside that it does not itself fill. */
const TRUSTED_PART = 1 / 16;

/**
 * Collects the pieces of one body. One that comes in one piece is not copied. Where the length of a large one is known,
 * the pieces are put in their places as they come: each is still in the processor's cache then, and need not be kept.
 */
export class Pieces {
  /** Bytes so far. */
  received = 0;
  private first: Buffer | undefined = undefined;
  private list: Buffer[] | undefined = undefined;
  private whole: Buffer | undefined = undefined;

  /** @param length how many bytes are to come; null where that is not known */
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

  /** The whole, when all of it has come. */
  join(): Buffer {
    if (this.whole !== undefined) return this.whole;
    if (this.list !== undefined) return Buffer.concat(this.list, this.received);
    return this.first ?? Buffer.alloc(0);
  }

  /** Lets go of the bytes. */
  clear(): void {
    this.first = undefined;
    this.list = undefined;
    this.whole = undefined;
  }
}
