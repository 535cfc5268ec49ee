/**
 * Compares how responses behave with our methods and with Node's own: the same programs run on both, with a stand-in for a socket. All observable behaviour must be the same: bytes, events, callbacks with their
 * errors, and the state in between.
 */
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A way to send a complete body: `respond`, or `res.end`. */
export type Send = (res: ServerResponse, body: string | Buffer | undefined) => void;

type Listener = (error?: Error | null) => void;

/** A socket that records what is written, and reports the writes as completed or failed on request. */
class Recorder extends EventEmitter {
  writable = true;
  destroyed = false;
  writableCorked = 0;
  writableHighWaterMark = 16384;
  writableLength = 0;
  _writableState = { corked: 0 };
  _hadError = false;
  readonly written: string[] = [];
  private callbacks: Listener[] = [];

  write(chunk: string | Buffer, encoding?: BufferEncoding | Listener | null, callback?: Listener): boolean {
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk, (encoding ?? 'utf8') as BufferEncoding) : chunk;
    this.written.push(bytes.toString('latin1'));
    if (callback) this.callbacks.push(callback);
    return true;
  }

  /** Calls the callbacks of all writes. @param error the reason if they failed */
  settle(error?: Error): void {
    if (error !== undefined) this._hadError = true;
    const callbacks = this.callbacks;
    this.callbacks = [];
    for (const callback of callbacks) callback(error);
  }

  cork(): void {
    this.writableCorked++;
  }

  uncork(): void {
    this.writableCorked = 0;
  }
}

/** A response under examination, with everything observed so far. */
interface Examined {
  res: ServerResponse;
  socket: Recorder;
  send: Send;
  note: (what: unknown) => void;
}

type Program = (examined: Examined) => void;

const programs: Program[] = [
  ({ res, send, socket, note }) => {
    res.setHeader('X-Text', 'value');
    res.setHeader('x-text', 'value');
    res.setHeader('X-Number', 5);
    res.setHeader('Set-Cookie', ['a=1', 'b=2']);
    res.setHeader('X-Removed', 'value');
    res.removeHeader('X-REMOVED');
    res.setHeader('Content-Length', '5');
    note([res.getHeaders(), res.getHeaderNames(), res.hasHeader('x-removed'), res.getHeader('X-TEXT')]);
    send(res, 'hello');
    res.end(() => {
      note('late callback');
    });
    socket.settle();
  },
  ({ res, send, socket }) => {
    res.statusCode = 404;
    res.setHeader('Content-Length', '6');
    send(res, Buffer.from('h\u00e9llo'));
    socket.settle(new Error('write failed'));
  },
  ({ res, send, socket }) => {
    res.statusCode = 304;
    res.setHeader('ETag', '"a"');
    send(res, undefined);
    socket.settle();
  },
  ({ res, socket, note }) => {
    res.setHeader('Content-Type', 'text/plain');
    res.end('h\u00e9llo', 'utf8');
    note(errorOf(() => res.setHeader('X-Late', 'value')));
    socket.settle();
    res.end();
  },
  ({ res, socket, note }) => {
    note([
      errorOf(() => res.setHeader('bad name', 'value')),
      errorOf(() => res.setHeader('X-Bad', 'a\nb')),
      errorOf(() => res.setHeader('X-None', undefined as never)),
    ]);
    res.end(Buffer.from('bytes'));
    socket.settle();
  },
];

function errorOf(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * Tests whether responses with one of our prototypes behave as Node's own.
 * @param prototype a prototype of responses with our methods; it inherits from Node's
 * @param send sends such a response
 */
export function behavesAsNode(prototype: object, send: Send): boolean {
  const endIt: Send = (res, body) => {
    res.end(body);
  };
  return programs.every(
    program => transcript(program, prototype, send) === transcript(program, ServerResponse.prototype, endIt),
  );
}

function examine(prototype: object, send: Send): Examined & { notes: unknown[] } {
  const socket = new Recorder();
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'GET', httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  const res = new ServerResponse(req);
  Object.setPrototypeOf(res, prototype);
  res.shouldKeepAlive = true;
  const notes: unknown[] = [];
  return { res, socket, send, notes, note: what => notes.push(what) };
}

/** Returns everything observed of a response while a program runs. */
function transcript(program: Program, prototype: object, send: Send): string {
  const examined = examine(prototype, send);
  const { res, socket, notes } = examined;
  const state = (event: string): void => {
    const { headersSent, statusCode, statusMessage, writableEnded, writableFinished } = res;
    notes.push([event, headersSent, statusCode, statusMessage, writableEnded, writableFinished]);
  };
  for (const event of ['prefinish', 'finish', 'close', 'error']) {
    res.on(event, () => {
      state(event);
    });
  }
  res.assignSocket(socket as unknown as Socket);
  program(examined);
  state('end');
  const bytes = socket.written.join('').replace(/Date: [^\r]*/, 'Date: now');
  return JSON.stringify([notes, bytes]);
}
