/** Collects the bytes of a field, or of a file in memory. */

/** From this many chunks on, small ones are copied together: a client may send each byte on its own. */
const MANY = 64;
const SMALL = 1024;
const BLOCK = 16 * 1024;

export class Bytes {
  size = 0;
  private readonly pieces: Buffer[] = [];
  /** The last chunk, if it is a block with free space at its end. */
  private block: Buffer | undefined = undefined;
  private used = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    if (piece.length >= SMALL || this.pieces.length < MANY) {
      this.closeBlock();
      this.pieces.push(piece);
      return;
    }
    if (this.block === undefined || this.used + piece.length > BLOCK) {
      this.closeBlock();
      this.block = Buffer.allocUnsafe(BLOCK);
      this.used = 0;
      this.pieces.push(this.block);
    }
    this.used += piece.copy(this.block, this.used);
  }

  private closeBlock(): void {
    if (this.block === undefined) return;
    this.pieces[this.pieces.length - 1] = this.block.subarray(0, this.used);
    this.block = undefined;
  }

  /** Returns all bytes: the chunk itself if there is only one. */
  read(): Buffer {
    return this.pieces.length === 1 && this.block === undefined ? this.pieces[0]! : this.join();
  }

  /** Returns a copy of all bytes, so that none keeps the chunks of a connection in memory. */
  join(): Buffer {
    this.closeBlock();
    return Buffer.concat(this.pieces, this.size);
  }
}
