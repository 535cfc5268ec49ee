/**
 * Receives the form of one request: parses the body as it arrives, checks the limits, passes files to the storage, and
 * calls the next handler once everything is stored, or removed after an error.
 */
import { BOUNDARY_LIMIT, MultipartParser } from '@ristretto/private-engine/lib/multipart';
import type { MultipartHandler } from '@ristretto/private-engine/lib/multipart';
import { parseContentType } from '@ristretto/private-engine/lib/protocol';
import type { Decode } from './charset';
import { DiskSink, DiskStorage } from './disk-storage';
import { FieldPart } from './field-part';
import type { Fields } from './field-part';
import type { FileList } from './file-list';
import { FilePart, FileStream } from './file-part';
import { FormBody } from './form-body';
import type { BodyListener, BodyOptions } from './form-body';
import type { FormLimits } from './limits';
import { MemorySink, MemoryStorage } from './memory-storage';
import { MulterError, run } from './multer-error';
import type { ErrorCode } from './multer-error';
import { LEFT_OUT, MALFORMED, readPartHeader } from './part-header';
import type { HeaderOptions, PartHeader } from './part-header';
import type { Request, StorageEngine, Stored, UploadFile } from './types';

/** The options of all forms of a middleware. */
export interface Settings extends HeaderOptions, BodyOptions {
  storage: StorageEngine;
  decodeValue: Decode;
  fileHwm: number | undefined;
}

/** Decides about a file, and counts those that are accepted. */
export type Decide = (file: UploadFile, decided: (error: unknown, isAccepted?: boolean) => void) => unknown;

/**
 * The files of a request that may be in progress at once: a chunk can contain a thousand, and each occupies a file
 * descriptor.
 */
const PARALLEL = 64;

/** On a request of Ristretto whose deadline has passed: its handlers are not called any more. */
const EXPIRED = Symbol.for('ristretto.expired');

const handleInMemory = MemoryStorage.prototype._handleFile;
const handleOnDisk = DiskStorage.prototype._handleFile;

export class Upload implements MultipartHandler, BodyListener {
  private readonly parser: MultipartParser;
  private readonly body: FormBody;
  private readonly fields: Fields;
  private readonly stored: UploadFile[] = [];
  private failure: { error: unknown } | undefined = undefined;
  /** The files that are neither stored nor rejected yet. */
  private readonly pending = new Set<FilePart>();
  private isInputComplete = false;
  private isFinished = false;
  private hasResponseClosed = false;

  /** The file or the field that is being received. */
  private part: FilePart | undefined = undefined;
  private field: FieldPart | undefined = undefined;

  private partCount = 0;
  private fieldCount = 0;
  private fileCount = 0;

  /** @throws Error for a Content-Type without a usable boundary */
  constructor(
    private readonly req: Request,
    private readonly settings: Settings,
    private readonly limits: FormLimits,
    private readonly files: FileList,
    private readonly decide: Decide,
    private readonly next: (error?: unknown) => void,
  ) {
    this.parser = new MultipartParser(boundaryOf(req.headers['content-type']!), this);
    this.fields = req.body as Fields;
    this.body = new FormBody(req, settings, this);
  }

  /** Starts reading the body. */
  start(): void {
    this.body.start();
  }

  /** Parses a chunk. */
  onChunk(chunk: Buffer): void {
    if (this.failure !== undefined) return;
    this.parser.write(chunk);
    if (!this.mustWait()) return;
    this.body.pause();
    this.abandonIfLate();
  }

  onBodyEnd(): void {
    if (this.failure !== undefined) return;
    if (!this.parser.isComplete) {
      this.fail(new Error('Unexpected end of form'));
      return;
    }
    this.isInputComplete = true;
    this.finishIfDone();
    this.abandonIfLate();
  }

  /** Called when the response has been sent, or the client has disconnected. */
  onResponseClosed(): void {
    this.hasResponseClosed = true;
    this.abandonIfLate();
  }

  /** Does not wait for a filter or a storage that may never call back, once no handler would be called any more. */
  private abandonIfLate(): void {
    const { req, pending } = this;
    if (!this.hasResponseClosed || !(EXPIRED in req)) return;
    if (!this.isInputComplete && !this.mustWait()) return;
    for (const part of [...pending]) this.failFile(part, (req as ExpiredRequest).signal.reason);
  }

  onBodyError(error: unknown): void {
    if (!this.isInputComplete) this.fail(error);
  }

  private mustWait(): boolean {
    if (this.failure !== undefined) return false;
    return this.pending.size >= PARALLEL || this.part?.mustWait === true;
  }

  private resumeIfPossible(): void {
    if (!this.mustWait()) this.body.resume();
  }

