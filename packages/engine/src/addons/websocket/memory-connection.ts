/** A connection between two streams of one process. */
import { Duplex } from 'node:stream';

class End extends Duplex {
  other!: End;
  /** Called when the other end has read what was written. */
  private taken: (() => void) | undefined;

  override _read(): void {
    const { taken } = this.other;
    this.other.taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Never during the call, as over a network: `ws` would see the response to its close frame before it has noted that
    // it sent one, send a second one, and leave a timer behind which keeps the process alive for 30 seconds.
    process.nextTick(() => {
      if (this.other.destroyed || this.other.push(chunk)) done();
      else this.taken = done;
    });
  }

  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // The other side sees a reset, unless this side has ended the connection.
    if (!this.other.destroyed) {
      if (this.writableFinished) this.other.push(null);
      else this.other.destroy();
    }
    done(error);
  }
}

/** Returns the ends: what the server reads and writes, and what the client does. */
export function connectionInMemory(
  remoteAddress: string,
  encrypted: boolean,
): { ours: Duplex; theirs: Duplex } {
  const ours = new End();
  const theirs = new End();
  ours.other = theirs;
  theirs.other = ours;
  Object.assign(ours, { remoteAddress, ...(encrypted ? { encrypted } : {}) });
  return { ours, theirs };
}
