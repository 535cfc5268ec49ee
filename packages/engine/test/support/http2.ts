/** An HTTP/2 client and servers for tests: each stream's header sections, content, trailers and error code. */
import fs from 'node:fs';
import http2 from 'node:http2';
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  OutgoingHttpHeaders,
  ServerHttp2Session,
} from 'node:http2';
import type { Server } from 'node:net';
import path from 'node:path';
import { portOf } from './http.js';

export interface Http2Answer {
  /** 0 if no header section of a final response was received. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Status and headers of the informational responses. */
  informational: Record<string, unknown>[];
  text: string;
  trailers: Record<string, string | string[] | undefined>;
  /** The error code that the stream closed with; 0 for none (RFC 9113, section 7). */
  code: number;
}

export interface Http2Ask {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Called with the stream before anything is received. */
  begin?: (stream: ClientHttp2Stream) => void;
}

/** Sends a request on a session and resolves when its stream closes. */
export function askSession(
  session: ClientHttp2Session,
  options: Http2Ask | string = {},
): Promise<Http2Answer> {
  const { method = 'GET', path = '/', headers = {}, body, begin } = asOptions(options);
  const stream = session.request(
    { ':method': method, ':path': path, ...headers },
    { endStream: body === undefined && begin === undefined },
  );
  const answer: Http2Answer = { status: 0, headers: {}, informational: [], text: '', trailers: {}, code: 0 };
  return new Promise(resolve => {
    stream.on('headers', fields => answer.informational.push({ ...fields }));
    stream.on('response', ({ ':status': status, ...fields }) => {
      answer.status = status!;
      answer.headers = { ...fields } as Http2Answer['headers'];
    });
    stream.on('trailers', fields => (answer.trailers = { ...fields } as Http2Answer['trailers']));
    stream.setEncoding('utf8').on('data', (chunk: string) => (answer.text += chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      resolve({ ...answer, code: stream.rstCode ?? 0 });
    });
    if (begin !== undefined) begin(stream);
    else if (body !== undefined) stream.end(body);
  });
}

function asOptions(options: Http2Ask | string): Http2Ask {
  return typeof options === 'string' ? { path: options } : options;
}

/** Starts the server, connects, calls `use`, and closes both. */
export async function withSession<T>(
  server: http2.Http2Server | Server,
  use: (session: ClientHttp2Session, port: number) => Promise<T>,
): Promise<T> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session: ServerHttp2Session) => sessions.add(session));
  const port = await portOf(server.listening ? server : server.listen(0, '127.0.0.1'));
  const session = http2.connect(`http://127.0.0.1:${String(port)}`).on('error', () => undefined);
  try {
    return await use(session, port);
  } finally {
    session.destroy();
    for (const one of sessions) one.destroy();
    await new Promise(resolve => server.close(resolve));
  }
}

/** Sends one request to an application on a new cleartext HTTP/2 server. */
export function askHttp2(app: unknown, options: Http2Ask | string = {}): Promise<Http2Answer> {
  return withSession(http2.createServer(app as never), session => askSession(session, options));
}

/** The certificate for `localhost` of the examples. */
const folder = path.join(__dirname, '../../../../examples/https');

export const certificate = (): { key: Buffer; cert: Buffer } => ({
  key: fs.readFileSync(path.join(folder, 'localhost-key.pem')),
  cert: fs.readFileSync(path.join(folder, 'localhost-cert.pem')),
});
