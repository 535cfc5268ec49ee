/**
 * The one engine behind `web.static`, `res.sendFile` and `res.download`: finds a file, sets its headers, and
 * answers with the whole of it, a part, or a status.
 *
 * A GET without conditions opens the file first and asks the descriptor for size and date, so that what is announced
 * is what is sent, whatever happens to the name meanwhile. For an open file the kernel has both at hand, and it has
 * nothing to wait for when one that was only read is closed. So these two calls are synchronous, and a small file takes
 * only two trips to the thread pool. Nothing is kept from one request to the next, so nothing can be stale.
 */
import { fstatSync, open, read } from 'node:fs';
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { endAsStream } from '../http1/end';
import { respond } from '../http1/write';
import { httpError } from '../protocol/errors';
import { breakOff, isOver } from '../http/closing';
import { closeNow } from './close-now';
import { isConditional, statusFor } from './conditional';
import { field, notModified, setFields, setType, validatorsOf } from './file-fields';
import type { Coding, FilePolicy } from './options';
import { partOf } from './part';
import { codingsFor, OPEN_FLAGS, openCoded, setCoding } from './precompressed';
import { statName } from './stat-name';
import { streamFile } from './stream';

/** Up to this many bytes are read and sent in one piece. */
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

/** One request for a file. What becomes of it is for the sub-class to say. */
export abstract class FileAnswer {
  /** The file as found, or looked for last. */
  protected path = '';
  /** Whether a file was found: from then on errors are about it, and not about the path. */
  protected isFound = false;
  /** Whether a file, once found, is not to be sent all the same; directories are still told. */
  protected refusesFiles = false;
  /** Whether the error for a missing file will be used, so that it must be the right one. */
  protected showsMissing = true;
  private fd = NO_FILE;
  private names = NO_NAMES;
  private nextName = 0;
  private base = '';
  private openError: NodeJS.ErrnoException | undefined;
  /** The coding in which the file is sent, null for none; undefined until that is chosen, if there is a choice. */
  private coding: Coding | null | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly policy: FilePolicy,
  ) {}

  /** Sets fields before the defaults are filled in. */
  protected addFields?(stats: Stats): void;
  /** The path is a directory, and no slash at its end asks for its index. */
  protected abstract foundDirectory(): void;
  /** There is a file, and `refusesFiles` is set. */
  protected refusedFile(): void {
    this.fail(404);
  }
  /** Nothing was sent, because of this error; it has a `status`. */
  protected abstract failed(error: Error): void;
  /** Sending threw: the header block could not be made, or a patched function failed. The connection is being closed. */
  protected broken?(error: Error): void;

  /**
   * Sends the file.
   * @param path where it is, absolute
   * @param wantsIndex whether the path was written with a slash at its end
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
    // the file system's message has the path in it
    if (error === cause) error.expose = false;
    this.failed(error);
  }

  /** The headers were already sent by another response. */
  protected failAfterHeaders(): void {
    this.fail(500, new Error("Can't set headers after they are sent."));
  }

  private lookFor(path: string): void {
    this.path = path;
    // Who has the file mostly still has it: then it need not be opened. Nor need it be for its compressed form.
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
      // What can't be opened may still be a directory, or a file that the client has; and what error handlers
      // know of a missing file is the error of `stat`.
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
    else this.answer(stats!);
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

  /** Whether a file that was found by its name is going to be read, as far as that can be told now. */
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

  /** Tries the next index file or extension; `error` is why the one before was none. */
  private lookForNext(error?: NodeJS.ErrnoException): void {
    const name = this.names[this.nextName++];
    if (name === undefined) this.fail(error === undefined || isMissing(error) ? 404 : 500, error);
    else if (this.names === this.policy.index) this.lookFor(join(this.base, name));
    else this.lookFor(this.base + '.' + name);
  }

  private answer(stats: Stats): void {
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

  /** Sends what `Range`, `start` and `end` leave of the file. */
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
      streamFile(req, res, this.fd, start, length, error => this.breakOff(error));
    } else {
      this.readWhole(Buffer.allocUnsafe(length), 0, start);
    }
  }

  /** Opens a file that was to be answered with 304, until a field was added that says otherwise. */
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

  /** Reads a small file, in one go unless the system gives less, and sends it. */
  private readWhole(bytes: Buffer, filled: number, position: number): void {
    read(this.fd, bytes, filled, bytes.length - filled, position, (error, count) => {
      if (error !== null) {
        this.failReading(error);
      } else if (count > 0 && filled + count < bytes.length) {
        this.readWhole(bytes, filled + count, position + count);
      } else {
        this.closeFile();
        if (isOver(this.res)) return;
        // The file was truncated meanwhile: closing the connection keeps clients from mistaking the rest for the
        // whole file.
        if (count === 0) this.res.destroy();
        else this.attempt(() => sendWhole(this.res, bytes));
      }
    });
  }

  private attempt(send: () => void): void {
    try {
      send();
    } catch (error) {
      this.breakOff(error as Error);
    }
  }

  private breakOff(error: Error): void {
    breakOff(this.res, error, () => this.broken?.(error));
  }

  /** The headers of the file do not describe the error response, least of all its length. */
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
  // Where Node knows the length from the body, it garbles ISO-8859-1 in this one field: so head before body.
  if (!res.headersSent && res.hasHeader('Content-Disposition')) res.writeHead(res.statusCode);
  respond(res, bytes);
}
