/** Protects an application's HTTP/2 server from clients that misuse sessions. */
import type { Http2Session, ServerHttp2Stream, Settings } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { warnIfUnpatched } from './patched';
import { connectionOf, streamsOf, watchSessions } from './sessions';
import { undocumented } from '../node-internals';

/**
 * Milliseconds without a frame in either direction after which a session is closed. Streams that are waiting for the
 * application, such as event streams, continue.
 */
const IDLE = 120_000;
/** Milliseconds that an idle session without streams may take to close. */
const MOST_CLOSING = 1000;
/** Milliseconds between two checks of a session for streams that Node does not end itself. */
const SEARCH = 2000;
/**
 * The maximum number of concurrent streams for each session (RFC 9113, section 5.1.2, recommends 100 or more). Node has
 * no limit: one session can then hold more than 100 MB.
 */
export const MOST_STREAMS = 128;
/** The error code for a stream that is no longer needed (RFC 9113, section 7). */
const CANCEL = 8;
/** The constants `NGHTTP2_STREAM_STATE_…` of `node:http2`, which takes milliseconds to load. */
const STATE_IDLE = 1;
const STATE_CLOSED = 7;

const guarded = new WeakSet<object>();
const guardedSessions = new WeakSet<Http2Session>();
/** Servers whose sessions get the limit of streams set here. */
const limited = new WeakSet<object>();

/**
 * Protects a server: handles errors of its connections, because malformed frames could otherwise end the process
 * (CVE-2025-59465), limits the streams of its sessions, closes idle sessions, and ends streams and sessions whose
 * clients have disconnected.
 */
export function guard(server: Server): void {
  if (guarded.has(server)) return;
  guarded.add(server);
  warnIfUnpatched();
  // Handles a server that is stopped before its clients have sent a request.
  watchSessions(server);
  const listen = (socket: Socket): void => void socket.on('error', ignore);
  server.on('secureConnection', listen);
  server.on('connection', listen);
  server.on('session', (session: Http2Session) => {
    watch(server, session);
  });
  limitStreams(server);
}

/** Protects the session of a stream, which may have been opened before its server was protected. */
export function guardSession(server: Server, session: Http2Session | undefined): void {
  if (session === undefined || guardedSessions.has(session)) return;
  watch(server, session);
  if (limited.has(server)) session.settings({ maxConcurrentStreams: MOST_STREAMS });
}

/** Limits the streams of future sessions, unless the server was created with a limit. */
function limitStreams(server: object): void {
  const options = undocumented<{ settings?: Settings }>(server, 'options');
  if (options?.settings === undefined || options.settings.maxConcurrentStreams !== undefined) return;
  limited.add(server);
  // The types lack it
  const { updateSettings } = server as { updateSettings?: (settings: Settings) => void };
  updateSettings?.call(server, { maxConcurrentStreams: MOST_STREAMS });
}

function watch(server: Server, session: Http2Session): void {
  guardedSessions.add(session);
  endIdle(server, session);
  endAbandoned(session);
}

/** Closes the session when idle, unless the application has set a timeout on its server. */
function endIdle(server: Server, session: Http2Session): void {
  if ((server as { timeout?: number }).timeout) return;
  session.setTimeout(IDLE, () => {
    endSession(session);
  });
  // Node does not stop the timer of a destroyed session, which would keep the session in memory until it fires
  session.once('close', () => clearTimeout(undocumented<NodeJS.Timeout>(session, 'timeout')));
}

/**
 * Until the session has closed, ends what Node would keep open for as long as the client likes:
 *
 * - a stream that the client has reset with NO_ERROR in the middle of its response: older versions of Node wait
 *   for writes that can't be sent any more, and all versions until what the client had sent is read, which a WebSocket that
 *   waits for its hooks does not do. If the session is closing, it has also stopped reading, and does not notice that the
 *   client has disconnected;
 * - the connection of a destroyed session, if it is waiting for a client that does not read.
 */
function endAbandoned(session: Http2Session): void {
  const socket: Connection | undefined = connectionOf(session);
  if (socket === undefined) return;
  let suspects: readonly unknown[] = [];
  const search = setInterval(() => {
    const found = session.destroyed ? [socket] : streamsOf(session).filter(isUnsendable);
    // While the connection is sending, the end of a response may be on its way.
    const isWaiting = !session.destroyed && (socket._handle?.writeQueueSize ?? 0) > 0;
    for (const one of isWaiting ? [] : found) {
      if (suspects.includes(one)) one.destroy();
    }
    suspects = found;
  }, SEARCH).unref();
  session.once('close', () => {
    clearInterval(search);
  });
}

/** A connection with Node's handle, which counts the bytes that the operating system has not taken yet. */
interface Connection extends Socket {
  _handle?: { writeQueueSize?: number } | null;
}

/** Whether nghttp2 no longer has the stream while there was more to send. After `stream.close()` it does. */
function isUnsendable(stream: ServerHttp2Stream): boolean {
  if (!stream.closed || stream.destroyed || (stream.writableFinished && !stream.aborted)) return false;
  const { state } = stream.state;
  return state === STATE_IDLE || state === STATE_CLOSED;
}

/**
 * Closes a session with a GOAWAY, and destroys the streams that are waiting for the client: for the rest of a request,
 * or for the client to read.
 */
function endSession(session: Http2Session): void {
  const open = streamsOf(session);
  const waiting = open.filter(isWaitingForClient);
  for (const stream of waiting) {
    stream.close(CANCEL);
    stream.destroy();
  }
  // A client that does not read would not receive the GOAWAY of a graceful close.
  if (waiting.length > 0 && waiting.length === open.length) {
    session.destroy();
    return;
  }
  session.close();
  // Node 20 may leave a session open that had unsent data when it was closed.
  setTimeout(() => {
    if (streamsOf(session).length === 0) session.destroy();
  }, MOST_CLOSING).unref();
}

function isWaitingForClient(stream: ServerHttp2Stream): boolean {
  const isReading = stream.readableFlowing === true && !stream.readableEnded && !stream.endAfterHeaders;
  return isReading || stream.writableLength > 0;
}

function ignore(): void {
  // The connection closes, and all its streams with it
}
