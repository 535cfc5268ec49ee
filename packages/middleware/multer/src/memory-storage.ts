/** Keeps files in memory. */
import { Bytes } from './bytes';
import type { Sink } from './file-part';
import type { Request, StorageEngine, Stored, UploadFile } from './types';

export class MemoryStorage implements StorageEngine {
  _handleFile(_req: Request, file: UploadFile, callback: Stored): void {
    const sink = new MemorySink(callback);
    file.stream
      .on('data', (piece: Buffer) => sink.write(piece))
      .on('end', () => sink.end())
      .on('error', error => sink.abort(error));
  }

  _removeFile(_req: Request, file: UploadFile, callback: (error: Error | null) => void): void {
    delete (file as Partial<UploadFile>).buffer;
    callback(null);
  }
}

export class MemorySink implements Sink {
  private readonly bytes = new Bytes();

  constructor(private readonly done: Stored) {}

  write(piece: Buffer): boolean {
    this.bytes.add(piece);
    return true;
  }

  end(): void {
    this.done(null, { buffer: this.bytes.join(), size: this.bytes.size });
  }

  abort(error: unknown): void {
    this.done(error);
  }
}
