/** Forms, servers that receive them, and clients that send them in chunks or disconnect. */
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { portOf } from '../../../../engine/test/support/http.js';

export const BOUNDARY = 'AaB03x';
export const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
export const END = `--${BOUNDARY}--\r\n`;

/** A part with this header. */
export function part(header: string, value: string): string {
  return `--${BOUNDARY}\r\n${header}\r\n\r\n${value}\r\n`;
}

export function field(name: string, value: string): string {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}

export function file(name: string, filename: string, value: string, type = 'text/plain'): string {
  return part(
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}`,
    value,
  );
}

/** The members of requests, errors and files that tests need, whatever their types. */
export interface Received extends IncomingMessage {
  body: Record<string, unknown>;
  file?: Record<string, unknown> | undefined;
  files?: unknown;
}
export interface Failure extends Error {
  code?: string;
  field?: string;
  filename?: string;
  storageErrors?: (Error & { field?: string; file?: unknown })[];
}
export type Middleware = (req: never, res: never, next: (error?: unknown) => void) => void;

/** What a server observes of a request. */
export interface Outcome {
  req: Received;
  error: Failure | undefined;
  /** Remaining listeners on the request, by event. */
  listeners: Record<string, number>;
}

/** A server with one middleware, and its observations. */
export class Server {
  readonly outcomes: Outcome[] = [];
  /** Requests that have arrived. */
  requests = 0;
  private waiting: (() => void)[] = [];

  private constructor(readonly port: number) {}

  static async start(t: TestContext, middleware: Middleware): Promise<Server> {
    const servers: Server[] = [];
    const server = http.createServer((req: IncomingMessage, res: ServerResponse) => {
      servers[0]!.requests++;
      const before = listenersOf(req);
      middleware(req as never, res as never, error => {
        const after = listenersOf(req);
        const listeners = Object.fromEntries(
          Object.entries(after).filter(([name, count]) => count > (before[name] ?? 0)),
        );
        servers[0]!.outcomes.push({ req: req as Received, error: error as Failure | undefined, listeners });
        for (const wake of servers[0]!.waiting.splice(0)) wake();
        res.statusCode = error ? 500 : 200;
        res.end(error ? String(error) : 'ok');
      });
    });
    const port = await portOf(server.listen(0, '127.0.0.1'));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    servers.push(new Server(port));
    return servers[0]!;
  }

  /** Sends a form and returns the server's observations. */
  async send(body: string | Buffer, headers: Record<string, string> = {}): Promise<Outcome> {
    const request = http.request({
      port: this.port,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': TYPE, ...headers },
    });
    request.end(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return this.outcomes[this.outcomes.length - 1]!;
  }

  /** Opens a connection, and sends the header of a request with a body of this length. */
  connect(length: number): net.Socket {
    const socket = net.connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${length}\r\n\r\n`);
    return socket;
  }

  /** Resolves with the next outcome. */
  async next(): Promise<Outcome> {
    const count = this.outcomes.length;
    while (this.outcomes.length === count) await new Promise<void>(resolve => this.waiting.push(resolve));
    return this.outcomes[count]!;
  }
}

function listenersOf(req: IncomingMessage): Record<string, number> {
  return Object.fromEntries(req.eventNames().map(name => [String(name), req.listenerCount(name)]));
}

/** Creates a directory that is removed after the test. */
export function directory(t: TestContext): { dest: string; left: () => string[] } {
  const dest = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-multer-'));
  t.after(() => fs.rmSync(dest, { recursive: true, force: true }));
  return { dest, left: () => fs.readdirSync(dest) };
}

/** The number of open descriptors of files in a directory. */
export function openFiles(dest: string): number {
  let count = 0;
  for (const fd of fs.readdirSync('/proc/self/fd')) {
    try {
      if (fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(dest)) count++;
    } catch {
      // It was closed in the meantime.
    }
  }
  return count;
}
