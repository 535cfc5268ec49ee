/** A file as it arrives: buffered until the application has decided about it, and then passed on to its storage. */
import { getDefaultHighWaterMark, Readable } from 'node:stream';
import type { UploadFile } from './types';

/** The receiver of a file's content. */
export interface Sink {
  /** Receives a chunk. Returns false if no more should be sent until it calls `drained`. */
  write(piece: Buffer): boolean;
  /** The file is complete. */
  end(): void;
  /** The rest of the file will not arrive. */
  abort(error: unknown): void;
}

/** `file.stream`: what storages read. */
export class FileStream extends Readable implements Sink {
  /** Whether the file exceeds `limits.fileSize`, and only its start is here. */
  truncated = false;

  constructor(
    highWaterMark: number | undefined,
    private readonly drained: () => void,
  ) {
    super(highWaterMark === undefined ? {} : { highWaterMark });
    // A storage may work without a listener.
    this.on('error', () => undefined);
    this.on('close', drained);
  }

  override _read(): void {
    this.drained();
  }

  write(piece: Buffer): boolean {
    return this.destroyed || this.push(piece);
  }

  end(): void {
    if (!this.destroyed) this.push(null);
  }

  abort(error: unknown): void {
    this.destroy(error as Error);
  }

  /** Discards content that a storage has left unread, because nothing would ever read it. */
  discard(): void {
    if (this.readableFlowing === null && this.listenerCount('readable') === 0) this.resume();
  }
}

/** A file of a form, from its header to the end of its storage. */
export class FilePart {
  /** `failed` includes refused. */
  state: 'undecided' | 'accepted' | 'stored' | 'failed' = 'undecided';
  /** Bytes received. */
  size = 0;
  /** Whether it has exceeded `limits.fileSize` while undecided: refused files may be of any size. */
  isTooLarge = false;
  private sink: Sink | undefined = undefined;
  private early: Buffer[] = [];
  private earlySize = 0;
  private isDiscarded = false;
  private isEnded = false;
  private isFull = false;

  /**
   * @param place the entry of the file in `req.files`
   * @param buffered the bytes that are buffered while the application decides: as many as by the stream of the original,
   * because what follows is read only after the decision
   * @param drained called when more may be written
   */
  constructor(
    readonly file: UploadFile,
    readonly place: UploadFile,
    private readonly buffered = getDefaultHighWaterMark(false),
    private readonly drained: () => void,
  ) {}

  get isSettled(): boolean {
    return this.state === 'stored' || this.state === 'failed';
  }

  /** Whether a storage has received content, so that the file may exist. */
  get isStarted(): boolean {
    return this.sink !== undefined;
  }

  /** Whether no more should be written for now. */
  get mustWait(): boolean {
    return this.isFull;
  }

  write(piece: Buffer): void {
    this.size += piece.length;
    if (this.isDiscarded) return;
    if (this.sink !== undefined) {
      this.isFull = !this.sink.write(piece);
      return;
    }
    this.early.push(piece);
    this.earlySize += piece.length;
    this.isFull = this.earlySize >= this.buffered;
  }

  end(): void {
    this.isEnded = true;
    if (!this.isDiscarded) this.sink?.end();
  }

  /** Ends the file early, because it is too large. */
  truncate(): void {
    const { sink } = this;
    if (sink instanceof FileStream) {
      sink.truncated = true;
      sink.emit('limit');
    }
    this.end();
  }

  /** Passes on the content from its start. */
  pipeTo(sink: Sink): void {
    const { early } = this;
    this.early = [];
    this.sink = sink;
    this.isFull = false;
    for (const piece of early) this.isFull = !sink.write(piece);
    if (this.isEnded) sink.end();
    else if (!this.isFull) this.drained();
  }

  /** The sink calls this when it can take more. */
  readonly resume = (): void => {
    this.isFull = false;
    this.drained();
  };

  /** Abandons the file; the rest of its content is ignored. */
  abort(error: unknown): void {
    this.ignoreRest();
    this.sink?.abort(error);
  }

  /** Ignores content that will not be read any more, or that nothing has started to read. */
  discardUnread(): void {
    if (this.sink === undefined) this.ignoreRest();
    else if (this.sink instanceof FileStream) this.sink.discard();
  }

  private ignoreRest(): void {
    this.early = [];
    this.isDiscarded = true;
    this.resume();
  }
}
