/**
 * A common interface for the kinds of bodies that `res.send` reads in chunks. They are recognized by their tags and
 * members, not by their classes, because test runners and polyfills have their own classes.
 */
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { types } from 'node:util';
import { bufferOf } from '../../protocol/bytes';

/** A source of the chunks of a body. */
export interface BodySource {
  /** The media type, if the body has its own. */
  readonly type?: string;
  /** The length in bytes, if it is known in advance. */
  readonly length?: number;
  /** The `Response` to which the body belongs. */
  readonly response?: ResponseLike;
  /** Reads the next chunk. @throws TypeError if the source cannot be read at all */
  read(): Promise<Step>;
  /** Releases the source, even if it has ended. Never throws, and never rejects. */
  cancel(): void;
}

/** The members of a `Response` that are read. */
export interface ResponseLike {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null };
  readonly body: object | null;
  readonly bodyUsed: boolean;
}

interface BlobLike {
  readonly size: number;
  readonly type: string;
  stream(): ReadableStream;
}

type Step = IteratorResult<unknown, unknown>;

interface AnyIterator {
  next(): Step | Promise<Step>;
  return?(): unknown;
}

/** The members that streams of Node, readable-stream and minipass share. */
interface IterableStream extends AsyncIterable<unknown> {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
}

/** The members that identify the kind of a body. */
type Shape = Partial<
  { toJSON: unknown } & ReadableStream &
    NodeJS.ReadableStream &
    BlobLike &
    ResponseLike &
    Pick<AnyIterator, 'next'>
>;

/**
 * Returns what to send for an object: bytes, or a source of chunks.
 * @returns undefined for what is sent as JSON, which includes every object with `toJSON`
 */
export function contentOf(body: object): Buffer | BodySource | undefined {
  const shape = body as Shape;
  if (typeof shape.toJSON === 'function') return undefined;
  return bytesOf(body) ?? sourceOf(shape);
}

/** Returns the bytes of a buffer or a view, without copying. */
export function bytesOf(value: unknown): Buffer | undefined {
  if (ArrayBuffer.isView(value)) return bufferOf(value);
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined;
}

function sourceOf(shape: Shape): BodySource | undefined {
  switch (Object.prototype.toString.call(shape)) {
    case '[object ReadableStream]':
      return new WebSource(shape as ReadableStream);
    case '[object Blob]':
    case '[object File]':
      return typeof shape.stream === 'function' ? ofBlob(shape as BlobLike) : undefined;
    case '[object Response]':
      return typeof shape.status === 'number' ? ofResponse(shape as ResponseLike) : undefined;
    default:
  }
  // A writable-only stream has no `readable`.
  const isStream = typeof shape.pipe === 'function' && typeof shape.on === 'function' && 'readable' in shape;
  return isStream
    ? new NodeSource(shape as NodeJS.ReadableStream)
    : ofIterable(shape as Partial<AnyIterator>);
}

/** Sync iterables are accepted only if they are iterators, such as generators: arrays, maps and the like are data. */
function ofIterable(shape: Partial<AnyIterator>): BodySource | undefined {
  const makeAsync = (shape as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  if (typeof makeAsync === 'function') return new IteratorSource(makeAsync.call(shape));
  const make = (shape as Partial<Iterable<unknown>>)[Symbol.iterator];
  if (typeof make !== 'function' || typeof shape.next !== 'function') return undefined;
  return new IteratorSource(make.call(shape));
}

function ofBlob(blob: BlobLike): BodySource {
  const source = new WebSource(blob.stream());
  return Object.assign(source, { type: blob.type, length: blob.size });
}

function ofResponse(response: ResponseLike): BodySource {
  const { body, bodyUsed, status } = response;
  if (bodyUsed) throw new TypeError('The body of the Response passed to res.send has already been read');
  if (status === 0) throw new TypeError('Expected a Response with a status, got Response.error()');
  const source = sourceOf((body ?? [].values()) as Shape)!;
  return Object.assign(source, { response });
}

/** A web `ReadableStream`. */
class WebSource implements BodySource {
  private reader: ReadableStreamDefaultReader | undefined;

  constructor(private readonly stream: ReadableStream) {}

  read(): Promise<Step> {
    this.reader ??= this.stream.getReader();
    return this.reader.read() as Promise<Step>;
  }

  cancel(): void {
    // A stream with another reader stays locked, so `cancel` rejects.
    (this.reader ?? this.stream).cancel().catch(() => undefined);
  }
}

/** A Node.js stream, or one of a package with the same interface. */
class NodeSource implements BodySource {
  private readonly stream: IterableStream;
  private iterator: AsyncIterator<unknown> | undefined;

  constructor(stream: IterableStream | NodeJS.ReadableStream) {
    // Old-style streams are not iterable.
    const isNew = 'destroy' in stream && Symbol.asyncIterator in stream;
    this.stream = isNew ? stream : new Readable({ objectMode: true }).wrap(stream);
  }

  read(): Promise<Step> {
    this.iterator ??= this.stream[Symbol.asyncIterator]();
    return this.iterator.next();
  }

  cancel(): void {
    // Errors from now on are not errors of the response.
    this.stream.on('error', () => undefined);
    this.stream.destroy();
  }
}

/** An iterator, sync or async. */
class IteratorSource implements BodySource {
  private hasEnded = false;

  constructor(private readonly iterator: AnyIterator) {}

  async read(): Promise<Step> {
    const { done, value } = await this.step();
    if (done) this.hasEnded = true;
    // A sync iterator may return promises.
    return { done: done === true, value: await value };
  }

  private async step(): Promise<Step> {
    try {
      return await this.iterator.next();
    } catch (error) {
      this.hasEnded = true;
      throw error;
    }
  }

  cancel(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    void this.finish();
  }

  private async finish(): Promise<void> {
    try {
      await this.iterator.return?.();
    } catch {
      // Errors during the release are not errors of the response.
    }
  }
}