  onHeader(bytes: Buffer, start: number, end: number): void {
    const header = readPartHeader(bytes.toString('latin1', start, end), this.settings);
    if (header === MALFORMED) {
      this.fail(new Error('Malformed part header'));
      return;
    }
    const exceeded = this.count(header);
    if (exceeded !== undefined) this.failWith(exceeded);
    else if (header === LEFT_OUT) return;
    else if (header.isFile) this.startFile(header);
    else this.field = new FieldPart(header, this.limits);
  }

  /** Counts a part; returns the limit that it exceeds. */
  private count(header: PartHeader | typeof LEFT_OUT): ErrorCode | undefined {
    const { limits } = this;
    this.partCount++;
    if (header !== LEFT_OUT) {
      if (header.isFile && ++this.fileCount > limits.files) return 'LIMIT_FILE_COUNT';
      if (!header.isFile && ++this.fieldCount > limits.fields) return 'LIMIT_FIELD_COUNT';
    }
    return this.partCount > limits.parts ? 'LIMIT_PART_COUNT' : undefined;
  }

  onData(bytes: Buffer, start: number, end: number): void {
    const { part } = this;
    if (part !== undefined) {
      const left = this.limits.fileSize - part.size;
      if (end - start <= left) part.write(bytes.subarray(start, end));
      else if (part.state === 'undecided') part.isTooLarge = true;
      else if (part.state === 'accepted') this.cutFile(part, bytes.subarray(start, start + left + 1));
    } else {
      this.field?.write(bytes.subarray(start, end));
    }
  }

  onEnd(): void {
    const { part, field } = this;
    this.part = undefined;
    this.field = undefined;
    part?.end();
    try {
      field?.addTo(this.fields, this.settings.decodeValue);
    } catch (error) {
      this.fail(error);
    }
  }

  onStray(): void {
    // Ignored, as in busboy: what follows is not a part.
  }

  onBadHeader(): void {
    this.fail(new Error('Malformed part header'));
  }

  private startFile({ name, nameSize, filename, encoding, mimetype }: PartHeader): void {
    if (name === undefined) {
      this.failWith('MISSING_FIELD_NAME');
      return;
    }
    // No file was selected in the form.
    if (!filename) return;
    if (nameSize > this.limits.fieldNameSize) {
      this.failWith('LIMIT_FIELD_KEY');
      return;
    }
    const sent = { fieldname: name, originalname: filename, encoding, mimetype };
    const file = sent as UploadFile;
    const place = this.files.reserve(file);
    const part = new FilePart(file, place, this.settings.fileHwm, () => this.resumeIfPossible());
    this.part = part;
    this.pending.add(part);
    const decided = (error: unknown, isAccepted?: boolean): void => {
      if (part.state !== 'undecided') return;
      if (error) {
        this.failFile(part, error);
      } else if (!isAccepted) {
        this.settle(part, 'failed');
        part.discardUnread();
        this.finishIfDone();
      } else if (part.isTooLarge) {
        this.failFile(part, tooLarge(part));
      } else {
        part.state = 'accepted';
        run(
          () => this.store(part),
          reason => this.onStored(part, reason),
        );
      }
    };
    run(() => this.decide(file, decided), decided);
  }

  /** Passes a file to the storage: directly to one of ours, and as a stream to others. */
  private store(part: FilePart): unknown {
    const { req, settings } = this;
    const { storage } = settings;
    const { file } = part;
    const stored = (error: unknown, info?: Partial<UploadFile>): void => this.onStored(part, error, info);
    if (storage._handleFile === handleInMemory) {
      part.pipeTo(new MemorySink(stored));
      return;
    }
    if (storage instanceof DiskStorage && storage._handleFile === handleOnDisk) {
      this.storeOnDisk(part, storage, stored);
      return;
    }
    Object.defineProperty(file, 'stream', { configurable: true, value: this.openStream(part) });
    // A storage may be an async function, and reject.
    return (storage as AsyncStorage)._handleFile(req, file, stored);
  }

  private storeOnDisk(part: FilePart, storage: DiskStorage, stored: Stored): void {
    const { file } = part;
    let stream: FileStream | undefined;
    Object.defineProperty(file, 'stream', {
      configurable: true,
      get: () => (stream ??= this.openStream(part)),
    });
    storage.locate(this.req, file, stored, (path, done) => {
      if (part.isSettled) return;
      // The function that names the file may have inspected its content.
      if (stream !== undefined) storage.writeStream(stream, path, done);
      else part.pipeTo(new DiskSink(path, storage.flush, part.resume, done));
    });
  }

  private openStream(part: FilePart): FileStream {
    const stream = new FileStream(this.settings.fileHwm, part.resume);
    // A storage might not report an error of the stream.
    stream.on('error', error => this.onStored(part, error));
    part.pipeTo(stream);
    return stream;
  }

