/**
 * Exchanges for which Node's server keeps nothing: the same connection, parser and message objects, without the two arrays,
 * three bound functions, two listeners, three ticks and the timer that Node needs for each, in case requests are pipelined.
 *
 * If a second request arrives before the response to the first is complete, `handOver` has Node's own function for new
 * requests run on the same two objects, and from then on the exchange is Node's.
 *
 * Saves a third of a small response.
 */
import { channel } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createRequest, createResponse } from '../adopt';
import type { MessageClasses } from '../adopt';
import { endUnread } from '../bypass-stream';
import { symbolNamed } from '../node-internals';
import { closeWhenIdle } from './idle';
import type { NativeRequest, NativeResponse, NativeServer, NativeSocket, Parser } from './native-messages';
import { nodeProcess } from '../../node-process';

/** What the messages of a server are created from, and who gets them. */
export interface Origin extends MessageClasses {
  readonly server: NativeServer;
  readonly app: (req: IncomingMessage, res: ServerResponse) => void;
  /** Whether every request still goes to the application, and to the application first. */
  isCurrent(): boolean;
}

const CONNECTION: unique symbol = Symbol('light connection');

interface LightSocket extends NativeSocket {
  [CONNECTION]?: Connection | null;
}

const sample = new ServerResponse({
  method: 'GET',
  httpVersionMajor: 1,
  httpVersionMinor: 1,
} as IncomingMessage) as NativeResponse;
/** Node's symbols for what newer versions record instead of computing it. */
const WRITABLE_FINISHED = symbolNamed(sample, 'kWritableFinished');
const END_CALLBACKS = symbolNamed(sample, 'kEndCallbacks');
const FLUSH_ERROR = symbolNamed(sample, 'kFlushError');
const DETACH_SIGNAL = symbolNamed(IncomingMessage.prototype, 'kDetachAbortSignal');

/** Node's channels for requests. A third one, for responses, is published to by their constructor. */
const started = channel('http.server.request.start');
const finished = channel('http.server.response.finish');

/** The response that Node is to take instead of creating one. */
let handedOver: ServerResponse | undefined;

/** The keys that Node's server adds to messages after their construction, and that `begin` adds as well. */
const ADDED = new Set(['_maxRequestsPerSocket', '_eventsCount', 'kUniqueHeaders', 'ConnectionState']);

/** Whether Node adds nothing else in this release; undefined until it has created messages itself. */
let isKnown: boolean | undefined;
/** The symbol under which newer versions keep the state of the connection on a response. */
let CONNECTION_STATE: symbol | undefined;

/** Whether `begin` adds everything that Node's server adds to messages; undefined until Node has created some. */
export const knowsAdditions = (): boolean | undefined => isKnown;

/**
 * Checks which keys Node's server adds to messages that it is creating. This runs before other code gets them, which may add
 * more: the subscribers of the channel, or the server's listener, which is replaced for this request.
 * @param res has just been constructed
 */
export function learnAdditions(origin: Origin, req: IncomingMessage, res: ServerResponse): void {
  const ofRequest = new Set(Reflect.ownKeys(createRequest(origin, req.socket)));
  const ofResponse = new Set(Reflect.ownKeys(res));
  const look = (): void => {
    Reflect.deleteProperty(started, 'publish');
    listeners.request = request;
    const added = [
      ...Reflect.ownKeys(req).filter(key => !ofRequest.has(key)),
      ...Reflect.ownKeys(res).filter(key => !ofResponse.has(key)),
    ];
    isKnown = added.every(key => ADDED.has(nameOf(key)));
    CONNECTION_STATE = added.find(key => nameOf(key) === 'ConnectionState') as symbol | undefined;
  };
  const listeners = origin.server._events;
  const { request } = listeners;
  listeners.request = function (this: unknown, ...messages: unknown[]): unknown {
    look();
    return Reflect.apply(request as (...args: unknown[]) => unknown, this, messages);
  };
  if (started.hasSubscribers) {
    started.publish = message => {
      look();
      started.publish(message);
    };
  }
}

function nameOf(key: string | symbol): string {
  return typeof key === 'string' ? key : (key.description ?? '');
}

/** Returns the response that Node's handler for new requests is processing again; undefined for a new request. */
export const responseHandedOver = (): ServerResponse | undefined => handedOver;

