/**
 * The common implementation of `web.static`, `res.sendFile` and `res.download`: finds a file, sets its headers, and
 * sends all of it, a part, or a status.
 *
 * A GET without conditions opens the file first and reads size and date from the descriptor, so that the headers match
 * the content even if the file is replaced meanwhile. The kernel has both in memory for an open file, and closing one
 * that was only read does not block, so these two calls are synchronous, and a small file takes only two trips to the
 * thread pool. Nothing is cached between requests, so nothing can be stale.
 */
import { fstatSync, open, read } from 'node:fs';
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { endAsStream, writeContent } from '../serving/write-content';
import { httpError } from '../protocol/errors';
import { destroyWithError, cutOff, isOver } from '../serving/closing';
import { closeNow } from './close-now';
import { isConditional, statusFor } from './conditional';
import { field, notModified, setFields, setType, validatorsOf } from './file-fields';
import type { Coding, FilePolicy } from './file-options';
import { partOf } from './part';
import { codingsFor, OPEN_FLAGS, openCoded, setCoding } from './precompressed';
import { statName } from './stat-name';
import { streamFile } from './stream';

/** Files up to this many bytes are read and sent in one piece. */
const SMALL = 64 * 1024;
const NO_FILE = -1;
const NO_NAMES: readonly string[] = [];
const ABOUT_THE_FILE = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Last-Modified',
];

