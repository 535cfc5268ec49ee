/**
 * The class of the sockets that handlers get: it extends that of `ws`, which handles the protocol, with limits and a
 * stop.
 */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { closedSockets } from '../../report/channels';
import { logError } from '../../report/log';
import type { Logging } from '../../report/log';
import type { SocketMessageError } from '../../types/websocket';
import type { ResolvedOptions } from './socket-options';
import type { WsSocket, WsSocketClass } from './ws';
import { AsyncResource } from 'node:async_hooks';
import { verifiedNode } from '../../serving/node-internals';
import { makeIssue } from '../validation/issues';
import type { Check, Outcome } from '../validation/schema';
import { isPromise } from '../validation/schema';
import { nodeProcess } from '../../node-process';

/** RFC 6455, section 7.4.1. */
const UNSUPPORTED = 1003;
const INVALID = 1007;

type Read = { value: unknown } | { error: SocketMessageError };

/** Returns the output of the schema, or an error; a promise of it if the schema is asynchronous. */
function readMessage(data: Buffer, isBinary: boolean, check: Check): Read | Promise<Read> {
  if (isBinary) return { error: errorOf(UNSUPPORTED, 'Expected text, got a binary message') };
  let input: unknown;
  try {
    input = JSON.parse(data.toString());
  } catch {
    return { error: errorOf(INVALID, 'Expected JSON') };
  }
  const outcome = check(input);
  if (isPromise(outcome)) return Promise.resolve(outcome).then(settled => resultOf(settled, input));
  return resultOf(outcome, input);
}

function resultOf(outcome: Outcome, input: unknown): Read {
  if (outcome.issues === undefined) return { value: outcome.value };
  const issues = outcome.issues.map(issue => {
    const { path, message } = makeIssue('body', issue, input, false);
    return { path, message };
  });
  const [first] = issues;
  return { error: errorOf(INVALID, `Invalid message: ${first?.path ?? ''} ${first?.message ?? ''}`, issues) };
}

function errorOf(
  code: 1003 | 1007,
  message: string,
  issues: SocketMessageError['issues'] = [],
): SocketMessageError {
  return Object.assign(new Error(message), { code, issues });
}

/** The symbols that every resource has. */
const OF_RESOURCES = /^(?:trigger_)?async_id_symbol$/;

/**
 * Returns the context that `AsyncLocalStorage` has a store in; undefined if it has none, which is worth knowing: on Node 20,
 * entering a context for each message takes a tenth of the time of an echo.
 */
function currentContext(): AsyncResource | undefined {
  // Not `AsyncLocalStorage.snapshot`, whose functions take 2 KB each on Node 20.
  const resource = new AsyncResource('WebSocket');
  // Other runtimes keep stores elsewhere.
  if (verifiedNode === undefined) return resource;
  return Object.getOwnPropertySymbols(resource).some(symbol => isStore(resource, symbol))
    ? resource
    : undefined;
}

/** Node keeps stores under symbols, which are undefined if there is none. Whatever is unknown counts as a store. */
function isStore(resource: AsyncResource, symbol: symbol): boolean {
  const value = (resource as unknown as Record<symbol, unknown>)[symbol];
  return value !== undefined && !OF_RESOURCES.test(symbol.description ?? '');
}

/** RFC 6455, section 7.4.1, and its registry at IANA. */
const INTERNAL_ERROR = 1011;
const OPEN = 1;

type SendCallback = (error?: Error) => void;

/** The sockets of one client, including those that are being opened. */
export interface Client {
  readonly key: string | undefined;
  count: number;
}

/** The members that the framework adds to a socket of `ws`. */
export interface ServerSocket extends WsSocket {
  /** The group of its heartbeat. */
  group: number;
  /** The application that logs errors of listeners. */
  owner: object | undefined;
  /** The id of the request, for the log. */
  requestId: unknown;
  /** Where it counts, and its client there. */
  registry: { remove(socket: ServerSocket): boolean } | undefined;
  client: Client | undefined;
  /** The time between two pings, in milliseconds. */
  readonly interval: number;
  /** Calls a function in the asynchronous context of the request. */
  run<Args extends unknown[]>(fn: (this: ServerSocket, ...args: Args) => unknown, ...args: Args): unknown;
  busy<Work>(work: PromiseLike<Work>): PromiseLike<Work>;
  /** Returns a promise that is fulfilled when all promises passed to `busy` have settled. */
  whenIdle(): Promise<void>;
  /** Whether the peer has sent anything since the last call. */
  hasShownLife(): boolean;
}