/** A connection whose requests begin light. */
export class Connection {
  /** The response in progress; null if there is none, or if it is Node's. */
  res: NativeResponse | null = null;
  /** The last request that began light, until it has been read and its response sent; null if it is Node's. */
  req: NativeRequest | null = null;
  /** Whether the response in progress has been written, and ends with this tick. */
  private isWritten = false;
  /**
   * Whether the socket's timeout is that of an idle connection, which the next request ends. Before the first response, it is
   * the program's, as in `server.on('connection', socket => socket.setTimeout(5000))`.
   */
  private hasKeepAliveTimeout = false;
  /** For how many milliseconds it may be idle, since the last response. */
  idleTimeout = Infinity;
  private readonly options: object;
  /** In place of Node's state of the connection, which only code of Node's own exchanges reads. */
  private readonly state: object;
  private readonly unique: symbol | undefined;
  /** Node's function for the requests of this connection: another one if the same or another server gets it again. */
  readonly onIncoming: Parser['onIncoming'];
  /** The first listener for `finish` of each response, as Node's own. */
  private readonly onFinish: (this: NativeResponse) => void;

  constructor(
    readonly socket: NativeSocket,
    readonly parser: Parser,
    readonly origin: Origin,
  ) {
    const { server } = origin;
    this.onIncoming = parser.onIncoming;
    this.state = { server, socket };
    const settle = (res: NativeResponse): void => this.settle(res);
    this.onFinish = function () {
      settle(this);
      nodeProcess.nextTick(close, this);
    };
    this.unique = symbolNamed(server, 'kUniqueHeaders');
    this.options = {
      highWaterMark: socket.writableHighWaterMark,
      rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
    };
    (socket as LightSocket)[CONNECTION] = this;
    if (servedByNode.has(socket)) this.leaveNext();
    socket.on('close', onClosed);
    closeWhenIdle(this);
  }

  /** Creates the messages as Node does, and calls the application. */
  begin(lines: string[], method: string, url: string): void {
    const { socket, parser, origin, unique } = this;
    const { server } = origin;
    if (this.hasKeepAliveTimeout) {
      this.hasKeepAliveTimeout = false;
      if (socket.timeout! > 0) socket.setTimeout(0);
    }
    const req = createRequest(origin, socket) as NativeRequest;
    req.httpVersionMajor = 1;
    req.httpVersionMinor = 1;
    req.httpVersion = '1.1';
    req.joinDuplicateHeaders = server.joinDuplicateHeaders || parser.joinDuplicateHeaders;
    req.url = url;
    req.upgrade = false;
    req._addHeaderLines(lines, lines.length);
    req.method = method;
    parser.incoming = req;
    const res = createResponse(origin, req, this.options) as NativeResponse;
    res._keepAliveTimeout = server.keepAliveTimeout;
    res._maxRequestsPerSocket = server.maxRequestsPerSocket!;
    if (CONNECTION_STATE !== undefined) res[CONNECTION_STATE] = this.state;
    if (unique !== undefined) res[unique] = server[unique];
    if (started.hasSubscribers) started.publish({ request: req, response: res, socket, server });
    socket._httpMessage = res;
    (res as { socket: Socket | null }).socket = socket;
    if (res._eventsCount === 0 && res._header === null) {
      // As `res.on` does for the first listener, in a fifth of the time
      res._events!.finish = this.onFinish;
      res._eventsCount = 1;
    } else {
      // Subscribers of the channels have added listeners, or responded
      res.emit('socket', socket);
      res._flush();
      res.on('finish', this.onFinish);
    }
    this.isWritten = false;
    this.req = req;
    this.res = res;
    origin.app(req, res);
  }

  /** Called before another request begins. */
  makeRoom(): void {
    if (this.res === null) return;
    if (this.socket._httpMessage !== this.res) {
      // The application has detached the response
      this.res = null;
      this.req = null;
      return;
    }
    // Nothing may follow a response that closes the connection. Older versions of Node compute `writableFinished` from their
    // own queue, so there the next response goes through it.
    if (this.isWritten) earlier.set(this.res, this.req!);
    if (this.isWritten && !this.res._last && WRITABLE_FINISHED !== undefined) this.release();
    else this.handOver();
  }

  /** Called before Node handles an exchange of this connection, which sets the timeout of an idle one at its end. */
  leaveNext(): void {
    if (idleTimeoutOf(this.origin.server) < Infinity) this.hasKeepAliveTimeout = true;
  }

