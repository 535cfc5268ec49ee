/** Opens WebSockets to the applications of each version with the client of `ws`, and with bytes. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import net from 'node:net';
import type { Server } from 'node:net';
import web from 'ristretto';
import web3 from 'ristretto3';
import web5 from 'ristretto5';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { portOf } from './http.js';

type App = ReturnType<typeof web>;

/** Applications by version, with the types of 4.x; what differs is not used here. */
export const versions = Object.entries({ 3: web3, 4: web, 5: web5 } as unknown as Record<
  string,
  typeof web
>).map(([version, make]) => ({ version, make: () => make().set('env', 'test'), web: make }));

/** The observations of a client about a socket, or about the response that rejected it. */
export interface Seen {
  /** The response, if there is no socket. */
  status?: number;
  headers: IncomingMessage['headers'];
  text?: string;
  messages: string[];
  code?: number;
  reason?: string;
}

/** Listens on a free port while `use` runs. */
export async function withSockets<T>(
  app: App | Server,
  use: (port: number, server: Server) => Promise<T>,
): Promise<T> {
  const server = app instanceof net.Server ? app : http.createServer(app as RequestListener);
  const port = await portOf(server.listen(0, '127.0.0.1'));
  try {
    return await use(port, server);
  } finally {
    for (const { socket } of clients) socket.terminate();
    clients.clear();
    (server as Partial<http.Server>).closeAllConnections?.();
    server.close();
  }
}

const clients = new Set<Client>();

/** A client, and its observations. Never emits an error, and is terminated with the server. */
export class Client {
  readonly seen: Seen = { headers: {}, messages: [] };
  readonly socket: WebSocket;
  /** Fulfilled when the socket is open, or rejected. */
  readonly ready: Promise<Seen>;
  /** Fulfilled when the connection is over. */
  readonly over: Promise<Seen>;

  constructor(url: string, options: ClientOptions & { protocols?: string[] } = {}) {
    const { protocols = [], ...rest } = options;
    const { seen } = this;
    clients.add(this);
    this.socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...rest });
    this.socket.on('error', () => undefined);
    this.socket.on('upgrade', ({ headers }) => (seen.headers = headers));
    this.socket.on('message', data => {
      seen.messages.push(String(data as Buffer));
      this.socket.emit('seen');
    });
    const refused = new Promise<void>(resolve => {
      this.socket.on('unexpected-response', (_request, response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('close', () => {
          Object.assign(seen, { status: response.statusCode, headers: response.headers, text });
          resolve();
        });
      });
    });
    const closed = new Promise<void>(resolve => {
      this.socket.on('close', (code, reason) => {
        Object.assign(seen, { code, reason: reason.toString() });
        resolve();
      });
    });
    const opened = new Promise(resolve => this.socket.on('open', resolve));
    this.ready = Promise.race([opened, refused, closed]).then(() => seen);
    this.over = Promise.race([refused, closed]).then(() => seen);
  }

  /** Waits until this many messages have arrived. */
  async received(count: number): Promise<string[]> {
    while (this.seen.messages.length < count) await once(this.socket, 'seen');
    return this.seen.messages;
  }
}

export const open = (port: number, path: string, options?: ConstructorParameters<typeof Client>[1]): Client =>
  new Client(`ws://127.0.0.1:${String(port)}${path}`, options);

/** Sends a request for a WebSocket as bytes. Resolves with everything that arrives until the connection ends. */
export async function handshake(port: number, lines: readonly string[], more = ''): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.on('error', () => undefined);
  socket.write(`${[...lines, '', ''].join('\r\n')}${more}`, 'latin1');
  await once(socket, 'close');
  return text;
}

export const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/** The lines of a request for a WebSocket. */
export const requestLines = (path: string, ...more: string[]): string[] => [
  `GET ${path} HTTP/1.1`,
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  `Sec-WebSocket-Key: ${KEY}`,
  'Sec-WebSocket-Version: 13',
  ...more,
];

// Frames of WebSocket clients, byte by byte (RFC 6455, section 5.2).

/** The opcodes of section 11.8, and the bit of a last frame. */
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;
export const FIN = 0x80;

interface FrameOptions {
  /** The four bytes of the mask as a number; undefined for none. Zeros by default. */
  mask?: number | undefined;
  /** The length in the header, by default that of the payload. */
  length?: number;
}

/** Creates a frame from its first byte and its payload. */
export function frame(first: number, payload: string | Buffer = '', options: FrameOptions = {}): Buffer {
  const { mask, length } = { mask: 0, ...options };
  const bytes = Buffer.from(payload as string);
  const size = length ?? bytes.length;
  const isMasked = mask === undefined ? 0 : 0x80;
  const header = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  header[0] = first;
  header[1] = isMasked | (size < 126 ? size : size < 65_536 ? 126 : 127);
  if (header.length === 4) header.writeUInt16BE(size, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(size), 2);
  if (mask === undefined) return Buffer.concat([header, bytes]);
  const key = Buffer.alloc(4);
  key.writeUInt32BE(mask >>> 0);
  if (mask !== 0) for (let i = 0; i < bytes.length; i++) bytes[i]! ^= key[i % 4]!;
  return Buffer.concat([header, key, bytes]);
}