/** The stream that carries a socket; over HTTP/2, it has no counters. */
type Carrier = Duplex & { bytesRead?: number; bytesWritten?: number };

type SocketClass = new (...args: unknown[]) => ServerSocket;

/**
 * Creates the class of a route's sockets.
 * @param Base the class of `ws`
 */
export function socketClass(Base: WsSocketClass, settings: ResolvedOptions): SocketClass {
  const { maxBacklog, dropsMessages, check, heartbeat } = settings;
  // On Bun, an emitter that captures rejections has an `emit` of its own, which would also hide the one below.
  const { emit } = new EventEmitter({ captureRejections: true });
  const hidesEmit = emit !== EventEmitter.prototype.emit;

  class Socket extends Base implements ServerSocket {
    group = 0;
    owner: object | undefined = undefined;
    requestId: unknown = undefined;
    registry: ServerSocket['registry'] = undefined;
    client: Client | undefined = undefined;
    private readonly context = currentContext();
    private work: Set<PromiseLike<unknown>> | undefined = undefined;
    private isAlive = true;
    private read = -1;
    private sent = 0;
    private hasBacklog = false;
    /** The validation of the last message; the next one waits for it. */
    private validating: Promise<void> | undefined = undefined;

    constructor(...args: unknown[]) {
      super(...args);
      // Rejections of async listeners would end the process: this passes them to the method below.
      (EventEmitter as unknown as (this: EventEmitter, options: object) => void).call(this, {
        captureRejections: true,
      });
      if (hidesEmit) Reflect.deleteProperty(this, 'emit');
    }

    override emit(event: string | symbol, ...args: unknown[]): boolean {
      if (event === 'message') {
        this.isAlive = true;
        if (check !== undefined) return this.validate(args[0] as Buffer, args[1] as boolean);
        return this.deliver(args[0], args[1] as boolean);
      } else if (event === 'pong' || event === 'ping') {
        this.isAlive = true;
      } else if (event === 'error') {
        // `ws` closes the connection by itself; without a listener, the event would end the process.
        if (this.listenerCount('error') === 0) return false;
      } else if (event === 'close') {
        this.leave(args[0] as number, args[1] as Buffer);
      }
      return this.pass(event, args);
    }

    get interval(): number {
      return heartbeat;
    }

    run<Args extends unknown[]>(fn: (this: ServerSocket, ...args: Args) => unknown, ...args: Args): unknown {
      if (this.context === undefined) return fn.apply(this, args);
      return this.context.runInAsyncScope(fn, this, ...args);
    }

    /** Overridden, because a listener for `close` would double the memory that the framework adds to a socket. */
    private leave(code: number, reason: Buffer): void {
      // A socket that failed before its handler received it was never reported as open.
      if (this.registry?.remove(this) === true && closedSockets.hasSubscribers) {
        closedSockets.publish({ socket: this, code, reason: reason.toString() });
      }
    }

    private deliver(message: unknown, isBinary: boolean): boolean {
      try {
        // Does the same as `run`, but without an array of arguments for the most frequent event.
        if (this.context === undefined) return emit.call(this, 'message', message, isBinary);
        return this.context.runInAsyncScope(emit as never, this, 'message', message, isBinary);
      } catch (error) {
        this.break(error);
        return true;
      }
    }

    private pass(event: string | symbol, args: unknown[]): boolean {
      try {
        return this.run(emit as never, event, ...args) as boolean;
      } catch (error) {
        this.break(error);
        return true;
      }
    }

    [Symbol.for('nodejs.rejection') as never](error: unknown): void {
      this.break(error);
    }

    private break(error: unknown): void {
      reportFailure(this, error);
    }

    /** Emits the output of the schema. Messages keep their order: each waits for those before it. */
    private validate(data: Buffer, isBinary: boolean): boolean {
      const read = (): ReturnType<typeof readMessage> => readMessage(data, isBinary, check!);
      const { validating } = this;
      if (validating !== undefined) {
        void this.hold(validating.then(() => this.settle(read, isBinary)));
        return true;
      }
      try {
        const outcome = read();
        if ('then' in outcome) void this.hold(this.settle(() => outcome, isBinary));
        else this.settled(outcome, isBinary);
      } catch (error) {
        this.break(error);
      }
      return true;
    }

    /** Never rejects. */
    private async settle(read: () => ReturnType<typeof readMessage>, isBinary: boolean): Promise<void> {
      try {
        this.settled(await read(), isBinary);
      } catch (error) {
        this.break(error);
      }
    }

    /** Lets the client wait while a message is validated, so that only data that has already arrived is buffered. */
    private async hold(validating: Promise<void>): Promise<void> {
      this.validating = validating;
      const isOurs = !this.isPaused;
      this.pause();
      await validating;
      if (this.validating !== validating) return;
      this.validating = undefined;
      if (isOurs) this.resume();
    }

    private settled(outcome: { value: unknown } | { error: SocketMessageError }, isBinary: boolean): void {
      if ('value' in outcome) {
        this.deliver(outcome.value, isBinary);
      } else if (this.listenerCount('invalid') > 0) {
        this.pass('invalid', [outcome.error]);
      } else {
        this.close(outcome.error.code, reasonOf(outcome.error));
      }
    }

    override send(data: unknown, options?: unknown, callback?: SendCallback): void {
      if (this.bufferedAmount > maxBacklog) {
        this.refuse(typeof options === 'function' ? (options as SendCallback) : callback);
        return;
      }
      super.send(data, options, callback);
    }

    /** Also called for the automatic responses to pings. */
    override pong(...args: unknown[]): void {
      if (this.bufferedAmount > maxBacklog) {
        this.refuse(args.find(arg => typeof arg === 'function') as SendCallback | undefined);
        return;
      }
      super.pong(...args);
    }

    /** Handles a message that exceeds the backlog of a slow client. */
    private refuse(callback: SendCallback | undefined): void {
      const error = new Error(`More than ${maxBacklog} bytes are waiting for a slow reader`);
      if (!dropsMessages && this.readyState === OPEN) this.terminate();
      if (callback !== undefined) nodeProcess.nextTick(callback, error);
    }

    busy<Work>(work: PromiseLike<Work>): PromiseLike<Work> {
      const all = (this.work ??= new Set());
      all.add(work);
      const done = (): void => void all.delete(work);
      work.then(done, done);
      return work;
    }

    async whenIdle(): Promise<void> {
      while (this.work !== undefined && this.work.size > 0 && this.readyState === OPEN) {
        await Promise.race([
          Promise.allSettled(this.work),
          new Promise(resolve => this.once('close', resolve)),
        ]);
      }
    }

    hasShownLife(): boolean {
      const { _socket: carrier } = this as unknown as { _socket: Carrier };
      const { bytesRead = 0, bytesWritten = 0, writableLength } = carrier;
      const sent = bytesWritten - writableLength;
      // A large message may take longer than a heartbeat in either direction. Sent data counts only if it had to
      // wait: otherwise the pings themselves would count.
      const isAlive =
        this.isAlive || this.isPaused || bytesRead !== this.read || (this.hasBacklog && sent !== this.sent);
      this.isAlive = false;
      this.read = bytesRead;
      this.sent = sent;
      this.hasBacklog = writableLength > 0;
      return isAlive;
    }
  }

  return Socket;
}

/** Logs an error of the application, and closes the socket. */
export function reportFailure(socket: ServerSocket, error: unknown): void {
  const app = socket.owner as Logging | undefined;
  const { requestId } = socket;
  const entry = {
    message: 'unhandled WebSocket error',
    error,
    ...(requestId === undefined ? {} : { requestId }),
  };
  logError(app, entry);
  socket.close(INTERNAL_ERROR);
}

/** Returns a reason for the closing handshake, which may have 123 bytes. */
function reasonOf({ message }: Error): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= 123) return message;
  return new TextDecoder().decode(bytes.subarray(0, 120)).replace(/\uFFFD$/, '');
}
