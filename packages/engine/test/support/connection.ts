/** One connection that stays open: what is sent, what is received, and how it ends. */
import { once } from 'node:events';
import net from 'node:net';
import type { Socket } from 'node:net';

export class Connection {
  /** Everything received, as Latin-1. */
  text = '';
  isClosed = false;
  /** When the connection closed, by `performance.now()`. */
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

  /** Sends a GET request for each path, all at once, on a keep-alive connection. */
  get(...paths: string[]): this {
    this.socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    return this;
  }

  /** The status codes of the responses received. */
  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(match => Number(match[1]));
  }

  /** Resolves as soon as the received text matches. */
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

  /** Rejects after half a minute: the timeouts of Node's servers, which are longer, would close a connection left open. */
  async closed(): Promise<this> {
    if (!this.isClosed) await once(this.socket, 'close', { signal: AbortSignal.timeout(30_000) });
    return this;
  }
}
