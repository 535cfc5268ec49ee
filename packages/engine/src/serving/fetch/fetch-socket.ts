/** Stands in for the socket of a `Request` object: the response becomes a `Response` whose body is a stream. */
import { setImmediate } from 'node:timers';
import type { HeadFields } from '../head';
import { VirtualSocket } from '../virtual-socket';
import type { Head } from '../head';
import { bufferOf } from '../../protocol/bytes';
import { opensSocket, withdraw } from '../../router/upgrade';
import type { Peer } from './peer';
import type { FetchUpgrade } from './socket-hosts';
import { nodeProcess } from '../../node-process';

type Done = (error?: Error | null) => void;

/** How many bytes of a body are buffered before its reader requests more. */
const HIGH_WATER_MARK = 64 * 1024;

/** The status recorded for a client that has disconnected, by the convention of nginx. */
const CLIENT_CLOSED_REQUEST = 499;

const USED =
  'app.fetch: the body of the Request has already been read. Pass on a copy from request.clone(), made before reading it.';

/** Statuses for which `Response` accepts no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The members of a `Request` that are used. */
export interface RequestLike {
  readonly method: string;
  readonly url: string;
  readonly headers: Iterable<[string, string]>;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed?: boolean;
  readonly signal?: AbortSignal | null;
  /** The address of the client, as set by srvx. */
  readonly ip?: unknown;
}

export class FetchSocket extends VirtualSocket {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly encrypted: boolean;

  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private isPumping = false;
  private hasEnough = false;
  /** Called when the reader of the body requests more. */
  private waiting: Done | undefined;
  private isResolved = false;
  private isResponseOver = false;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private idleTime = 0;

  constructor(
    private readonly request: RequestLike,
    { address, port, encrypted }: Peer,
    private readonly settle: (response: Response) => void,
    report: (error: unknown) => void,
    /** Set for a WebSocket request: if it is accepted, the response opens the socket. */
    private readonly upgrade?: FetchUpgrade,
  ) {
    super(report);
    this.remoteAddress = address;
    this.remotePort = port;
    this.encrypted = encrypted;
  }

  /** Listens to the signal of the request; called once the request and response objects exist. */
  begin(): void {
    const { signal } = this.request;
    if (signal == null) return;
    if (signal.aborted) nodeProcess.nextTick(this.disconnect);
    else signal.addEventListener('abort', this.disconnect, { once: true });
  }

  /** Releases the signal and the timer, so that they keep nothing alive. */
  private letGo(): void {
    clearTimeout(this.idleTimer);
    this.request.signal?.removeEventListener('abort', this.disconnect);
  }

  protected override leave(): void {
    this.letGo();
    super.leave();
  }

  private readonly disconnect = (): void => {
    if (this.destroyed) return;
    if (this.isResponseOver) this.leave();
    else this.abort();
  };

  private resolve(response: Response): void {
    if (this.isResolved) return;
    this.isResolved = true;
    this.settle(response);
  }

  protected sendHead(head: Head, isLast: boolean): void {
    const { upgrade } = this;
    if (upgrade !== undefined && opensSocket(upgrade, head.status)) {
      this.openSocket(head, upgrade);
      return;
    }
    const isNull = isLast || head.isBodiless || WITHOUT_BODY.has(head.status);
    this.resolve(responseOf(head, isNull ? null : this.bodyStream()));
    if (isLast) this.endResponse();
  }

  /** @throws if the host refuses; the error page is then sent in place of the socket */
  private openSocket({ fields }: Head, upgrade: FetchUpgrade): void {
    delete fields['content-length'];
    upgrade.isAccepted = false;
    // Deno aborts the signal of a request that it upgrades.
    this.letGo();
    try {
      this.resolve(upgrade.open(headersOf(fields)));
    } catch (error) {
      withdraw(upgrade);
      throw error;
    }
    this.endResponse();
  }

  private bodyStream(): ReadableStream<Uint8Array> {
    const source: ConstructorParameters<typeof ReadableStream<Uint8Array>>[0] = {
      start: controller => {
        this.controller = controller;
      },
      pull: () => {
        const { waiting } = this;
        this.waiting = undefined;
        waiting?.();
      },
      cancel: () => {
        this.controller = undefined;
        this.disconnect();
      },
    };
    return new ReadableStream<Uint8Array>(source, strategy);
  }

  protected override sendWhole(
    head: Head,
    content: string | Uint8Array,
    encoding: BufferEncoding,
    done: Done,
  ): void {
    this.resolve(responseOf(head, WITHOUT_BODY.has(head.status) ? null : bytesOf(content, encoding)));
    this.endResponse();
    nodeProcess.nextTick(done);
  }