  private onStored(part: FilePart, error: unknown, info?: Partial<UploadFile>): void {
    if (part.isSettled) {
      // The file was stored after all, although its stream had failed.
      if (!error && part.state === 'failed') this.remove([{ ...part.file, ...info }], () => undefined);
      return;
    }
    if (error) {
      this.failFile(part, error);
      return;
    }
    const file = { ...part.file, ...info };
    this.stored.push(file);
    this.settle(part, 'stored', file);
    part.discardUnread();
    this.finishIfDone();
  }

  private failFile(part: FilePart, error: unknown): void {
    this.settle(part, 'failed');
    part.abort(error);
    this.fail(error);
    this.finishIfDone();
  }

  private settle(part: FilePart, state: 'stored' | 'failed', file?: UploadFile): void {
    part.state = state;
    this.pending.delete(part);
    if (file !== undefined && this.failure === undefined) this.files.fill(part.place, file);
    else this.files.release(part.place);
    this.resumeIfPossible();
  }

  /** Ends a file that exceeds the limit, after the first byte too many. */
  private cutFile(part: FilePart, start: Buffer): void {
    part.write(start);
    // The storage must complete the file, so that its part can be removed.
    this.part = undefined;
    this.fail(tooLarge(part));
    part.truncate();
  }

  private failWith(code: ErrorCode, field?: string, filename?: string): void {
    this.fail(new MulterError(code, field, filename));
  }

  /** Abandons the form. Complete files are still stored, because only then can they be removed. */
  private fail(error: unknown): void {
    if (this.failure !== undefined || this.isFinished) return;
    this.failure = { error };
    this.parser.stop();
    const { part } = this;
    this.part = undefined;
    this.field = undefined;
    if (part?.state === 'accepted') part.abort(error);
    for (const each of this.pending) {
      if (!each.isStarted) this.settle(each, 'failed');
    }
    this.resumeIfPossible();
    this.finishIfDone();
  }

  private finishIfDone(): void {
    if (this.isFinished || this.pending.size > 0) return;
    if (this.failure !== undefined) {
      this.isFinished = true;
      const { error } = this.failure;
      this.remove(this.stored, errors => {
        if (typeof error === 'object' && error !== null) Reflect.set(error, 'storageErrors', errors);
        this.body.discard(() => this.next(error));
      });
    } else if (this.isInputComplete) {
      this.isFinished = true;
      this.body.finish(() => {
        // Nothing that `next` calls would keep the files, or remove them
        if (EXPIRED in this.req) this.remove(this.stored, () => undefined);
        else this.next();
      });
    }
  }

  /** Removes files, and passes on the errors of the storage. */
  private remove(files: readonly UploadFile[], removed: (errors: Error[]) => void): void {
    const { req, settings } = this;
    const errors: Error[] = [];
    let left = files.length;
    if (left === 0) {
      removed(errors);
      return;
    }
    for (const file of files) {
      let isRemoved = false;
      const done = (error: unknown): void => {
        if (isRemoved) return;
        isRemoved = true;
        if (error) errors.push(Object.assign(error as Error, { file, field: file.fieldname }));
        if (--left === 0) removed(errors);
      };
      run(() => settings.storage._removeFile(req, file, done), done);
    }
  }
}

/** The reason is the error of the deadline, which no error handler gets again. */
interface ExpiredRequest {
  signal: AbortSignal;
}

interface AsyncStorage {
  _handleFile(req: Request, file: UploadFile, stored: Stored): unknown;
}

function tooLarge({ file: { fieldname, originalname } }: FilePart): MulterError {
  return new MulterError('LIMIT_FILE_SIZE', fieldname, originalname);
}

const BOUNDARY_PARAMETER = /;[ \t]*boundary[ \t]*=/i;

/**
 * Returns the boundary of a form (RFC 2046, section 5.1.1).
 * @throws Error for a Content-Type without a usable boundary, or of another type
 */
function boundaryOf(contentType: string): string {
  let parsed: ReturnType<typeof parseContentType>;
  try {
    parsed = parseContentType(contentType);
  } catch {
    throw new Error('Malformed content type');
  }
  const { type, parameters } = parsed;
  if (type !== 'multipart/form-data') throw new Error(`Unsupported content type: ${contentType}`);
  const { boundary } = parameters;
  // If there are two boundaries, software in front of us may have used the other one.
  if (contentType.split(BOUNDARY_PARAMETER).length > 2) throw new Error('Malformed content type');
  if (!boundary) throw new Error('Multipart: Boundary not found');
  if (boundary.length > BOUNDARY_LIMIT) {
    throw new Error(`Multipart: Boundary exceeds ${BOUNDARY_LIMIT} characters`);
  }
  return boundary;
}
