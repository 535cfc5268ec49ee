/** Writes files to a directory. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { Sink } from './file-part';
import { MulterError, run } from './multer-error';
import type { DiskStorageOptions, Request, StorageEngine, Stored, UploadFile } from './types';

type Locate = (
  req: Request,
  file: UploadFile,
  callback: (error: Error | null, value: string) => void,
) => void;

/** The number of bytes waiting to be written at which the client has to wait. */
const WAITING = 256 * 1024;

function getFilename(...[, , callback]: Parameters<Locate>): void {
  callback(null, randomBytes(16).toString('hex'));
}

function getDestination(...[, , callback]: Parameters<Locate>): void {
  callback(null, tmpdir());
}

export class DiskStorage implements StorageEngine {
  getFilename: Locate;
  flush: boolean | undefined;
  getDestination: Locate;
  /** The files that are being written, by their streams. */
  private readonly sinks = new WeakMap<object, DiskSink>();

  constructor(options: DiskStorageOptions) {
    const { destination, filename } = options;
    if (destination && typeof destination !== 'string' && typeof destination !== 'function') {
      throw new TypeError(
        `Expected destination to be a directory or a function, got ${inspect(destination)}`,
      );
    }
    if (filename && typeof filename !== 'function') {
      throw new TypeError(`Expected filename to be a function, got ${inspect(filename)}`);
    }
    this.getFilename = filename || getFilename;
    this.flush = options.flush;
    if (typeof destination === 'string') {
      fs.mkdirSync(destination, { recursive: true });
      this.getDestination = (_req, _file, callback) => callback(null, destination);
    } else {
      this.getDestination = destination || getDestination;
    }
  }

  _handleFile(req: Request, file: UploadFile, callback: Stored): void {
    this.locate(req, file, callback, (path, done) => this.writeStream(file.stream, path, done));
  }

  _removeFile(_req: Request, file: UploadFile, callback: (error: Error | null) => void): void {
    const sink = this.sinks.get(file.stream ?? file);
    // The file is still being written.
    if (sink?.onRemoved((): void => callback(null)) === true) file.stream.destroy();
    else fs.unlink(file.path, callback);
  }

  /**
   * Finds the path of a file.
   * @param found called with the path, and what to call once the file is stored
   */
  locate(
    req: Request,
    file: UploadFile,
    callback: Stored,
    found: (path: string, done: DiskDone) => void,
  ): void {
    const guard = (call: () => unknown): void => run(call, callback);
    guard(() =>
      this.getDestination(req, file, (error, destination) => {
        if (error) {
          callback(error);
          return;
        }
        guard(() =>
          this.getFilename(req, file, (failure, filename) => {
            if (failure) {
              callback(failure);
              return;
            }
            guard(() => {
              const path = join(destination, filename);
              file.path = path;
              found(path, (reason, size) => {
                if (reason) callback(reason);
                else callback(null, { destination, filename, path, size });
              });
            });
          }),
        );
      }),
    );
  }

  /** Writes a stream to a file, which is removed if the stream fails. */
  writeStream(stream: Readable, path: string, done: DiskDone): void {
    if (stream.destroyed || stream.readableEnded) {
      done(new MulterError('STREAM_DESTROYED'), 0);
      return;
    }
    const sink = new DiskSink(path, this.flush, () => stream.resume(), done);
    stream
      .on('data', (piece: Buffer) => {
        if (!sink.write(piece)) stream.pause();
      })
      .on('end', () => sink.end())
      .on('error', error => sink.abort(error))
      .on('close', () => {
        if (!stream.readableEnded)
          sink.abort(Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
      });
    this.sinks.set(stream, sink);
  }
}

type DiskDone = (error: unknown, size: number) => void;

/** A file being written. `done` is called once: with an error, after the written data has been removed. */
export class DiskSink implements Sink {
  private fd = -1;
  private queue: Buffer[] = [];
  private queued = 0;
  private size = 0;
  /** Whether an operation of the file system is in flight. */
  private isBusy = true;
  private isEnded = false;
  private isDone = false;
  private removed: (() => void) | undefined = undefined;
  private failure: { reason: unknown } | undefined = undefined;

  constructor(
    private readonly path: string,
    private readonly flush: boolean | undefined,
    private readonly drained: () => void,
    private readonly done: DiskDone,
  ) {
    fs.open(path, 'w', (error, fd) => {
      if (error) this.failure ??= { reason: error };
      else this.fd = fd;
      this.next();
    });
  }

  write(piece: Buffer): boolean {
    if (this.failure !== undefined) return true;
    this.queue.push(piece);
    this.queued += piece.length;
    if (!this.isBusy) this.next();
    return this.queued < WAITING;
  }

  end(): void {
    this.isEnded = true;
    if (!this.isBusy) this.next();
  }

  abort(error: unknown): void {
    this.failure ??= { reason: error };
    if (!this.isBusy) this.next();
  }

  /** Calls back after `done`, when the file has been removed. @returns false if the file is complete */
  onRemoved(callback: () => void): boolean {
    if (!this.isDone) this.removed = callback;
    return !this.isDone;
  }

  /** Starts the next operation, once the last one is complete. */
  private next(): void {
    this.isBusy = true;
    if (this.failure !== undefined) this.remove();
    else if (this.queue.length > 0) this.writeQueue(this.queue);
    else if (this.isEnded) this.finish();
    else this.isBusy = false;
  }

  private writeQueue(pieces: Buffer[]): void {
    this.queue = [];
    fs.writev(this.fd, pieces, (error, written) => {
      if (error) {
        this.failure ??= { reason: error };
      } else {
        this.size += written;
        const wasFull = this.queued >= WAITING;
        this.queued -= written;
        // The file system may write only some of the bytes.
        this.queue = [...after(pieces, written), ...this.queue];
        if (wasFull && this.queued < WAITING) this.drained();
      }
      this.next();
    });
  }

  private finish(): void {
    const close = (error: Error | null): void => {
      if (error) {
        this.failure ??= { reason: error };
        this.remove();
        return;
      }
      const { fd } = this;
      this.fd = -1;
      fs.close(fd, failure => {
        // Some file systems only report now that a file could not be written.
        if (failure) this.failure ??= { reason: failure };
        if (this.failure === undefined) this.report(undefined);
        else this.unlink();
      });
    };
    if (this.flush) fs.fsync(this.fd, close);
    else close(null);
  }

  /** Closes and removes the file if it was opened; otherwise, an existing file is not ours. */
  private remove(): void {
    this.queue = [];
    const { fd } = this;
    if (fd < 0) {
      this.report(this.failure!.reason);
      return;
    }
    this.fd = -1;
    fs.close(fd, () => this.unlink());
  }

  private unlink(): void {
    const { path, failure } = this;
    const report = (): void => this.report(failure!.reason);
    // Devices and pipes that an application has chosen are not deleted.
    fs.lstat(path, (error, stats) => {
      if (error || !stats.isFile()) report();
      else fs.unlink(path, report);
    });
  }

  private report(error: unknown): void {
    if (this.isDone) return;
    this.isDone = true;
    this.done(error, this.size);
    this.removed?.();
    // A writer that waits for the next `drain` must not wait forever.
    if (error !== undefined) this.drained();
  }
}

/** Returns the bytes after the first `count`. */
function after(pieces: Buffer[], count: number): Buffer[] {
  let at = 0;
  while (at < pieces.length && count >= pieces[at]!.length) count -= pieces[at++]!.length;
  if (at === pieces.length) return [];
  return [pieces[at]!.subarray(count), ...pieces.slice(at + 1)];
}
