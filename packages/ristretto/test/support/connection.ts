/** One connection that stays open: what is sent, what came, and how it ended. */
import { once } from 'node:events';
import net from 'node:net';
import type { Socket } from 'node:net';

export class Connection {
  /** Everything that came, as Latin-1. */
  text = '';
  isClosed = false;
  /** When it was closed, by `performance.now()`. */
  closedAt = NaN;
  error: NodeJS.ErrnoException | undefined;

  constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => (this.text += piece));
    socket.on('error', (error: NodeJS.ErrnoException) => (this.error = error));
    socket.on('close', () => {
      this.isClosed = true;
      this.closedAt = performance.now();
    });
  }

  /** Connects to a port of the loopback address. */
  static async open(port: number): Promise<Connection> {
    const connection = new Connection(net.connect(port, '127.0.0.1'));
    await once(connection.socket, 'connect');
    return connection;
  }

  /** Sends a GET request for the path, or several at once, on a connection that is kept. */
  get(...paths: string[]): this {
    this.socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    return this;
  }

  /** The status codes of the answers that came. */
  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(match => Number(match[1]));
  }

  /** Resolves when so much has come that the text matches. */
  async until(pattern: RegExp): Promise<this> {
    while (!pattern.test(this.text)) {
      if (this.isClosed) throw new Error(`closed before ${String(pattern)} came: ${this.text}`);
      await new Promise<void>(resolve => {
        const go = (): void => {
          this.socket.off('data', go).off('close', go);
          resolve();
        };
        this.socket.on('data', go).on('close', go);
      });
    }
    return this;
  }

  async closed(): Promise<this> {
    if (!this.isClosed) await once(this.socket, 'close');
    return this;
  }
}