/** A request for a file. Subclasses decide how to respond to directories and errors. */
export abstract class FileResponse {
  /** The path of the file that was found, or looked up last. */
  protected path = '';
  /** Whether a file was found: errors after that concern the file, not the path. */
  protected isFound = false;
  /** Whether a file is not to be sent even if it is found; directories are still reported. */
  protected refusesFiles = false;
  /** Whether the caller sees the error for a missing file, which must then be accurate. */
  protected showsMissing = true;
  private fd = NO_FILE;
  private names = NO_NAMES;
  private nextName = 0;
  private base = '';
  private openError: NodeJS.ErrnoException | undefined;
  /** The content coding of the file, or null for none; undefined until one is chosen, or if there is no choice. */
  private coding: Coding | null | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly policy: FilePolicy,
  ) {}

  /** Sets headers before the defaults are filled in. */
  protected addFields?(stats: Stats): void;
  /** Called if the path is a directory and does not end with a slash, which would request its index. */
  protected abstract foundDirectory(): void;
  /** Called if there is a file and `refusesFiles` is set. */
  protected refusedFile(): void {
    this.fail(404);
  }
  /** Called if nothing was sent because of this error; it has a `status`. */
  protected abstract failed(error: Error): void;
  /**
   * Called if sending threw: the header block was invalid, or a patched function failed. The connection is being
   * closed.
   */
  protected broken?(error: Error): void;

  /**
   * Sends the file.
   * @param path absolute path of the file
   * @param wantsIndex whether the requested path ends with a slash
   */
  send(path: string, wantsIndex: boolean): void {
    if (wantsIndex && this.policy.index.length > 0) {
      this.base = path;
      this.names = this.policy.index;
      this.lookForNext();
    } else {
      this.lookFor(path);
    }
  }

  protected fail(status: number, cause?: Error): void {
    this.closeFile();
    if (this.coding && !this.res.headersSent) this.res.removeHeader('Content-Encoding');
    const error = httpError(status, cause);
    // The file system's message contains the path
    if (error === cause) error.expose = false;
    this.failed(error);
  }

  /** Fails because another response has already sent its headers. */
  protected failAfterHeaders(): void {
    this.fail(500, new Error("Can't set headers after they are sent."));
  }

  private lookFor(path: string): void {
    this.path = path;
    // A client that has the file usually has the current version, so the file need not be opened. The same holds if a
    // compressed version is sent.
    const { req, policy } = this;
    const isAskedByName = req.method === 'HEAD' || policy.precompressed || isConditional(req.headers);
    if (isAskedByName) this.inspectName();
    else this.openName();
  }

  private inspectName(): void {
    statName(this.path, (error, stats) => this.inspected(error, stats));
  }

  private openName(): void {
    open(this.path, OPEN_FLAGS, (error, fd) => this.opened(error, fd));
  }

  private opened(error: NodeJS.ErrnoException | null, fd: number): void {
    if (error !== null) {
      this.openError = error;
      // `stat` decides: the path may be a directory, or a file that the client already has, and error handlers expect its
      // error for a missing file.
      if (isMissing(error) && !this.showsMissing) this.missed(error);
      else this.inspectName();
      return;
    }
    this.fd = fd;
    let stats: Stats;
    try {
      stats = fstatSync(fd);
    } catch (statError) {
      this.fail(500, statError as Error);
      return;
    }
    this.inspected(null, stats);
  }

  private inspected(error: NodeJS.ErrnoException | null, stats: Stats | undefined): void {
    if (error !== null) this.missed(error);
    else if (stats!.isDirectory()) this.cameToDirectory();
    else if (this.policy.precompressed && this.coding === undefined) this.chooseCoding(stats!);
    else if (this.hasToBeOpened(stats!)) this.openName();
    else this.respond(stats!);
  }

  private chooseCoding(stats: Stats): void {
    this.coding = null;
    const codings = this.refusesFiles ? [] : codingsFor(this.req, this.res, this.policy);
    openCoded(this.path, stats, codings, file => {
      if (file !== undefined) {
        this.coding = file.coding;
        this.fd = file.fd;
      }
      this.inspected(null, file?.stats ?? stats);
    });
  }

  /** Whether a file that was found by its name will be read, as far as can be determined yet. */
  private hasToBeOpened(stats: Stats): boolean {
    const { res, policy } = this;
    if (this.fd !== NO_FILE || this.openError !== undefined || this.req.method === 'HEAD') return false;
    const own = validatorsOf(stats);
    const etag = field(res, 'etag') ?? (policy.etag ? own.etag : undefined);
    const lastModified = field(res, 'last-modified') ?? (policy.lastModified ? own.lastModified : undefined);
    return statusFor(this, etag, lastModified) !== 304;
  }

  private missed(error: NodeJS.ErrnoException): void {
    if (this.names !== NO_NAMES) this.lookForNext(error);
    else if (error.code === 'ENOENT' && this.mayLackExtension()) this.lookForNext(error);
    else this.fail(isMissing(error) ? 404 : 500, error);
  }

  private cameToDirectory(): void {
    this.closeFile();
    if (this.names !== NO_NAMES) this.lookForNext();
    else this.foundDirectory();
  }

  private mayLackExtension(): boolean {
    const { extensions } = this.policy;
    if (extensions.length === 0 || this.path.endsWith(sep) || extname(this.path) !== '') return false;
    this.base = this.path;
    this.names = extensions;
    return true;
  }

  /** Tries the next index file or extension; `error` is why the previous one failed. */
  private lookForNext(error?: NodeJS.ErrnoException): void {
    const name = this.names[this.nextName++];
    if (name === undefined) this.fail(error === undefined || isMissing(error) ? 404 : 500, error);
    else if (this.names === this.policy.index) this.lookFor(join(this.base, name));
    else this.lookFor(this.base + '.' + name);
  }

  private respond(stats: Stats): void {
    if (this.refusesFiles) {
      this.closeFile();
      this.refusedFile();
      return;
    }
    this.isFound = true;
    const { res } = this;
    if (res.headersSent) {
      this.failAfterHeaders();
      return;
    }
    let status: 304 | 412 | undefined;
    try {
      if (this.coding !== undefined) setCoding(res, this.coding);
      this.addFields?.(stats);
      setFields(res, this.policy, stats, this.coding);
      status = this.conditionStatus();
      if (status !== 304) setType(res, this.policy, this.path);
    } catch (error) {
      this.fail(500, error as Error);
      return;
    }
    if (status === 304) {
      this.closeFile();
      this.attempt(() => notModified(res));
    } else if (status === 412) {
      this.fail(412);
    } else {
      this.sendPart(stats.size);
    }
  }

  private conditionStatus(): 304 | 412 | undefined {
    const { req, res } = this;
    if (!isConditional(req.headers)) return undefined;
    const lastModified = field(res, 'last-modified');
    return statusFor(this, field(res, 'etag'), lastModified);
  }

  /** Sends the part of the file that `Range`, `start` and `end` select. */
  private sendPart(size: number): void {
    const { req, res, policy } = this;
    const part = this.coding ? { start: 0, length: size } : partOf(req, res, policy, size);
    if (typeof part === 'string') {
      res.setHeader('Content-Range', part);
      this.closeFile();
      this.failed(httpError(416, undefined, { headers: { 'Content-Range': part } }));
      return;
    }
    res.setHeader('Content-Length', part.length);
    this.sendBytes(part.start, part.length);
  }

  private sendBytes(start: number, length: number): void {
    const { req, res } = this;
    if (req.method === 'HEAD' || length === 0) {
      this.closeFile();
      this.attempt(() => res.end());
    } else if (this.fd === NO_FILE) {
      this.openLate(start, length);
    } else if (isOver(res)) {
      this.closeFile();
    } else if (length > SMALL) {
      this.attempt(() => streamFile(req, res, this.fd, start, length, error => this.destroyWithError(error)));
    } else {
      this.readWhole(Buffer.allocUnsafe(length), 0, start);
    }
  }

  /** Opens a file for which a 304 was planned, until an added header changed the result. */
  private openLate(start: number, length: number): void {
    if (this.openError !== undefined) {
      this.failReading(this.openError);
      return;
    }
    open(this.path, OPEN_FLAGS, (error, fd) => {
      if (error === null) {
        this.fd = fd;
        this.sendBytes(start, length);
      } else {
        this.failReading(error);
      }
    });
  }

  /** Reads a small file, in one call unless the system returns less, and sends it. */
  private readWhole(bytes: Buffer, filled: number, position: number): void {
    read(this.fd, bytes, filled, bytes.length - filled, position, (error, count) => {
      if (error !== null) {
        this.failReading(error);
      } else if (count > 0 && filled + count < bytes.length) {
        this.readWhole(bytes, filled + count, position + count);
      } else {
        this.closeFile();
        if (isOver(this.res)) return;
        // The file was truncated meanwhile: closing the connection prevents clients from taking the rest for the whole
        // file.
        if (count === 0) cutOff(this.res);
        else this.attempt(() => sendWhole(this.res, bytes));
      }
    });
  }

  private attempt(send: () => void): void {
    try {
      send();
    } catch (error) {
      this.destroyWithError(error as Error);
    }
  }

  private destroyWithError(error: Error): void {
    destroyWithError(this.res, error, () => this.broken?.(error));
  }

  /**
   * Removes the headers of the file before failing: they do not describe the error response, least of all its length.
   */
  private failReading(error: Error | undefined): void {
    if (!this.res.headersSent) for (const name of ABOUT_THE_FILE) this.res.removeHeader(name);
    this.fail(500, error);
  }

  private closeFile(): void {
    if (this.fd === NO_FILE) return;
    closeNow(this.fd);
    this.fd = NO_FILE;
  }
}

function isMissing(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG';
}

function sendWhole(res: ServerResponse, bytes: Buffer): void {
  if (endAsStream(res, bytes)) return;
  // If Node takes the length from the body, it garbles ISO-8859-1 in this header, so the head is sent before the body.
  if (!res.headersSent && res.hasHeader('Content-Disposition')) res.writeHead(res.statusCode);
  writeContent(res, bytes);
}
