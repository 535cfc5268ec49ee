/**
 * An HTTP/2 client that sends frames as given, valid or not (RFC 9113, section 4.1), to test how a server handles
 * clients that misbehave in ways Node's own client cannot.
 */
import net from 'node:net';
import tls from 'node:tls';

/** Frame types (RFC 9113, section 6). */
export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Flags; END_STREAM and ACK are the same bit. */
export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

const FRAME_HEADER = 9;

export interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** Builds a frame. The length is the payload's, unless another one is given. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const header = Buffer.alloc(FRAME_HEADER);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** Encodes headers of less than 127 bytes as literals that are not added to a table (RFC 7541, section 6.2.2). */
export function literals(fields: Record<string, string>): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name, 'latin1'),
    Buffer.from([value.length]),
    Buffer.from(value, 'latin1'),
  ]);
  return Buffer.concat(parts);
}

/** The header block of a request. Pseudo-header fields go first (RFC 9113, section 8.3). */
export function requestBlock(
  path = '/',
  { ':method': method = 'GET', ...fields }: Record<string, string> = {},
): Buffer {
  return literals({ ':method': method, ':scheme': 'http', ':authority': 'x', ':path': path, ...fields });
}

/** A complete request without content. */
export function request(stream: number, path = '/', fields: Record<string, string> = {}): Buffer {
  return frame(HEADERS, END_STREAM | END_HEADERS, stream, requestBlock(path, fields));
}

/** One setting (RFC 9113, section 6.5.1). */
export function setting(identifier: number, value: number): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(identifier, 0);
  payload.writeUInt32BE(value, 2);
  return payload;
}

/** A 32-bit number: the payload of RST_STREAM and WINDOW_UPDATE. */
export function number(value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
}

/** What a client sends first: the preface and an empty SETTINGS frame. */
export const OPENING = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0)]);

/** Parses the frames in these bytes; an incomplete frame at the end is ignored. */
export function parseFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + FRAME_HEADER <= bytes.length;) {
    const end = at + FRAME_HEADER + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    frames.push({
      type: bytes[at + 3]!,
      flags: bytes[at + 4]!,
      stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
      payload: bytes.subarray(at + FRAME_HEADER, end),
    });
    at = end;
  }
  return frames;
}

/** Where to connect. */
export interface Where {
  port: number;
  isSecure?: boolean;
}

/** A connection of raw frames. Stores what the server sends, up to a limit. */
export class RawSession {
  readonly socket: net.Socket;
  readonly closed: Promise<void>;
  isClosed = false;
  private readonly chunks: Buffer[] = [];
  private kept = 0;

  constructor({ port, isSecure = false }: Where) {
    const host = '127.0.0.1';
    this.socket = isSecure
      ? tls.connect({ port, host, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      : net.connect(port, host);
    this.socket.on('data', chunk => {
      this.kept += chunk.length;
      if (this.kept < MOST_KEPT) this.chunks.push(chunk);
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise(resolve => {
      this.socket.once('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
  }

  /** Sends bytes; resolves when there is room for more, or the connection closes. */
  send(...parts: Uint8Array[]): Promise<void> {
    const { socket } = this;
    if (this.isClosed || socket.destroyed) return Promise.resolve();
    const hasRoom = socket.write(Buffer.concat(parts));
    if (hasRoom) return new Promise(setImmediate);
    const drained = new Promise<void>(resolve => socket.once('drain', resolve));
    return Promise.race([drained, this.closed]);
  }

  get frames(): Frame[] {
    return parseFrames(Buffer.concat(this.chunks));
  }

  /** The error code of GOAWAY, if the server has sent one. */
  get goAway(): number | undefined {
    return this.frames.find(({ type }) => type === GOAWAY)?.payload.readUInt32BE(4);
  }

  /** Resolves with the first matching frame, or undefined when the connection closes or the timeout expires. */
  async waitFor(isIt: (frame: Frame) => boolean, milliseconds = 5000): Promise<Frame | undefined> {
    for (const end = Date.now() + milliseconds; ; await new Promise(resolve => setTimeout(resolve, 5))) {
      const found = this.frames.find(isIt);
      if (found !== undefined || this.isClosed || Date.now() > end) return found;
    }
  }

  /** Resolves with whether the server closes the connection within this time. */
  closes(milliseconds: number): Promise<boolean> {
    const timeout = new Promise<boolean>(resolve => setTimeout(resolve, milliseconds, false).unref());
    return Promise.race([this.closed.then(() => true), timeout]);
  }

  destroy(): void {
    this.socket.destroy();
  }
}

const MOST_KEPT = 1 << 20;
