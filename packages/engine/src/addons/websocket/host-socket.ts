/**
 * Wraps the socket of a host (Bun, Deno, workerd), which handles the protocol, in the interface of `ws`. `socketClass`
 * extends it there in place of the class of `ws`.
 */
import { types } from 'node:util';
import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { bufferOf } from '../../protocol/bytes';
import type { HostCarrier, SocketReceiver } from '../../router/upgrade';
import type { WsSocket } from './ws';
import { nodeProcess } from '../../node-process';

/** The values of `readyState`. */
const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** RFC 6455, section 7.4.1. */
const NO_STATUS = 1005;
const ABNORMAL = 1006;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
const MAX_REASON = 123;
/** Milliseconds that a peer has to complete the closing handshake, as with `ws`. */
const CLOSE_TIMEOUT = 30_000;

type SendCallback = (error?: Error) => void;
type Message = string | ArrayBuffer | ArrayBufferView | number;

interface SendOptions {
  binary?: boolean;
  fin?: boolean;
}

/** The limits of a route that `ws` checks by itself. */
interface HostLimits {
  readonly maxPayload: number;
  readonly maxBacklog: number;
}

export class HostSocket extends EventEmitter implements WsSocket, SocketReceiver {
  readyState: 0 | 1 | 2 | 3 = CONNECTING;
  binaryType: 'nodebuffer' | 'arraybuffer' | 'fragments' = 'nodebuffer';
  isPaused = false;
  /** Compression is a setting of the host. */
  readonly extensions = '';
  private carrier: HostCarrier | undefined;
  /** Messages that have arrived while the socket was paused: a host can't be told to stop reading. */
  private held: { bytes: Buffer; isBinary: boolean }[] = [];
  private heldBytes = 0;
  private bytesRead = 0;
  private bytesWritten = 0;
  private closeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly limits: HostLimits,
    /** The subprotocol, or an empty string. */
    readonly protocol: string,
  ) {
    super();
  }

  get bufferedAmount(): number {
    return this.carrier?.bufferedAmount ?? 0;
  }

  /** The counters that a socket of `ws` has on its stream, for the heartbeat. */
  get _socket(): { bytesRead: number; bytesWritten: number; writableLength: number } {
    const { bytesRead, bytesWritten, bufferedAmount } = this;
    return { bytesRead, bytesWritten, writableLength: bufferedAmount };
  }

  opened(carrier: HostCarrier): void {
    if (this.readyState !== CONNECTING) return;
    this.carrier = carrier;
    this.readyState = OPEN;
    this.emit('open');
  }

  received(data: string | ArrayBuffer | Uint8Array): void {
    if (this.readyState === CLOSED) return;
    const isBinary = typeof data !== 'string';
    const bytes = isBinary ? bytesOf(data) : Buffer.from(data);
    this.bytesRead += bytes.length;
    if (bytes.length > this.limits.maxPayload) {
      this.fail(TOO_BIG, 'Max payload size exceeded');
    } else if (!this.isPaused) {
      this.emitMessage(bytes, isBinary);
    } else {
      this.held.push({ bytes, isBinary });
      this.heldBytes += bytes.length;
      if (this.heldBytes <= this.limits.maxBacklog) return;
      this.held = [];
      this.fail(POLICY_VIOLATION, 'Too many messages arrived while the socket was paused');
    }
  }

  private emitMessage(bytes: Buffer, isBinary: boolean): void {
    const { binaryType } = this;
    if (!isBinary || binaryType === 'nodebuffer') this.emit('message', bytes, isBinary);
    else if (binaryType === 'arraybuffer') this.emit('message', new Uint8Array(bytes).buffer, true);
    else this.emit('message', [bytes], true);
  }

  heard(kind: 'ping' | 'pong', data: Uint8Array): void {
    if (this.readyState !== CLOSED) this.emit(kind, bufferOf(data));
  }

  failed(error: Error): void {
    if (this.readyState !== CLOSED) this.emit('error', error);
  }

  closed(code: number, reason: string): void {
    if (this.readyState === CLOSED) return;
    clearTimeout(this.closeTimer);
    this.resume();
    this.readyState = CLOSED;
    this.emit('close', code, Buffer.from(reason));
  }

  private fail(code: number, message: string): void {
    this.emit('error', new RangeError(message));
    this.close(code, message);
  }

  send(data: unknown, options?: unknown, callback?: unknown): void {
    const done = (typeof options === 'function' ? options : callback) as SendCallback | undefined;
    const { binary, fin } = (typeof options === 'object' && options !== null ? options : {}) as SendOptions;
    if (this.readyState === CONNECTING) throw notOpen(this.readyState);
    if (fin === false) throw new TypeError('socket.send(): fin: false is not available on this host');
    const message = messageOf(data as Message, binary);
    let error: Error | undefined;
    if (this.readyState === OPEN) {
      this.bytesWritten += typeof message === 'string' ? Buffer.byteLength(message) : message.length;
      this.carrier!.send(message);
    } else {
      error = notOpen(this.readyState);
    }
    if (done !== undefined) nodeProcess.nextTick(done, error);
  }

  close(code?: number, reason: string | Buffer = ''): void {
    const text = String(reason);
    if (code !== undefined && !isCloseCode(code)) {
      throw new TypeError('First argument must be a valid error code number');
    }
    if (Buffer.byteLength(text) > MAX_REASON) {
      throw new RangeError(`The message must not be greater than ${MAX_REASON} bytes`);
    }
    if (this.readyState === CONNECTING) this.closed(ABNORMAL, '');
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSING;
    this.closeTimer = setTimeout(() => {
      this.terminate();
    }, CLOSE_TIMEOUT);
    // The timers of workerd may be numbers.
    (this.closeTimer as Partial<NodeJS.Timeout>).unref?.();
    this.carrier!.close(code, text);
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSING;
    this.carrier?.terminate();
    nodeProcess.nextTick(() => {
      this.closed(ABNORMAL, '');
    });
  }

  ping(data: Message = '', _mask?: boolean, callback?: SendCallback): void {
    this.control('ping', data, callback);
  }

  pong(data: Message = '', _mask?: boolean, callback?: SendCallback): void {
    this.control('pong', data, callback);
  }

  private control(kind: 'ping' | 'pong', data: Message, callback?: SendCallback): void {
    if (this.readyState === CONNECTING) throw notOpen(this.readyState);
    const { carrier } = this;
    if (carrier?.[kind] === undefined) {
      throw new Error(
        `socket.${kind}() is not available on this host, which sends pings and pongs by itself`,
      );
    }
    const isOpen = this.readyState === OPEN;
    if (isOpen) carrier[kind](Buffer.from(messageOf(data) as string));
    if (callback !== undefined) nodeProcess.nextTick(callback, isOpen ? undefined : notOpen(this.readyState));
  }

  pause(): void {
    if (this.readyState !== CLOSED) this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    // A listener may pause the socket again.
    while (this.held.length > 0 && !this.isPaused) {
      const { bytes, isBinary } = this.held.shift()!;
      this.heldBytes -= bytes.length;
      this.emitMessage(bytes, isBinary);
    }
  }
}

function bytesOf(data: ArrayBuffer | Uint8Array): Buffer {
  return types.isAnyArrayBuffer(data) ? Buffer.from(data) : bufferOf(data);
}

/** Returns a message in the form in which hosts distinguish text from bytes. */
function messageOf(
  data: Message,
  binary = typeof data !== 'string' && typeof data !== 'number',
): string | Buffer {
  const isBytes = typeof data === 'object';
  if (!binary) return isBytes ? bytesOf(data as Uint8Array).toString() : String(data);
  return isBytes ? bytesOf(data as Uint8Array) : Buffer.from(String(data));
}

/** RFC 6455, section 7.4. */
function isCloseCode(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && ![1004, NO_STATUS, ABNORMAL].includes(code)) ||
    (code >= 3000 && code <= 4999)
  );
}

function notOpen(state: number): Error {
  const name = ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'][state];
  return new Error(`WebSocket is not open: readyState ${state} (${name})`);
}
