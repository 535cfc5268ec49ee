/**
 * `web.stop`: stops a server without failing a request.
 *
 * It closes the listening socket first: clients whose connection is refused can safely connect elsewhere. For a moment,
 * keep-alive connections may still send requests; these and all in-flight requests get `Connection: close`, so that no
 * client sends anything to a connection that is being closed. Then idle connections are closed, and the others after
 * their response. After the timeout, all remaining connections are cut off.
 *
 * A running server pays nothing for this: only the stop looks up the connections and replaces the server's listeners.
 */
import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import {
  responseInProgress,
  httpConnections,
  isIdle,
  isLastResponse,
  isSilent,
  listsConnections,
  transportConnections,
} from '../serving/http1/connections';
import { endLongLived, restart } from '../serving/long-lived';
import { noteStop, noteStopped } from '../serving/process-state';
import type { HostServer, StopOptions, StopReport } from '../types/stop';
import { forceHost, stopHost } from './host';
import { checkServer, isHostServer, stopTimes } from './stop-options';
import type { StopTimes } from './stop-options';
import { connectionOf, streamsOf, watchSessions } from '../serving/http2/sessions';

/** The members shared by Node's HTTP/1.1 and HTTP/2 servers. */
interface HttpServer extends Server {
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

type Listener = (...args: unknown[]) => void;
type Messages = [req: IncomingMessage, res: ServerResponse];

/** The events that deliver a request, which is delayed for a moment or refused. */
const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Milliseconds to wait for a turn of the event loop without new connections. */
const QUIET_TURN_TIMEOUT = 250;
/** Milliseconds that an idle turn takes, and for how long to wait for one. */
const IDLE_TURN = 0.1;
const IDLE_TURN_TIMEOUT = 50;
/** Milliseconds between two checks for idle connections, if the connections cannot be listed. */
const POLL = 25;
/** Milliseconds in which connections that were cut off should report their end. */
const AFTERWARDS = 50;
const SERVICE_UNAVAILABLE = 503;
/** Seconds after which a refused client may retry: another process should be available at once. */
const RETRY_AFTER = '1';

/** Servers that are being stopped. */
const stopping = new WeakMap<Server, Stopping>();

/**
 * Stops a server: it accepts no more connections, closes idle ones, responds to in-flight requests with `Connection:
 * close`, and cuts off the remaining connections after the timeout. HTTP/2 sessions receive GOAWAY and end with their
 * last stream. Those of a server that `app.listen` did not create are known since the call of `web.stopOnSignals`, or from
 * the first request of the server, or on Node 24 and newer always.
 *
 * @param server server returned by `app.listen`, `http.createServer` or a similar function
 * @param options `timeout`, `delay` and `drain`; Bun and Deno ignore `drain`
 * @returns a promise of the number of connections by how they ended; it never rejects. For a server that is already
 * being stopped, the same promise
 * @throws TypeError if it is not a server, or an option is not a duration; RangeError if an option is out of range
 * @example
 * const { forced } = await web.stop(server, { timeout: 5000 });
 * // RFC 9112 section 9.6 defines `Connection: close`, RFC 9113 section 6.8 GOAWAY
 */
export function stop(server: Server | HostServer, options?: StopOptions): Promise<StopReport> {
  checkServer(server);
  const times = stopTimes(options);
  if (isHostServer(server)) return stopHost(server, times);
  let running = stopping.get(server);
  if (running === undefined) {
    running = new Stopping(server, times);
    stopping.set(server, running);
    noteStop();
    running.begin();
  }
  return running.done;
}

/** Cuts off all connections that the stop of a server still waits for. */
export function forceStop(server: Server | HostServer): void {
  if (isHostServer(server)) forceHost(server);
  else stopping.get(server)?.force();
}

/** The stop of one server, from the call to the last connection. */
class Stopping {
  readonly done: Promise<StopReport>;
  private resolve!: (report: StopReport) => void;
  private readonly report: StopReport = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };
  private readonly sessions: Set<Http2Session>;
  /** Each removes a replacement listener and restores the original ones. */
  private readonly restore: (() => void)[] = [];
  /** The connections whose end will be counted; true if one of their responses has completed since the stop began. */
  private readonly followed = new Map<Socket | Http2Session, boolean>();
  /** The connections of sessions. A session loses its connection while it closes. */
  private readonly connections = new WeakMap<Http2Session, Socket>();
  /** Sessions of which a stream ended before its response was complete. */
  private readonly broken = new WeakSet<Http2Session>();
  private readonly watchedStreams = new WeakSet<ServerHttp2Stream>();
  private readonly watchedResponses = new WeakSet<ServerResponse>();
  /** Connections that had received part of a request when the idle ones were closed. */
  private readonly begun = new WeakSet<Socket>();
  /** Connections on which a response with `Connection: close` was sent. */
  private readonly closing = new WeakSet<Socket>();
  /** Fulfilled when everything that does not end by itself has ended. WebSockets end after their connections. */
  private ends: Promise<unknown> = Promise.resolve();
  private readonly timers: NodeJS.Timeout[] = [];
  /**
   * The state of the stop: connections are refused, requests are refused, the server has closed, the rest is cut off.
   */
  private hasClosed = false;
  private hasDrained = false;
  private isOver = false;
  private isForced = false;

