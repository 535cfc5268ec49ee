/** Reads the bytes of one connection from the server as messages, without keeping their bodies. */
import { Head, parseField } from './exchange.js';
import type { Field, Framing } from './exchange.js';

/** The state of the message being read. */
export interface Message {
  head: Head;
  framing: Framing;
  length: number;
  trailers: Field[];
}

export interface Listener {
  /** Handles a complete header block. Returns whether the message has a body at all. */
  onHead(head: Head): boolean;
  onMessage(message: Message): void;
  /** Bytes that fit no framing rule. */
  onBroken(wrong: string, message: Message | undefined): void;
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'close' | 'ignored';

/** A header block longer than this many bytes is not one. */
const LONGEST_HEAD = 1 << 20;

export class MessageStream {
  private state: State = 'head';
  private rest = Buffer.alloc(0);
  private message: Message | undefined;
  private missing = 0;

  constructor(private readonly listener: Listener) {}

  /** The message that has begun and not ended. */
  get open(): Message | undefined {
    return this.message;
  }

  /** Nothing further on this connection should be read: it was upgraded, or is written to by hand. */
  ignore(): void {
    this.state = 'ignored';
    this.message = undefined;
    this.rest = Buffer.alloc(0);
  }

  /** Discards the open message: the server regards it as sent. */
  abandon(): void {
    this.state = 'head';
    this.message = undefined;
    this.rest = Buffer.alloc(0);
  }

  feed(bytes: Buffer): void {
    let chunk = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = Buffer.alloc(0);
    while (chunk.length > 0 && this.state !== 'ignored') {
      const used = this.step(chunk);
      if (used < 0) {
        this.rest = Buffer.from(chunk);
        return;
      }
      chunk = chunk.subarray(used);
    }
  }

  /** Handles the end of the connection. Returns the incomplete message, if any. */
  end(): Message | undefined {
    const { message } = this;
    if (message !== undefined && this.state === 'close') {
      this.finish();
      return undefined;
    }
    return message;
  }

  /** Reads what it can from the front; -1 if more is needed. */
  private step(chunk: Buffer): number {
    switch (this.state) {
      case 'head':
        return this.readHead(chunk);
      case 'length':
      case 'chunk':
        return this.readCounted(chunk);
      case 'close':
        this.message!.length += chunk.length;
        return chunk.length;
      case 'chunk-end':
        return this.readLine(chunk, line => {
          if (line !== '') this.broken(`a chunk is followed by ${JSON.stringify(line.slice(0, 40))}`);
          else this.state = 'size';
        });
      case 'size':
        return this.readLine(chunk, line => this.readSize(line));
      case 'trailers':
        return this.readLine(chunk, line => {
          if (line === '') this.finish();
          else this.message!.trailers.push(parseField(line));
        });
      case 'ignored':
        return chunk.length;
    }
  }

  private readHead(chunk: Buffer): number {
    const begin = chunk.toString('latin1', 0, 5);
    if (!'HTTP/'.startsWith(begin)) {
      const shown = JSON.stringify(chunk.toString('latin1', 0, 40));
      this.broken(`${chunk.length} bytes after the end of the message: ${shown}`);
      return chunk.length;
    }
    const end = chunk.indexOf('\r\n\r\n');
    if (end < 0) {
      if (chunk.length > LONGEST_HEAD) this.broken('a header block without an end');
      return -1;
    }
    this.begin(new Head(chunk.toString('latin1', 0, end)));
    return end + 4;
  }

  private begin(head: Head): void {
    const hasBody = this.listener.onHead(head);
    // The listener may have found that the bytes are not to be read
    if ((this.state as State) === 'ignored') return;
    this.message = { head, framing: 'none', length: 0, trailers: [] };
    if (!hasBody) {
      this.finish();
    } else if (head.list('transfer-encoding').at(-1) === 'chunked') {
      this.message.framing = 'chunked';
      this.state = 'size';
    } else if (head.has('content-length') && !head.has('transfer-encoding')) {
      this.message.framing = 'length';
      this.missing = Number(head.get('content-length'));
      if (!Number.isSafeInteger(this.missing) || this.missing < 0)
        this.broken('a Content-Length that is no length');
      else if (this.missing === 0) this.finish();
      else this.state = 'length';
    } else {
      this.message.framing = 'close';
      this.state = 'close';
    }
  }

  private readCounted(chunk: Buffer): number {
    const used = Math.min(this.missing, chunk.length);
    this.missing -= used;
    this.message!.length += used;
    if (this.missing > 0) return used;
    if (this.state === 'chunk') this.state = 'chunk-end';
    else this.finish();
    return used;
  }

  private readSize(line: string): void {
    // chunk-size [ chunk-ext ]: RFC 9112, section 7.1
    const match = /^([0-9A-Fa-f]+)(?:[ \t]*;.*)?$/.exec(line);
    if (!match) {
      this.broken(`a chunk of the size ${JSON.stringify(line.slice(0, 40))}`);
      return;
    }
    this.missing = Number.parseInt(match[1]!, 16);
    this.state = this.missing === 0 ? 'trailers' : 'chunk';
  }

  private readLine(chunk: Buffer, use: (line: string) => void): number {
    const end = chunk.indexOf('\r\n');
    if (end < 0) return -1;
    use(chunk.toString('latin1', 0, end));
    return end + 2;
  }

  private finish(): void {
    const message = this.message!;
    this.message = undefined;
    this.state = 'head';
    this.listener.onMessage(message);
  }

  private broken(wrong: string): void {
    const { message } = this;
    this.ignore();
    this.listener.onBroken(wrong, message);
  }
}
