/** HTTP/2 servers for `app.listen`, and what every HTTP/2 server of an application is protected by. */
import * as http2 from 'node:http2';
import type { Http2Session, SecureServerOptions } from 'node:http2';
import type { Server, Socket } from 'node:net';

/** Milliseconds without a frame after which a session is told to go away. Its open streams go on. */
const IDLE = 120_000;
/** Streams that a client may have open at the same time. Node's default has no limit. */
const MOST_STREAMS = 128;

/** Any of these makes a server one of TLS. */
const CREDENTIALS = ['key', 'cert', 'pfx', 'secureContext', 'SNICallback'] as const;

const guarded = new WeakSet<object>();

/**
 * Creates a server for an application: of HTTP/2 and HTTP/1.1 over TLS where there are credentials, else of cleartext
 * HTTP/2 with prior knowledge (RFC 9113, section 3.3).
 * @param app the listener for `request`
 * @param options those of `http2.createSecureServer` or `http2.createServer`
 */
export function createServer(app: unknown, options: SecureServerOptions): Server {
  const listener = app as Parameters<typeof http2.createServer>[1];
  const settings = { maxConcurrentStreams: MOST_STREAMS, ...options.settings };
  const isSecure = CREDENTIALS.some(name => (options as Record<string, unknown>)[name] !== undefined);
  return isSecure
    ? http2.createSecureServer({ allowHTTP1: true, ...options, settings }, listener)
    : http2.createServer({ ...options, settings }, listener);
}

/**
 * Gives a server what it needs not to be ended or filled by its clients: a listener for the errors of connections, whose
 * lack has let malformed frames end a process (CVE-2025-59465), and a time after which sessions without traffic end.
 */
export function guard(server: Server): void {
  if (guarded.has(server)) return;
  guarded.add(server);
  const listen = (socket: Socket): void => void socket.on('error', ignore);
  server.on('secureConnection', listen);
  server.on('connection', listen);
  server.on('session', (session: Http2Session) => {
    guardSession(server, session);
  });
}

/** As `guard`, for a session that has begun already. A time that the application has set for its server counts. */
export function guardSession(server: Server, session: Http2Session): void {
  if ((server as { timeout?: number }).timeout) return;
  session.setTimeout(IDLE, () => {
    session.close();
  });
}

function ignore(): void {
  // the connection is closed, and each of its streams with it
}