  protected sendContent(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    this.noteActivity();
    const { controller } = this;
    if (controller === undefined) {
      done();
      return;
    }
    controller.enqueue(bytesOf(chunk, encoding));
    if (controller.desiredSize! > 0) done();
    else this.waiting = done;
  }

  protected sendLast(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    this.controller?.enqueue(bytesOf(chunk, encoding));
    this.sendEnd(done);
  }

  protected sendEnd(done: Done): void {
    this.controller?.close();
    this.endResponse();
    done();
  }

  protected inform(_status: number, _fields: HeadFields): void {
    // The Fetch API has no informational responses.
  }

  private endResponse(): void {
    this.isResponseOver = true;
    this.controller = undefined;
    setImmediate(() => {
      this.leaveWhenComplete();
    });
  }

  private leaveWhenComplete(): void {
    const isRequestOver = this.req.complete || !this.isPumping;
    if (this.isResponseOver && isRequestOver && !this.destroyed) this.leave();
  }

  protected startReading(): void {
    this.hasEnough = false;
    const { body, bodyUsed } = this.request;
    if (this.isPumping || body === null) return;
    if (this.reader === undefined && (bodyUsed === true || body.locked)) {
      this.rejectUsed();
      return;
    }
    this.isPumping = true;
    void this.pump();
  }

  protected stopReading(): void {
    this.hasEnough = true;
  }

  /** Responds with 500: the body of the `Request` has already been read, which is not the client's fault. */
  private rejectUsed(): void {
    if (this.isResponseOver || this.destroyed) return;
    const error = new Error(USED);
    this.report(error);
    this.resolve(
      new Response(USED, { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    );
    this.destroy();
    this.req.destroy(error);
  }

  /** Reads the body of the request until the request stream's buffer is full. */
  private async pump(): Promise<void> {
    try {
      this.reader ??= this.request.body!.getReader();
      while (!this.hasEnough) {
        const { done, value } = await this.reader.read();
        this.noteActivity();
        if (done) {
          this.completeRequest();
          break;
        }
        this.hasEnough = !this.receive(bufferOf(value));
      }
      this.isPumping = false;
      if (this.isResponseOver) this.leaveWhenComplete();
    } catch {
      this.isPumping = false;
      this.disconnect();
    }
  }

  protected abortBoth(): void {
    this.letGo();
    if (this.upgrade?.isAccepted === true) withdraw(this.upgrade);
    const { controller, reader, waiting } = this;
    this.controller = undefined;
    this.waiting = undefined;
    this.resolve(new Response(null, { status: this._hadError ? CLIENT_CLOSED_REQUEST : 500 }));
    // Deferred: after aborting the signal, hosts cancel the body. If it has already failed, they would report an
    // application error.
    setImmediate(() => controller?.error(new Error('The response was aborted')));
    if (!this.req.complete) (reader ?? this.unreadBody())?.cancel().catch(() => undefined);
    waiting?.();
  }

  private unreadBody(): ReadableStream | undefined {
    const { body } = this.request;
    return body === null || body.locked ? undefined : body;
  }

  pendingBytes(): number {
    return 0;
  }

  protected watchIdle(milliseconds: number): void {
    this.idleTime = milliseconds;
    this.noteActivity();
  }

  private noteActivity(): void {
    if (this.idleTimer !== undefined) clearTimeout(this.idleTimer);
    if (this.idleTime === 0 || this.destroyed) return;
    this.idleTimer = setTimeout(() => {
      this.timedOut();
    }, this.idleTime);
  }
}

const strategy: QueuingStrategy<Uint8Array> = {
  highWaterMark: HIGH_WATER_MARK,
  size: chunk => chunk?.byteLength ?? 0,
};

/** @throws if `Response` does not accept the status or a header */
function responseOf(
  { status, reason, fields, sendDate }: Head,
  body: Uint8Array | ReadableStream | null,
): Response {
  const headers = headersOf(fields);
  if (sendDate && fields.date === undefined) headers.set('date', new Date().toUTCString());
  // Needed by workerd, which would otherwise encode a body with Content-Encoding a second time.
  const init = { status, statusText: reason, headers, encodeBody: 'manual' };
  return new Response(body as never, init);
}

function headersOf(fields: HeadFields): Headers {
  const headers = new Headers();
  for (const name of Object.keys(fields)) {
    for (const value of [fields[name]!].flat()) headers.append(name, value);
  }
  return headers;
}

/** Returns a copy, because the reader may keep the bytes and the writer may reuse its buffer. */
function bytesOf(chunk: string | Uint8Array, encoding: BufferEncoding): Uint8Array {
  return new Uint8Array(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
}