  constructor(
    private readonly server: HttpServer,
    private readonly times: StopTimes,
  ) {
    this.sessions = watchSessions(server);
    this.done = new Promise(resolve => {
      this.resolve = resolve;
    });
  }

  begin(): void {
    const { delay, timeout } = this.times;
    this.timers.push(setTimeout(this.force, timeout));
    if (delay === 0) this.closeWhenQuiet();
    else this.timers.push(setTimeout(this.closeWhenQuiet, delay));
  }

  /** Cuts off all remaining connections. */
  readonly force = (): void => {
    if (!this.hasClosed) this.close();
    const { server } = this;
    const sockets = transportConnections(server);
    this.isForced = true;
    this.report.forced = Math.max(sockets.length, httpConnections(server).length);
    if (server.closeAllConnections !== undefined && !listsConnections(server)) {
      server.getConnections((_error, count) => (this.report.forced = count));
    }
    for (const session of this.sessions) session.destroy();
    server.closeAllConnections?.();
    for (const socket of sockets) socket.destroy();
    // Do not wait for a connection that this version of Node hides.
    this.timers.push(setTimeout(() => this.finish(), AFTERWARDS));
  };

  /**
   * Closes the server after a short turn of the event loop without a new connection: connections that wait to be
   * accepted when the listening socket closes are lost to their clients.
   */
  private readonly closeWhenQuiet = (): void => {
    const start = performance.now();
    let began = -Infinity;
    let isQuiet = false;
    const noteConnection = (): void => {
      isQuiet = false;
    };
    const turn = (): void => {
      const now = performance.now();
      const isShort = now - began < IDLE_TURN || now - start > IDLE_TURN_TIMEOUT;
      if (!this.hasClosed && now - start < QUIET_TURN_TIMEOUT && !(isQuiet && isShort)) {
        isQuiet = true;
        began = now;
        setImmediate(turn);
        return;
      }
      this.server.off('connection', noteConnection);
      if (!this.hasClosed) this.close();
    };
    this.server.on('connection', noteConnection);
    setImmediate(turn);
  };

  private close(): void {
    const { server } = this;
    this.hasClosed = true;
    closeListener(server);
    server.once('close', this.closed);
    this.interceptRequests();
    for (const socket of httpConnections(server)) this.follow(socket);
    this.closeSessions();
    this.ends = endLongLived(server, this.report);
    this.replaceListeners('secureConnection', (originals, args) => {
      if (this.hasDrained) (args[0] as Socket).destroy();
      else for (const original of originals) original.apply(server, args);
    });
    // Timers run before the loop polls for I/O: read first what has already arrived.
    this.timers.push(setTimeout(() => setImmediate(this.closeIdle), this.times.drain));
    // If it was closed before, there may be no connection to wait for.
    server.getConnections((_error, count) => {
      if (count === 0) this.closed();
    });
  }

  private readonly closeIdle = (): void => {
    this.hasDrained = true;
    this.server.closeIdleConnections?.();
    // If the connections cannot be listed, in-flight responses cannot be followed: their connections become idle.
    if (!listsConnections(this.server)) {
      // Reads first what has already arrived on a connection.
      const close = (): void => this.server.closeIdleConnections?.();
      this.timers.push(setInterval(() => setImmediate(close), POLL));
    }
    for (const socket of httpConnections(this.server)) {
      this.follow(socket);
      // Node counts a connection that has never sent anything as active.
      if (isSilent(socket)) socket.destroy();
      else if (responseInProgress(socket) === undefined) this.begun.add(socket);
    }
    // These sessions have begun since, or their clients do not react to GOAWAY.
    this.closeSessions();
    for (const session of this.sessions) {
      if (streamsOf(session).length === 0) this.connections.get(session)?.destroy();
    }
    for (const socket of transportConnections(this.server))
      if (isUnused(this.server, socket)) socket.destroy();
  };

  private closeSessions(): void {
    for (const session of this.sessions) {
      this.followSession(session);
      session.close();
    }
  }

  /** A server emits 'close' just before its last connection does. */
  private readonly closed = (): void => {
    this.isOver = true;
    void this.ends.then(() => {
      this.finishWhenOver();
    });
  };

  private finishWhenOver(): void {
    if (this.isOver && this.followed.size === 0) this.finish();
  }

  private finish(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.server.off('close', this.closed);
    restart(this.server);
    for (const restore of this.restore.splice(0)) restore();
    if (stopping.delete(this.server)) noteStopped();
    this.resolve(this.report);
  }

  /** Counts how a connection ends, and ensures that it ends after its last response. */
  private follow(socket: Socket): void {
    if (!this.followed.has(socket)) {
      this.followed.set(socket, false);
      socket.once('close', () => this.count(socket));
    }
    const res = responseInProgress(socket);
    if (res === undefined || this.watchedResponses.has(res)) return;
    this.watchedResponses.add(res);
    this.markLast(socket, res);
    res.once('close', () => {
      if (res.writableFinished) this.followed.set(socket, true);
      // It is the turn of the next pipelined request.
      this.follow(socket);
      if (this.hasDrained && !this.closing.has(socket)) this.closeAfterLast(socket);
    });
  }

