/** What protects an HTTP/2 server of an application from clients that misuse a session. */
import type { Http2Session, ServerHttp2Stream, Settings } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { warnIfUnpatched } from './patched';
import { undocumented } from './undocumented';

/**
 * Milliseconds without a frame in either direction after which a session ends. Streams whose response is still to come
 * from the application, such as event streams, go on.
 */
const IDLE = 120_000;
/** Milliseconds for an idle session without streams to close. */
const MOST_CLOSING = 1000;
/**
 * Streams that a client may have open at the same time (RFC 9113, section 5.1.2, recommends 100 or more). Node has no
 * limit: one session can then hold more than 100 MB.
 */
export const MOST_STREAMS = 128;
/** The error code for a stream that is no longer needed (RFC 9113, section 7). */
const CANCEL = 8;

const guarded = new WeakSet<object>();
const guardedSessions = new WeakSet<Http2Session>();
/** Servers whose sessions have the limit of streams from here. */
const limited = new WeakSet<object>();

/**
 * Protects a server: listens for errors of its connections, whose lack has let malformed frames end a process
 * (CVE-2025-59465), limits the streams of its sessions, and ends those that are idle.
 */
export function guard(server: Server): void {
  if (guarded.has(server)) return;
  guarded.add(server);
  warnIfUnpatched();
  const listen = (socket: Socket): void => void socket.on('error', ignore);
  server.on('secureConnection', listen);
  server.on('connection', listen);
  server.on('session', (session: Http2Session) => {
    endIdle(server, session);
  });
  limitStreams(server);
}

/** Protects the session of a stream, which may have begun before its server was protected. */
export function guardSession(server: Server, session: Http2Session | undefined): void {
  if (session === undefined || guardedSessions.has(session)) return;
  endIdle(server, session);
  if (limited.has(server)) session.settings({ maxConcurrentStreams: MOST_STREAMS });
}

/** Limits the streams of future sessions, unless the server was created with a limit. */
function limitStreams(server: object): void {
  const options = undocumented<{ settings?: Settings }>(server, 'options');
  if (options?.settings === undefined || options.settings.maxConcurrentStreams !== undefined) return;
  limited.add(server);
  // missing in the types
  const { updateSettings } = server as { updateSettings?: (settings: Settings) => void };
  updateSettings?.call(server, { maxConcurrentStreams: MOST_STREAMS });
}

/** A time that the application has set for its server counts instead. */
function endIdle(server: Server, session: Http2Session): void {
  guardedSessions.add(session);
  if ((server as { timeout?: number }).timeout) return;
  session.setTimeout(IDLE, () => {
    endSession(session);
  });
}

/**
 * Tells the client that the session ends, and breaks off the streams that wait for the client: for the rest of a request,
 * or for room to send.
 */
function endSession(session: Http2Session): void {
  const open = streamsOf(session);
  const waiting = open.filter(isWaitingForClient);
  for (const stream of waiting) {
    stream.close(CANCEL);
    stream.destroy();
  }
  // A client that does not read would not see a graceful end.
  if (waiting.length > 0 && waiting.length === open.length) {
    session.destroy();
    return;
  }
  session.close();
  // Node 20 may leave a session open that had something to send when it was closed.
  setTimeout(() => {
    if (streamsOf(session).length === 0) session.destroy();
  }, MOST_CLOSING).unref();
}

function streamsOf(session: Http2Session): ServerHttp2Stream[] {
  const streams = undocumented<{ streams?: Map<number, ServerHttp2Stream> }>(session, 'state')?.streams;
  return [...(streams?.values() ?? [])];
}

function isWaitingForClient(stream: ServerHttp2Stream): boolean {
  const isReading = stream.readableFlowing === true && !stream.readableEnded && !stream.endAfterHeaders;
  return isReading || stream.writableLength > 0;
}

function ignore(): void {
  // the connection is closed, and each of its streams with it
}
