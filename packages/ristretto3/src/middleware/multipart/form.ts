/**
 * Processes an incoming form: reads the body, enforces the limits, collects fields, writes files, and removes them
 * after an error. Fields with names such as `pet[name]` and `tags[]` become objects, as the query parser creates them.
 */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { QueryTree, httpError, parseContentType, splitKey } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';
import type { Request } from '../connect';
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

const KEY_LIMITS = { depth: 5, strictDepth: false };
/** The length of an array whose last index is 20, the greatest that a key may use; repeated names may exceed it. */
const ARRAY_LIMIT = 21;

/**
 * Builds an object from names and values. Names nested deeper than five brackets keep the rest as one key;
 * `__proto__` is left out.
 * @example fieldTree([['a[b]', '1'], ['c', '2'], ['c', '3']]); // { a: { b: '1' }, c: ['2', '3'] }
 */
export function fieldTree(
  fields: readonly (readonly [name: string, value: string])[],
): Record<string, unknown> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  const tree = new QueryTree(Math.max(ARRAY_LIMIT, fields.length));
  for (const [name, values] of byName) {
    tree.insert(splitKey(name, KEY_LIMITS), values.length === 1 ? values[0]! : values);
  }
  return tree.finish();
}

/**
 * Returns the same for values that are not text.
 * @param shown returns the part of a value that is placed in the tree
 * @returns the tree, and the values whose names do not fit into it
 */
function objectTree<T>(
  entries: readonly (readonly [name: string, value: T])[],
  shown: (value: T) => unknown,
): { tree: Record<string, unknown>; lost: T[] } {
  // The tree only supports text, so it is built from the indices of the values, which are then replaced.
  const tree = fieldTree(entries.map(([name], index) => [name, String(index)]));
  const lost = new Set(entries.map(([, value]) => value));
  const fill = (node: unknown): unknown => {
    if (typeof node === 'string') {
      const value = entries[Number(node)]![1];
      lost.delete(value);
      return shown(value);
    }
    for (const [key, member] of Object.entries(node as object)) {
      (node as Record<string, unknown>)[key] = fill(member);
    }
    return node;
  };
  fill(tree);
  return { tree, lost: [...lost] };
}
