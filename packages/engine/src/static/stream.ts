/**
 * Sends part of an open file in chunks, as fast as the client reads them. It never sends more bytes than were
 * announced; if there are fewer, because the file shrank, the connection is destroyed, so that no client takes the
 * response for complete. The descriptor is closed as soon as the last byte is read or the client has disconnected.
 */
import { AsyncResource } from 'node:async_hooks';
import { read } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAsStream } from '../serving/write-content';
import { cutOff, isOver, onClosed } from '../serving/closing';
import { closeNow } from './close-now';

/** Bytes per read: enough to make the cost of the thread pool negligible. */
const PIECE = 64 * 1024;

/**
 * Sends `length` bytes of the file from `start`, ends the response, and closes the descriptor.
 * @param length number of bytes, at least 1
 * @param broken called if `write` or `end` throws; nothing more is sent
 */
export function streamFile(
  req: IncomingMessage,
  res: ServerResponse,
  fd: number,
  start: number,
  length: number,
  broken: (error: Error) => void,
): void {
  new FileStream(req, res, fd, start, length, broken).readNext();
}

/**
 * Reads in the asynchronous context in which it was created: `drain` events occur in the connection's context, which
 * belongs to the first of several pipelined requests.
 */
class FileStream extends AsyncResource {
  private isReading = false;
  private isWaiting = false;
  private isStopped = false;
  private readonly unwatch: () => void;

  constructor(
    req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly fd: number,
    private position: number,
    private remaining: number,
    private readonly broken: (error: Error) => void,
  ) {
    super('FileStream');
    this.unwatch = onClosed(req, res, this.stop);
    // Added once, not for each wait: compression middleware forwards `drain` listeners and cannot remove them.
    res.on('drain', this.drained);
  }

  readNext(): void {
    this.isReading = true;
    const size = Math.min(PIECE, this.remaining);
    read(this.fd, Buffer.allocUnsafeSlow(size), 0, size, this.position, this.wasRead);
  }

  private readonly wasRead = (error: Error | null, size: number, piece: Buffer): void => {
    this.isReading = false;
    if (this.isStopped) {
      closeNow(this.fd);
    } else if (isOver(this.res)) {
      this.stop();
    } else if (error !== null || size === 0) {
      this.stop();
      cutOff(this.res);
    } else {
      this.attempt(size === piece.length ? piece : piece.subarray(0, size));
    }
  };

  private attempt(piece: Buffer): void {
    try {
      this.send(piece);
    } catch (error) {
      this.stop();
      this.broken(error as Error);
    }
  }

  private send(piece: Buffer): void {
    this.position += piece.length;
    this.remaining -= piece.length;
    if (this.remaining === 0) {
      this.stop();
      if (!endAsStream(this.res, piece)) this.res.end(piece);
    } else {
      // Compares with false, as `pipe` does: wrappers of `write` often return nothing, and only false guarantees a
      // `drain` event.
      this.isWaiting = (this.res.write(piece) as unknown) === false;
      if (!this.isWaiting && !this.isStopped) this.readNext();
    }
  }

  private readonly drained = (): void => {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.runInAsyncScope(this.readNext, this);
  };

  /** Closes the descriptor, after the current read if there is one. */
  private readonly stop = (): void => {
    if (this.isStopped) return;
    this.isStopped = true;
    this.isWaiting = false;
    this.unwatch();
    this.res.off('drain', this.drained);
    if (!this.isReading) closeNow(this.fd);
  };
}
