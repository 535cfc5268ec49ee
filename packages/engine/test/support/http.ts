/**
 * HTTP client for tests. Over HTTP/1.1 it works with raw bytes, so that tests assert exactly what is sent in each
 * direction. `ask` and `askPort` use HTTP/2 if `transport.ts` says so.
 */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { isHttp1Only } from './http1-only.js';
import { askHttp2Port, startTwin, twinOf } from './transport.js';

export interface Answer {
  status: number;
  reason: string;
  /** Headers as received: order, spelling and duplicates. */
  rawHeaders: [string, string][];
  /** The first value of each header, by lower-case name. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  /** Every byte received, head and body. */
  raw: string;
}

/** Returns one member of each value, for example of each response. */
export function each<T, M extends keyof T>(values: readonly T[], member: M): T[M][] {
  return values.map(value => value[member]);
}

export interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void;

/** Returns the port of a server, once it listens. */
export async function portOf(server: net.Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Runs `use` with a server on a free port of the loopback address, and closes it afterwards. */
export async function withServer<T>(
  handler: Handler | http.Server,
  use: (port: number, server: http.Server) => Promise<T>,
): Promise<T> {
  const server = handler instanceof http.Server ? handler : http.createServer(handler);
  const port = await portOf(server.listening ? server : server.listen(0, '127.0.0.1'));
  const closeTwin = await startTwin(handler, port);
  try {
    return await use(port, server);
  } finally {
    await closeTwin();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
}

/** Sends one request to an application on a new server and resolves with the whole response. */
export function ask(handler: Handler | http.Server, options: Ask | string = {}): Promise<Answer> {
  return withServer(handler, port => askPort(port, options));
}

/** Sends one request to `port` on a new connection and resolves with the whole response. */
export function askPort(port: number, options: Ask | string = {}): Promise<Answer> {
  const asked: Ask = typeof options === 'string' ? { path: options } : options;
  const twin = twinOf(port);
  if (twin !== undefined && !isHttp1Only(asked)) return askHttp2Port(twin, asked);
  const { method = 'GET', path = '/', headers = {}, body } = asked;
  const lines = [`${method} ${path} HTTP/1.1`];
  const names = Object.keys(headers).map(name => name.toLowerCase());
  if (!names.includes('host')) lines.push('Host: 127.0.0.1');
  if (!names.includes('connection')) lines.push('Connection: close');
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
  }
  const payload = body === undefined ? undefined : Buffer.from(body);
  if (payload && !names.includes('content-length') && !names.includes('transfer-encoding')) {
    lines.push(`Content-Length: ${String(payload.length)}`);
  }
  const head = Buffer.from(lines.join('\r\n') + '\r\n\r\n', 'latin1');
  return exchange(port, payload ? Buffer.concat([head, payload]) : head, method);
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function exchange(port: number, bytes: string | Buffer, method = 'GET'): Promise<Answer> {
  return parseAnswer(await exchangeRaw(port, bytes), method);
}

/** Sends raw bytes; resolves with everything received until the connection closes. */
export function exchangeRaw(port: number, bytes: string | Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    // Long enough for a machine on which eight other programs compete for two processors.
    socket.setTimeout(60_000, () => socket.destroy(new Error('no end of the answer after 60 s')));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', error => {
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/**
 * Splits the bytes of one response into status, headers and body (length-delimited, chunked, or until the connection
 * closes).
 */
function parseAnswer(bytes: Buffer, method = 'GET'): Answer {
  const split = bytes.indexOf('\r\n\r\n');
  if (split < 0) throw new Error(`no complete answer: ${JSON.stringify(bytes.toString('latin1'))}`);
  const [statusLine = '', ...fieldLines] = bytes.toString('latin1', 0, split).split('\r\n');
  const match = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(statusLine);
  if (!match) throw new Error(`bad status line: ${statusLine}`);
  const rawHeaders = fieldLines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of rawHeaders) headers[name.toLowerCase()] ??= value;
  let body = bytes.subarray(split + 4);
  if (method !== 'HEAD' && /\bchunked\b/i.test(headers['transfer-encoding'] ?? ''))
    body = Buffer.concat(dechunk(body));
  return {
    status: Number(match[1]),
    reason: match[2] ?? '',
    rawHeaders,
    headers,
    body,
    text: body.toString('utf8'),
    raw: bytes.toString('latin1'),
  };
}

/** Opens a connection, sends the bytes and reads nothing. */
export function connectUnread(port: number, bytes: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => {});
  return socket.pause();
}

/** Returns the chunks of a body in chunked coding. */
export function dechunk(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) throw new Error('chunked body is cut off');
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) throw new Error('bad chunk size');
    if (size === 0) return parts;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
