/** The client of a program: one connection that sends, reads and disconnects as its actions say. */
import net from 'node:net';
import { requestBytes } from '../wire.js';
import type { Action, Stop } from './program.js';

type Watch = NonNullable<Action['watch']>;

/** The number of body bytes after which a client that watches for a body stops. */
const BODY = 200_000;

export class Client {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private head = '';
  private held: Buffer | undefined;
  private watches: { watch: Watch; by: Stop }[] = [];
  private ending = 'open';
  private isCut = false;
  isPaused = false;
  /** Whether bytes may still be sent or received. */
  isOpen = true;
  /** Incremented whenever bytes are received. */
  moved = 0;

  private constructor(private readonly socket: net.Socket) {
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.ends('ended by the server'));
    socket.on('error', (error: NodeJS.ErrnoException) => this.ends(String(error.code)));
    socket.on('close', () => {
      this.ends('closed');
      this.isOpen = false;
    });
  }

  static connect(port: number): Promise<Client> {
    return new Promise(resolve => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () =>
        resolve(new Client(socket)),
      );
    });
  }

  act(action: Action): void {
    if (action.watch) this.watches.push({ watch: action.watch, by: action.by ?? 'destroy' });
    else if (action.send) this.send(Buffer.concat(action.send.map(requestBytes)), action.hold ?? 0);
    else if (action.rest && this.held) this.send(this.held, 0);
    else if (action.read) this.pause(action.read === 'pause');
    else if (action.stop) this.stop(action.stop);
  }

  /** Whether either end has sent bytes that the other has not received yet. */
  isUnderWay(server: net.Socket | undefined): boolean {
    const { socket } = this;
    if (!server) return this.isOpen && socket.bytesWritten > 0;
    if (server.destroyed) return this.isOpen && !this.isPaused;
    if (socket.destroyed || socket.writableEnded) return true;
    const isSent = socket.bytesWritten > server.bytesRead;
    return isSent || (!this.isPaused && (server.bytesWritten > socket.bytesRead || server.writableEnded));
  }

  /** Called by a handler to signal the client. */
  signal(): void {
    this.seen('signal');
  }

  close(): void {
    this.ends('open to the end');
    this.socket.destroy();
  }

  /** Returns what was received, and how the connection ended. */
  received(): string {
    const bytes = this.isCut ? this.head : Buffer.concat(this.chunks).toString('latin1');
    const short = bytes.replace(/(?:abcdefghij){4,}|x{40,}/gi, run => `(${run.length} bytes)`);
    // How much of a body is received before it is cut off depends on timing, too.
    const isShort = /destroy|reset/i.test(this.ending) || isBroken(bytes);
    const end = isShort ? short.replace(/\(\d+ bytes\)\w{0,9}$/, '(bytes)') : short;
    return `${end}\n[${this.ending}]`;
  }

  private send(bytes: Buffer, hold: number): void {
    const sent = Math.max(1, bytes.length - hold);
    this.held = sent < bytes.length ? bytes.subarray(sent) : undefined;
    if (this.socket.writable) this.socket.write(bytes.subarray(0, sent));
  }

  private receive(chunk: Buffer): void {
    this.moved++;
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.chunks.length === 1) this.seen('bytes');
    if (this.watches.length === 0) return;
    if (!this.head.includes('\r\n\r\n')) {
      const text = Buffer.concat(this.chunks).toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      this.head = end < 0 ? text : text.slice(0, end + 4);
      if (end >= 0) this.seen('header block');
    }
    if (this.length >= BODY) this.seen('body');
  }

  private seen(what: Watch): void {
    for (const { by } of this.watches.filter(({ watch }) => watch === what)) {
      // How many bytes were received before depends on timing.
      this.isCut = true;
      this.stop(by);
    }
  }

  private pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }

  private stop(by: Stop): void {
    this.moved++;
    this.watches = [];
    if (by === 'end') {
      this.socket.end();
      return;
    }
    this.ends(`${by} by the client`);
    if (by === 'reset') this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  private ends(how: string): void {
    this.moved++;
    if (this.ending === 'open') this.ending = how;
  }
}

/** Whether the last response is shorter than declared. */
function isBroken(bytes: string): boolean {
  const start = bytes.lastIndexOf('\r\n\r\n') + 4;
  const head = bytes.slice(bytes.lastIndexOf('HTTP/1.', start), start);
  if (/^Transfer-Encoding: chunked\r$/im.test(head)) return !bytes.endsWith('\r\n0\r\n\r\n');
  const length = /^Content-Length: (\d+)\r$/im.exec(head)?.[1];
  return length !== undefined && bytes.length - start < Number(length);
}
