/** A file that is being uploaded: written as its bytes arrive, and removed if the upload does not complete. */
import { createHash, randomBytes } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { PartHeader } from './part-header';
import { UploadedFile } from './uploaded-file';

export interface FileOptions {
  uploadDir: string;
  keepExtensions: boolean;
  hash: string | undefined;
}

/** The part of an extension that is safe in a path. */
const EXTENSION = /^\.[\w-]{0,16}/;

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