  /**
   * Closes a connection whose response has announced keep-alive: its header block had been created before the stop began. As all
   * others, its client may send one more request for a while.
   */
  private closeAfterLast(socket: Socket): void {
    this.begun.add(socket);
    const close = (): void => {
      if (isIdle(this.server, socket)) socket.destroy();
    };
    this.timers.push(setTimeout(() => setImmediate(close), this.times.drain));
  }

  /** Counts how a session ends. */
  private followSession(session: Http2Session): void {
    if (!this.followed.has(session)) {
      this.followed.set(session, false);
      const socket = connectionOf(session);
      if (socket !== undefined) this.connections.set(session, socket);
      session.once('close', () => this.countSession(session));
    }
    for (const stream of streamsOf(session)) {
      if (this.watchedStreams.has(stream)) continue;
      this.watchedStreams.add(stream);
      stream.once('close', () => {
        // Node ends, and so finishes, a stream that is aborted.
        if (stream.writableFinished && !stream.aborted) this.followed.set(session, true);
        else this.broken.add(session);
      });
    }
  }

  private countSession(session: Http2Session): void {
    const hasResponded = this.followed.get(session);
    this.followed.delete(session);
    if (!this.isForced) {
      if (this.broken.has(session)) this.report.aborted++;
      else if (hasResponded) this.report.completed++;
      else this.report.idle++;
    }
    this.finishWhenOver();
  }

  private markLast(socket: Socket, res: ServerResponse): void {
    // The inherited members: while a response waits for its hooks, its own `headersSent` is already true; and a program's
    // own members may throw, which would end the process.
    const areSent = Reflect.get(ServerResponse.prototype, 'headersSent', res);
    if (areSent || !isLastResponse(socket, res)) return;
    ServerResponse.prototype.setHeader.call(res, 'Connection', 'close');
    this.closing.add(socket);
  }

  private count(socket: Socket): void {
    const hasResponded = this.followed.get(socket);
    this.followed.delete(socket);
    if (!this.isForced) {
      if (responseInProgress(socket)?.writableFinished === false) this.report.aborted++;
      else if (hasResponded) this.report.completed++;
      else this.report.idle++;
    }
    this.finishWhenOver();
  }

  private interceptRequests(): void {
    for (const event of REQUEST_EVENTS) {
      if (this.server.listenerCount(event) === 0) continue;
      this.replaceListeners(event, (originals, messages) => this.take(messages as Messages, originals));
    }
  }

  private replaceListeners(event: string, listen: (originals: Listener[], args: unknown[]) => void): void {
    const { server } = this;
    const originals = server.rawListeners(event) as Listener[];
    const listener: Listener = (...args) => listen(originals, args);
    server.removeAllListeners(event);
    server.on(event, listener);
    this.restore.push(() => {
      server.off(event, listener);
      for (const original of originals) server.on(event, original);
    });
  }

  /** Handles a request that arrived after the server closed. */
  private take([req, res]: Messages, listeners: Listener[]): void {
    const pass = (): void => {
      for (const listener of listeners) listener.call(this.server, req, res);
    };
    if (req.httpVersionMajor >= 2) {
      const { session } = (req as unknown as Http2ServerRequest).stream;
      if (session !== undefined) {
        this.sessions.add(session);
        this.followSession(session);
        session.close();
      }
      pass();
      return;
    }
    const { socket } = req;
    // `Connection: close` announced that no further request is read (RFC 9112 section 9.6).
    if (this.closing.has(socket)) return;
    const isLate = this.hasDrained && !this.begun.delete(socket);
    // After this turn, everything that arrived in one chunk has been parsed, and its last request is known.
    setImmediate(() => {
      if (socket.destroyed) return;
      this.follow(socket);
      this.markLast(socket, res);
      if (isLate) this.refuse(res);
      else pass();
    });
  }

  private refuse(res: ServerResponse): void {
    this.report.refused++;
    res.statusCode = SERVICE_UNAVAILABLE;
    res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    res.setHeader('Retry-After', RETRY_AFTER);
    res.end('Service Unavailable');
  }
}

/**
 * Whether a connection can have no request: with TLS, because the server has sent nothing of a handshake; with HTTP/2 from the first
 * byte, because the client has sent nothing.
 */
function isUnused(server: Server, socket: Socket): boolean {
  if ('setSecureContext' in server) return socket.bytesWritten === 0;
  return 'updateSettings' in server && isSilent(socket);
}

/** Closes only the listening socket: `close()` would also close idle connections. */
function closeListener(server: HttpServer): void {
  if (!server.listening) return;
  const own = Object.getOwnPropertyDescriptor(server, 'closeIdleConnections');
  Object.defineProperty(server, 'closeIdleConnections', { configurable: true, value: () => undefined });
  try {
    server.close();
  } finally {
    Reflect.deleteProperty(server, 'closeIdleConnections');
    if (own) Object.defineProperty(server, 'closeIdleConnections', own);
  }
}