  /** Makes the exchange Node's, as if Node had created the messages and called the application. */
  private handOver(): void {
    const { req, socket, origin } = this;
    // Without its socket for a moment, a corked response would be flushed
    socket.cork();
    const res = this.res!;
    const { _events, _eventsCount, _keepAliveTimeout, shouldKeepAlive } = res;
    const listeners = origin.server._events;
    const { request } = listeners;
    this.res = null;
    this.req = null;
    socket._httpMessage = null;
    (res as { socket: Socket | null }).socket = null;
    // Node is about to emit `socket` and `request` again.
    res._events = undefined;
    res._eventsCount = 0;
    listeners.request = ignore;
    // Node would also flush the response, which emits `drain` and has no listeners any more.
    res._flush = ignore;
    // Already published when the exchange began.
    if (started.hasSubscribers) started.publish = ignore;
    handedOver = res;
    try {
      this.onIncoming(req!, true);
    } finally {
      handedOver = undefined;
      listeners.request = request;
      Reflect.deleteProperty(started, 'publish');
      Reflect.deleteProperty(res, '_flush');
      const added = res.listeners('finish') as (() => void)[];
      res._events = _events;
      res._eventsCount = _eventsCount;
      // Node's listener takes the place of ours, between those that were added before and after it
      const before = res.rawListeners('finish') as (() => void)[];
      res.removeAllListeners('finish');
      for (const each of before.flatMap(listener => (listener === this.onFinish ? added : [listener])))
        res.on('finish', each);
      res.shouldKeepAlive = shouldKeepAlive;
      res._keepAliveTimeout = _keepAliveTimeout;
      socket.uncork();
    }
  }

  /** Writes the response in progress as text, and ends it. */
  endInOneWrite(res: NativeResponse, text: string, encoding: BufferEncoding): void {
    const { socket } = this;
    markSent(res);
    // Encrypted writes are not complete when `write` returns, and listeners must not be called before.
    if (this.isHeard(res) || socket.encrypted) {
      socket.write(text, encoding, error => {
        complete(res, socket, error);
      });
    } else {
      socket.write(text, encoding);
      if (socket.writableLength === 0) {
        this.isWritten = true;
        nodeProcess.nextTick(completeQuietly, this, res);
      } else {
        socket.write('', 'latin1', error => {
          complete(res, socket, error);
        });
      }
    }
    res._finish();
  }

  /**
   * Writes the header block of the response in progress and its body, and ends it.
   * @param encoding of the block, and of the body if that is text
   */
  endInTwoWrites(res: NativeResponse, block: string, body: string | Buffer, encoding: BufferEncoding): void {
    const { socket } = this;
    markSent(res);
    socket.cork();
    socket.write(block, encoding);
    socket.write(body, encoding, error => {
      complete(res, socket, error);
    });
    socket.uncork();
    res._finish();
  }

  /** Lets the next request on the connection begin. */
  private release(): void {
    const { socket } = this;
    this.res = null;
    socket._httpMessage = null;
    this.idleTimeout = idleTimeoutOf(this.origin.server);
    if (this.idleTimeout === Infinity) return;
    // Node replaces a timeout of the program here, too; `closeWhenIdle` does what its timer would
    if (socket.timeout! > 0) socket.setTimeout(0);
    this.hasKeepAliveTimeout = true;
  }

  /** Returns the request of a response whose exchange has not ended. `res.req` may have been replaced. */
  requestOf(res: NativeResponse): NativeRequest | undefined {
    return this.res === res ? this.req! : earlier.get(res);
  }

  /** Whether a response has listeners other than `onFinish`. */
  isHeard({ _events, _eventsCount }: NativeResponse): boolean {
    return _eventsCount !== 1 || _events?.finish !== this.onFinish;
  }

  /** Ends the exchange of a response. */
  settle(res: NativeResponse): void {
    const { socket } = this;
    const req = this.requestOf(res);
    // Something else has emitted `finish` again.
    if (req === undefined) return;
    if (finished.hasSubscribers)
      finished.publish({ request: req, response: res, socket, server: socket.server });
    if (this.res === res) this.release();
    else earlier.delete(res);
    if (DETACH_SIGNAL !== undefined) (req as unknown as Record<symbol, () => void>)[DETACH_SIGNAL]!();
    // The parser holds the request until it has been read, and the rest of a body is discarded.
    if (endUnread(req) || req.readableEnded) this.forget(req);
    else req.on('end', () => this.forget(req));
    (res as { socket: Socket | null }).socket = null;
    if (res._last) socket.destroySoon();
  }

  /** Lets parser and connection release a request, which an idle connection would otherwise keep, with all that refers to it. */
  private forget(req: NativeRequest): void {
    const { parser } = this.socket;
    if (parser?.incoming === req) parser.incoming = null;
    if (this.req === req) this.req = null;
  }
}

/** Connections whose first request was Node's. */
const servedByNode = new WeakSet<object>();

