/**
 * `web.stop`: ends a server without failing a request.
 *
 * First the listening socket is closed: clients that are refused go elsewhere, and know that nothing has happened. For a
 * moment connections that are kept may still bring requests; these and all under way are answered with
 * `Connection: close`, so that no client sends something to a connection that is being closed. Then connections without
 * a request are closed, and those with one behind its response. At the deadline the rest is cut off.
 *
 * Nothing of this exists before the stop: the connections are looked up when it begins, and the server's listeners are
 * replaced only then.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import {
  answerUnderWay,
  httpConnections,
  isLastAnswer,
  isSilent,
  listsConnections,
  transportConnections,
} from '../http1/connections';
import { endLongLived, restart } from '../http/long-lived';
import { noteStop, noteStopped } from '../http/stopping';
import type { StopOptions, StopReport } from '../types/stop';
import { checkServer, stopTimes } from './options';
import type { StopTimes } from './options';
import { watchSessions } from '../http2/sessions';

/** What Node's HTTP/1.1 and HTTP/2 servers have in common. */
interface HttpServer extends Server {
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

type Listener = (...args: unknown[]) => void;
type Messages = [req: IncomingMessage, res: ServerResponse];

/** The events that bring a request; what they bring is held back for a moment, or refused. */
const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Milliseconds for which a turn of the event loop without new connections is waited for. */
const QUIET = 250;
/** Milliseconds that a turn takes in which nothing much happens; and for how long such a one is waited for. */
const SHORT = 0.1;
const PATIENCE = 50;
/** Milliseconds between two searches for idle connections, where the connections can't be listed. */
const POLL = 25;
/** Milliseconds for which connections that were cut off may take to tell so. */
const AFTERWARDS = 50;
const SERVICE_UNAVAILABLE = 503;
/** Seconds after which a refused client may try again: another process should be there at once. */
const RETRY_AFTER = '1';

/** Servers that are being stopped. */
const stopping = new WeakMap<Server, Stopping>();

/**
 * Stops a server: it accepts no more connections, closes those that have no in-flight request, answers the requests
 * under way with `Connection: close`, and cuts off what is left at the deadline. HTTP/2 sessions are told to go away
 * and end with their last stream; they are known from the time of `web.stopOnSignals`, or else of their next request.
 *
 * @param server what `app.listen`, `http.createServer` and their like return
 * @param options `deadline`, `delay` and `drain`, in milliseconds
 * @returns a promise of how many connections ended in which way; it never rejects. A server that is being stopped
 *   already gives the same promise again
 * @throws TypeError when it is no server, or an option no number; RangeError when an option is out of range
 * @example
 * const { forced } = await web.stop(server, { deadline: 5000 });
 * // RFC 9112 section 9.6 says what `Connection: close` means, RFC 9113 section 6.8 how a session goes away
 */
export function stop(server: Server, options?: StopOptions): Promise<StopReport> {
  checkServer(server);
  const times = stopTimes(options);
  let running = stopping.get(server);
  if (running === undefined) {
    running = new Stopping(server, times);
    stopping.set(server, running);
    noteStop();
    running.begin();
  }
  return running.done;
}

/** Cuts off at once what the stop of a server still waits for. */
export function forceStop(server: Server): void {
  stopping.get(server)?.force();
}

/** One server's stop, from the call to the last connection. */
class Stopping {
  readonly done: Promise<StopReport>;
  private resolve!: (report: StopReport) => void;
  private readonly report: StopReport = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };
  private readonly sessions: Set<Http2Session>;
  /** Takes each replaced listener away and puts the original ones back. */
  private readonly restore: (() => void)[] = [];
  /** Connections whose end is counted, and whether a response of theirs was completed since the stop began. */
  private readonly followed = new Map<Socket, boolean>();
  private readonly watchedAnswers = new WeakSet<ServerResponse>();
  /** Connections on which part of a request had come when those that are idle were closed. */
  private readonly begun = new WeakSet<Socket>();
  /** Connections whose clients know that their response is the last. */
  private readonly closing = new WeakSet<Socket>();
  private readonly timers: NodeJS.Timeout[] = [];
  /** How far the stop has come: nothing is accepted, requests are refused, all has ended, the rest is cut off. */
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
    const { delay, deadline } = this.times;
    this.timers.push(setTimeout(this.force, deadline));
    if (delay === 0) this.closeWhenQuiet();
    else this.timers.push(setTimeout(this.closeWhenQuiet, delay));
  }

  /** Cuts off what is left. */
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
    // A connection that this runtime hides must not be waited for.
    this.timers.push(setTimeout(() => this.finish(), AFTERWARDS));
  };

  /**
   * Closes the server behind a short turn of the event loop in which nobody connected: what waits to be accepted when
   * the listening socket is closed is lost to its client.
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
      const isShort = now - began < SHORT || now - start > PATIENCE;
      if (!this.hasClosed && now - start < QUIET && !(isQuiet && isShort)) {
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
    for (const session of this.sessions) session.close();
    endLongLived(server);
    this.replaceListeners('secureConnection', (originals, args) => {
      if (this.hasDrained) (args[0] as Socket).destroy();
      else for (const original of originals) original.apply(server, args);
    });
    // Timers come before the loop has looked for what was sent: what has been is read first.
    this.timers.push(setTimeout(() => setImmediate(this.closeIdle), this.times.drain));
    // Where it was closed before there may be nothing left to wait for.
    server.getConnections((_error, count) => {
      if (count === 0) this.closed();
    });
  }

  private readonly closeIdle = (): void => {
    this.hasDrained = true;
    this.server.closeIdleConnections?.();
    // Where the connections can't be listed, in-flight responses can't be followed: their connections become idle.
    if (!listsConnections(this.server)) {
      // What has been sent on a connection meanwhile is read first.
      const close = (): void => this.server.closeIdleConnections?.();
      this.timers.push(setInterval(() => setImmediate(close), POLL));
    }
    for (const socket of httpConnections(this.server)) {
      this.follow(socket);
      // Node takes a connection that has never sent anything for a busy one.
      if (isSilent(socket)) socket.destroy();
      else if (answerUnderWay(socket) === undefined) this.begun.add(socket);
    }
  };

  /** A server tells that it is closed just before the last connection does. */
  private readonly closed = (): void => {
    this.isOver = true;
    if (this.followed.size === 0) this.finish();
  };

  private finish(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.server.off('close', this.closed);
    restart(this.server);
    for (const restore of this.restore.splice(0)) restore();
    if (stopping.delete(this.server)) noteStopped();
    this.resolve(this.report);
  }

  /** Counts how a connection ends, and makes sure that it ends after its last response. */
  private follow(socket: Socket): void {
    if (!this.followed.has(socket)) {
      this.followed.set(socket, false);
      socket.once('close', () => this.count(socket));
    }
    const res = answerUnderWay(socket);
    if (res === undefined || this.watchedAnswers.has(res)) return;
    this.watchedAnswers.add(res);
    this.markLast(socket, res);
    res.once('close', () => {
      if (res.writableFinished) this.followed.set(socket, true);
      // Of pipelined requests the next one has its turn now.
      this.follow(socket);
      // A response that had promised to keep the connection: what has been sent on it meanwhile is read first.
      if (this.hasDrained) setImmediate(() => this.server.closeIdleConnections?.());
    });
  }

  private markLast(socket: Socket, res: ServerResponse): void {
    if (res.headersSent || !isLastAnswer(socket, res)) return;
    res.setHeader('Connection', 'close');
    this.closing.add(socket);
  }

  private count(socket: Socket): void {
    const hasAnswered = this.followed.get(socket);
    this.followed.delete(socket);
    if (!this.isForced) {
      if (answerUnderWay(socket)?.writableFinished === false) this.report.aborted++;
      else if (hasAnswered) this.report.completed++;
      else this.report.idle++;
    }
    if (this.isOver && this.followed.size === 0) this.finish();
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

  /** A request has come since the server closed. */
  private take([req, res]: Messages, listeners: Listener[]): void {
    const pass = (): void => {
      for (const listener of listeners) listener.call(this.server, req, res);
    };
    if (req.httpVersionMajor >= 2) {
      const { session } = (req as unknown as Http2ServerRequest).stream;
      if (session !== undefined) this.sessions.add(session);
      session?.close();
      pass();
      return;
    }
    const { socket } = req;
    // Tells the client that nothing after the last response is read (RFC 9112 section 9.6).
    if (this.closing.has(socket)) return;
    const isLate = this.hasDrained && !this.begun.delete(socket);
    // When this turn is over, all that came in one piece has been read, and the last of it is known.
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

/** Closes the listening socket alone: Node would close connections that are idle at the same time. */
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
