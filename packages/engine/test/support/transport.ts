/**
 * The transport of `ask` and `askPort`: HTTP/1.1, or HTTP/2 if RISTRETTO_TRANSPORT is `http2`. In that case,
 * `withServer` starts an HTTP/2 server next to each server of an application of this framework. Everything else stays
 * on HTTP/1.1: Express as the oracle, functions that are not applications, and raw sockets.
 */
import http from 'node:http';
import http2 from 'node:http2';
import type { ClientHttp2Stream, OutgoingHttpHeaders, ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { dechunk } from './http.js';
import type { Answer, Ask } from './http.js';

export const isHttp2 = process.env.RISTRETTO_TRANSPORT === 'http2';

/** A response that takes more than this many milliseconds fails its test. */
const LONGEST = 5000;

/** The ports of the HTTP/2 servers, by those of their HTTP/1.1 servers. */
const twins = new Map<number, number>();

/** Headers about an HTTP/1.1 connection (RFC 9113, section 8.2.2). */
const OF_CONNECTION = /^(connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/i;

/** Whether a handler is an application of one of our packages: Express has no `inject`. */
function isOurs(handler: unknown): boolean {
  return typeof handler === 'function' && typeof (handler as { inject?: unknown }).inject === 'function';
}

/** Starts an HTTP/2 server for an application next to the one on `port`; resolves with a function that closes it. */
export async function startTwin(handler: unknown, port: number): Promise<() => Promise<void>> {
  if (!isHttp2 || !isOurs(handler)) return () => Promise.resolve();
  const server = http2.createServer(handler as never);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', session => sessions.add(session));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  twins.set(port, (server.address() as AddressInfo).port);
  return async () => {
    twins.delete(port);
    for (const session of sessions) session.destroy();
    await new Promise(resolve => server.close(resolve));
  };
}

/** The port of the HTTP/2 server next to the one on `port`, if there is one. */
export function twinOf(port: number): number | undefined {
  return twins.get(port);
}

/** Sends one request over HTTP/2 on a new connection. */
export async function askHttp2Port(port: number, asked: Ask): Promise<Answer> {
  const session = http2.connect(`http://127.0.0.1:${String(port)}`).on('error', () => undefined);
  try {
    return await askStream(session.request(fieldsOf(asked), { endStream: asked.body === undefined }), asked);
  } finally {
    session.destroy();
  }
}

function fieldsOf({ method = 'GET', path = '/', headers = {}, body }: Ask): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = { ':method': method, ':path': path, ':authority': '127.0.0.1' };
  for (const [name, value] of Object.entries(headers)) {
    // White space around a value is not part of it, and HTTP/2 does not allow it (RFC 9113, section 8.2.1).
    const trimmed = Array.isArray(value) ? value.map(trim) : trim(value);
    if (name.toLowerCase() === 'host') fields[':authority'] = trimmed;
    else if (!OF_CONNECTION.test(name)) fields[name] = trimmed;
  }
  if (body !== undefined && !hasField(headers, 'transfer-encoding') && !hasField(headers, 'content-length')) {
    fields['content-length'] = String(Buffer.byteLength(body));
  }
  return fields;
}

function trim(value: string): string {
  return value.replace(/^[\t ]+|[\t ]+$/g, '');
}

function hasField(headers: object, name: string): boolean {
  return Object.keys(headers).some(key => key.toLowerCase() === name);
}

function askStream(stream: ClientHttp2Stream, { headers = {}, body }: Ask): Promise<Answer> {
  const chunks: Buffer[] = [];
  let status = 0;
  let raw: string[] = [];
  const answered = new Promise<Answer>((resolve, reject) => {
    let failure = new Error('no response');
    stream.setTimeout(LONGEST, () => {
      stream.destroy(new Error(`no end of the response after ${String(LONGEST)} ms`));
    });
    stream.on('response', (...[fields, , rawHeaders]: [http2.IncomingHttpHeaders, number, string[]?]) => {
      status = Number(fields[':status']);
      raw = rawHeaders!;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', error => (failure = error));
    stream.on('close', () => {
      const answer = answerOf(status, raw, Buffer.concat(chunks));
      // Behaves as over HTTP/1.1: content with an announced length is accepted as far as it was received.
      const isTaken = stream.rstCode === 0 || answer.headers['content-length'] !== undefined;
      if (status > 0 && isTaken) resolve(answer);
      else reject(failure);
    });
  });
  if (body === undefined) return answered;
  const isChunked = hasField(headers, 'transfer-encoding');
  sendPieces(stream, isChunked ? dechunk(Buffer.from(body)) : [Buffer.from(body)]);
  return answered;
}

/** Sends each piece in a separate frame. */
function sendPieces(stream: ClientHttp2Stream, [piece, ...others]: Buffer[]): void {
  if (stream.destroyed || stream.closed) return;
  if (piece === undefined) stream.end();
  else if (others.length === 0) stream.end(piece);
  else {
    stream.write(piece, () => {
      sendPieces(stream, others);
    });
  }
}

function answerOf(status: number, raw: string[], body: Buffer): Answer {
  const rawHeaders: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const [name, value] = [raw[i]!, raw[i + 1]!];
    if (name.startsWith(':')) continue;
    rawHeaders.push([name, value]);
    headers[name] ??= value;
  }
  const reason = http.STATUS_CODES[status] ?? 'unknown';
  return { status, reason, rawHeaders, headers, body, text: body.toString('utf8'), raw: '' };
}

/**
 * Converts headers for a comparison with a response over HTTP/1.1. HTTP/2 has no spelling of names and no headers about
 * the connection; those that Node adds, Date and Content-Length, are in other positions.
 */
export function withoutFraming(fields: [string, string][]): [string, string][] {
  if (!isHttp2) return fields;
  const lower = fields.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const isOfNode = ([name]: [string, string]): boolean => name === 'date' || name === 'content-length';
  const others = lower.filter(field => !isOfNode(field) && !OF_CONNECTION.test(field[0]));
  return [...others, ...lower.filter(isOfNode).sort(([a], [b]) => (a < b ? -1 : 1))];
}