/** Called before Node handles a request. */
export function leaveToNodeOnce(socket: object): void {
  const connection = (socket as LightSocket)[CONNECTION];
  if (connection) connection.leaveNext();
  else servedByNode.add(socket);
}

/** The milliseconds that Node waits beyond the announced time, so that no request meets the close; older versions let none set it. */
const KEEP_ALIVE_BUFFER = 1000;

/** Returns for how many milliseconds a connection may be idle, as Node computes it; Infinity if it sets no timeout. */
function idleTimeoutOf({ keepAliveTimeout, keepAliveTimeoutBuffer = NaN }: NativeServer): number {
  if (!Number.isFinite(keepAliveTimeout) || keepAliveTimeout <= 0) return Infinity;
  return keepAliveTimeout + (keepAliveTimeoutBuffer >= 0 ? keepAliveTimeoutBuffer : KEEP_ALIVE_BUFFER);
}

/** The request of each response that ends in this tick, after the next request of its connection has begun. */
const earlier = new WeakMap<ServerResponse, NativeRequest>();

function markSent(res: NativeResponse): void {
  res._headerSent = true;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `writableEnded` is computed from it
  res.finished = true;
}

function ignore(): void {
  // The application has already got the request.
}

/** Called when everything has been written. */
function complete(res: NativeResponse, socket: NativeSocket, error: Error | null | undefined): void {
  // Newer versions do not let a response finish that has been destroyed, even if all of it was written
  const failure = error ?? (WRITABLE_FINISHED === undefined ? null : (res.errored ?? socket.errored));
  if (failure || socket._hadError) {
    noteFailed(res, failure);
    return;
  }
  noteFinished(res);
  res.emit('finish');
}

/** Called in the tick after everything has been written, if there were no listeners. */
function completeQuietly(connection: Connection, res: NativeResponse): void {
  // If Node has taken over this response since, older versions let it finish, and close the ones after it
  const isNative = WRITABLE_FINISHED === undefined && connection.res !== res;
  if (connection.socket.destroyed && !isNative) {
    const req = connection.requestOf(res);
    if (req !== undefined) abort(req);
    close(res);
    return;
  }
  noteFinished(res);
  if (connection.isHeard(res)) {
    res.emit('finish');
  } else {
    connection.settle(res);
    res.destroyed = true;
    res._closed = true;
  }
}

function noteFinished(res: NativeResponse): void {
  if (WRITABLE_FINISHED !== undefined) res[WRITABLE_FINISHED] = true;
  callEndCallbacks(res, null);
}

function noteFailed(res: NativeResponse, failure: Error | null): void {
  if (FLUSH_ERROR === undefined) return;
  const error =
    failure ??
    Object.assign(new Error('Cannot call end after a stream was destroyed'), {
      code: 'ERR_STREAM_DESTROYED',
    });
  res[FLUSH_ERROR] = error;
  callEndCallbacks(res, error);
}

function callEndCallbacks(res: NativeResponse, error: Error | null): void {
  if (END_CALLBACKS === undefined || res[END_CALLBACKS] === null) return;
  const callbacks = res[END_CALLBACKS] as ((error: Error | null) => void)[];
  res[END_CALLBACKS] = null;
  for (const callback of callbacks) callback(error);
}

function close(res: NativeResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** Reports that the connection closed before the response was complete. */
function abort(req: NativeRequest): void {
  req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
}

/** The listener for `close` of a connection. */
function onClosed(this: LightSocket): void {
  const connection = this[CONNECTION];
  const res = connection?.res;
  if (res == null) return;
  connection!.res = null;
  abort(connection!.req!);
  // An application may have detached the response.
  if (this._httpMessage === res) close(res);
}

/** Returns the connection; undefined until its first light request, null if its requests are Node's. */
export function connectionOf(socket: NativeSocket): Connection | null | undefined {
  return (socket as LightSocket)[CONNECTION];
}

/** Leaves all further requests of a connection to Node: its server gets it again, with another parser. */
export function leaveToNode(socket: object): void {
  (socket as LightSocket)[CONNECTION] = null;
}

/** Returns the connection of a response in progress; undefined if the exchange is Node's. */
export function lightConnectionOf(res: ServerResponse): Connection | undefined {
  const connection = (res.socket as LightSocket | null | undefined)?.[CONNECTION];
  return connection?.res === res ? connection : undefined;
}

/** Whether the exchange of a request is light, or was when its response was sent. */
export function isLight(req: { socket: unknown }): boolean {
  return (req.socket as LightSocket | null | undefined)?.[CONNECTION]?.req === req;
}
