/**
 * Processes an incoming form: reads the body, enforces the limits, collects fields, writes files, and removes them
 * after an error.
 */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { httpError, parseContentType } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';
import type { Request } from '../connect';
import { fieldTree, objectTree } from './field-tree';
import type { MultipartPolicy } from './options';
import { FormParser, malformed } from './parser';
import type { FormEvent, PartHeader } from './parser';
import { TemporaryFile } from './uploaded-file';

/** The stream passed to listeners of `part`: a file, which is then not written to disk, or the value of a field. */
export interface Part extends PassThrough {
  name: string;
  /** Undefined for a field. */
  filename: string | undefined;
  headers: Record<string, string>;
}

/** The destination of a part's content. */
interface Target {
  write(chunk: Buffer): Promise<void> | void;
  finish(): Promise<void> | void;
  /** Called if the content is truncated. */
  abort?(): void;
}

/**
 * `req.form`, if processing is deferred. It emits `progress` (bytes received, bytes expected), `field` (name, value),
 * `file` (name, file), `part` (a stream, for files and fields), and at the end `error` or `close`.
 */
export class Form extends EventEmitter {
  private readonly fields: [string, string][] = [];
  private readonly files: [string, TemporaryFile][] = [];
  private target: Target | undefined;
  private received = 0;
  private fieldCount = 0;
  private fieldsSize = 0;
  private fileCount = 0;
  private filesSize = 0;

  constructor(private readonly policy: MultipartPolicy) {
    super();
  }

  /**
   * Reads the whole body into `req.body` and `req.files`.
   * @throws an error with a status of 4xx for an invalid body, or the error of the file system; the files are then
   * removed
   */
  async read(req: Request): Promise<void> {
    try {
      await this.readBody(req);
      const { tree, lost } = objectTree(this.files, temporary => temporary.file);
      // The application cannot remove a file that it does not see.
      await Promise.all(lost.map(temporary => temporary.remove()));
      req.body = fieldTree(this.fields);
      (req as { files?: unknown }).files = tree;
    } catch (error) {
      this.target?.abort?.();
      await Promise.all(this.files.map(([, temporary]) => temporary.remove()));
      throw error;
    }
  }

  private async readBody(req: Request): Promise<void> {
    const length = req.headers['content-length'];
    const expected = length === undefined ? null : Number(length);
    if (expected !== null && expected > this.policy.limit) throw tooMuch('limit', this.policy.limit);
    const parser = new FormParser(boundaryOf(req.headers['content-type']!));
    // After an error ends the loop, the rest of the body must still be readable, so that it can be discarded.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.received += chunk.length;
      if (this.received > this.policy.limit) throw tooMuch('limit', this.policy.limit);
      this.emit('progress', this.received, expected);
      for (const event of parser.push(chunk)) {
        const done = this.take(event);
        if (done !== undefined) await done;
      }
    }
    parser.assertComplete();
  }

  private take(event: FormEvent): Promise<void> | void {
    switch (event.type) {
      case 'begin':
        return this.begin(event.header);
      case 'data':
        return this.target!.write(event.chunk);
      case 'end':
        return this.finish();
    }
  }

  private begin(header: PartHeader): Promise<void> | void {
    if (header.filename === undefined) {
      if (++this.fieldCount > this.policy.maxFields) throw tooMuch('maxFields', this.policy.maxFields);
      this.target = this.fieldTarget(header);
      return;
    }
    if (++this.fileCount > this.policy.maxFiles) throw tooMuch('maxFiles', this.policy.maxFiles);
    if (this.listenerCount('part') > 0) this.target = this.partTarget(header);
    else return this.openFile(header);
  }

  private async finish(): Promise<void> {
    const { target } = this;
    await target!.finish();
    this.target = undefined;
  }

  private fieldTarget(header: PartHeader): Target {
    const { name } = header;
    const chunks: Buffer[] = [];
    const part = this.listenerCount('part') > 0 ? this.emitPart(header) : undefined;
    return {
      write: chunk => {
        this.fieldsSize += chunk.length;
        if (this.fieldsSize > this.policy.maxFieldsSize)
          throw tooMuch('maxFieldsSize', this.policy.maxFieldsSize);
        chunks.push(chunk);
        // maxFieldsSize limits how much is buffered for a slow listener
        if (part?.destroyed === false) part.write(chunk);
      },
      finish: () => {
        part?.end();
        const value = Buffer.concat(chunks).toString();
        this.fields.push([name, value]);
        this.emit('field', name, value);
      },
      abort: () => void part?.destroy(),
    };
  }

  private async openFile(header: PartHeader): Promise<void> {
    const temporary = await TemporaryFile.create(header, this.policy);
    this.files.push([header.name, temporary]);
    this.target = {
      write: chunk => {
        this.countFileBytes(chunk);
        return temporary.write(chunk);
      },
      finish: async () => {
        await temporary.finish();
        this.emit('file', header.name, temporary.file);
      },
    };
  }

  private partTarget(header: PartHeader): Target {
    const part = this.emitPart(header);
    return {
      write: async chunk => {
        this.countFileBytes(chunk);
        // A destroyed stream takes no more data; and a wrapped `write` may return nothing.
        if (part.destroyed || (part.write(chunk) as unknown) !== false) return;
        const stop = new AbortController();
        const { signal } = stop;
        await Promise.race([once(part, 'drain', { signal }), once(part, 'close', { signal })]).finally(() =>
          stop.abort(),
        );
      },
      finish: () => void part.end(),
      abort: () => void part.destroy(),
    };
  }

  private emitPart({ name, filename, fields }: PartHeader): Part {
    const part = Object.assign(new PassThrough(), { name, filename, headers: fields });
    this.emit('part', part);
    return part;
  }

  private countFileBytes(chunk: Buffer): void {
    this.filesSize += chunk.length;
    if (this.filesSize > this.policy.maxFilesSize) throw tooMuch('maxFilesSize', this.policy.maxFilesSize);
  }
}

function boundaryOf(contentType: string): string | undefined {
  const { type, parameters } = parseContentType(contentType);
  if (type !== 'multipart/form-data') throw malformed(`unrecognized content-type: ${contentType}`);
  return parameters.boundary;
}

function tooMuch(option: string, most: number): HttpError {
  return httpError(413, `${option} ${String(most)} exceeded`, { limit: most, type: 'entity.too.large' });
}
