/** Files of a form: the entries of `req.files`, and how they are written to disk. */
import { createHash, randomBytes } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { PartHeader } from './parser';

export interface FileOptions {
  uploadDir: string;
  keepExtensions: boolean;
  hash: string | undefined;
}

/** The part of an extension that is safe in a path. */
const EXTENSION = /^\.[\w-]{0,16}/;

/** An uploaded file, as 3.x describes it. It is in a temporary directory: the application moves or removes it. */
class UploadedFile {
  /** The name of the form field. */
  readonly fieldName: string;
  /** The name of the file as the client sent it, without directories. */
  readonly originalFilename: string;
  /** The path of the file. */
  readonly path: string;
  /** The headers of the part, by name in lower case. */
  readonly headers: Record<string, string>;
  /** The size in bytes. */
  size = 0;
  name: string;
  /** The media type that the client sent, or null. */
  type: string | null;
  /** The digest of the content in hexadecimal, if the option `hash` is set. */
  hash: string | null = null;
  /** When the last byte was written. */
  lastModifiedDate: Date | null = null;

  constructor(header: PartHeader, path: string) {
    this.fieldName = header.name;
    this.originalFilename = header.filename!;
    this.path = path;
    this.headers = header.fields;
    this.name = header.filename!;
    this.type = header.type;
  }

  /** The same as `size`. */
  get length(): number {
    return this.size;
  }

  /** The same as `name`. */
  get filename(): string {
    return this.name;
  }

  /** The same as `type`. */
  get mime(): string | null {
    return this.type;
  }
}

/** A file that is being uploaded: written as its bytes arrive, and removed if the upload does not complete. */
export class TemporaryFile {
  private constructor(
    readonly file: UploadedFile,
    private readonly handle: FileHandle,
    private readonly hash: Hash | undefined,
  ) {}

  /** Creates the file, under an unguessable name; the umask determines its permissions. */
  static async create(header: PartHeader, options: FileOptions): Promise<TemporaryFile> {
    const extension = options.keepExtensions ? EXTENSION.exec(extname(header.filename!))?.[0] : undefined;
    const name = randomBytes(16).toString('hex') + (extension ?? '');
    const path = join(options.uploadDir, name);
    const hash = options.hash === undefined ? undefined : createHash(options.hash);
    return new TemporaryFile(new UploadedFile(header, path), await open(path, 'wx'), hash);
  }

  async write(chunk: Buffer): Promise<void> {
    for (let written = 0; written < chunk.length;) {
      written += (await this.handle.write(chunk, written)).bytesWritten;
    }
    this.hash?.update(chunk);
    this.file.size += chunk.length;
  }

  async finish(): Promise<void> {
    await this.handle.close();
    this.file.hash = this.hash?.digest('hex') ?? null;
    this.file.lastModifiedDate = new Date();
  }

  /** Closes and removes it. Errors are ignored: the file is already gone, or cannot be removed. */
  async remove(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.file.path, { force: true }).catch(() => undefined);
  }
}
