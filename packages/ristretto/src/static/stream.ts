/**
 * Sends part of an open file in pieces, as fast as the client takes them. Never more bytes than were announced go
 * out; when there are fewer, because the file shrank, the connection is destroyed, so that nobody takes the response
 * for a whole one. The descriptor is closed as soon as the last byte is read or the client has disconnected.
 */
import { read } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAsStream } from '../http1/end';
import { isOver, onClosed } from '../http/closing';
import { closeNow } from './close-now';

/** Bytes read at a time: large enough that the way through the thread pool hardly counts. */
const PIECE = 64 * 1024;

/**
 * Sends `length` bytes of the file from `start` on, ends the response, and closes the descriptor.
 * @param length at least 1
 * @param broken called instead of the rest where `write` or `end` throws
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

class FileStream {
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
    this.unwatch = onClosed(req, res, this.stop);
    // Added once, not for each wait: tools that compress pass `drain` on and cannot take a listener back.
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
      this.res.destroy();
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
      // As a pipe takes it: wrappers of `write` often return nothing, and only false promises a `drain`.
      this.isWaiting = (this.res.write(piece) as unknown) === false;
      if (!this.isWaiting && !this.isStopped) this.readNext();
    }
  }

  private readonly drained = (): void => {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.readNext();
  };

  /** Closes the descriptor; while it is being read, that has to wait for the end of the read. */
  private readonly stop = (): void => {
    if (this.isStopped) return;
    this.isStopped = true;
    this.isWaiting = false;
    this.unwatch();
    this.res.off('drain', this.drained);
    if (!this.isReading) closeNow(this.fd);
  };
}
