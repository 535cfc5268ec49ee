/**
 * Requests of Node's compatibility API for HTTP/2: those of a server that the application shares with other listeners, or
 * the first one of a server that was created with it. The application gets messages of its own beside them: what others
 * have left on theirs is carried over, and what the application sends goes through theirs, so that what others have
 * patched is called.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { messageClasses } from '../http/adopt';
import type { Adopter } from '../http/adopt';
import { makeMessages } from '../http/hosted';
import type { Head } from '../http/head';
import { hasContent, serve, targetOf } from './serve';
import type { AnyHttp2Server } from './serve';
import { guard, guardSession } from './guard';
import { noteStream } from './sessions';
import { StreamSocket } from './stream-socket';

type Done = (error?: Error | null) => void;
type Next = (err?: unknown) => void;

/** An application, as it is called with a request. */
export interface Handler extends Adopter {
  handle(req: IncomingMessage, res: ServerResponse, done?: Next): void;
}

/**
 * Lets an application handle a request of Node's compatibility API.
 * @param next is called where the application does not respond, with the error if there is one
 * @param report is told of responses that HTTP/2 has no form for
 */
export function handleForeign(
  app: Handler,
  req: Http2ServerRequest,
  res: Http2ServerResponse,
  next: Next | undefined,
  report: (error: unknown) => void,
): void {
  const { stream } = req;
  const { server } = (stream.session ?? {}) as { server?: AnyHttp2Server };
  if (server !== undefined) {
    serve(app, server, report);
    guard(server);
    guardSession(server, stream.session);
    noteStream(server, stream);
  }
  const socket = new CompatSocket(req, res, report);
  const isWithContent = hasContent(stream);
  const own = makeMessages(messageClasses(app), socket, {
    ...targetOf(req.headers, req.rawHeaders, isWithContent),
    method: req.method,
    url: req.url,
  });
  carry(req, own.req);
  carryHead(res, own.res);
  socket.begin(req.scheme, req.authority);
  const out = (err?: unknown): void => {
    carry(own.req, req);
    carryHead(own.res, res);
    next!(err);
  };
  app.handle(own.req, own.res, next === undefined ? undefined : out);
  if (!isWithContent || req.readableEnded) socket.completeRequest();
}

/** Copies what middleware has put on one message to another that lacks it: `body`, `session`, `user`. */
function carry(from: object, to: object): void {
  for (const [name, value] of Object.entries(from)) {
    if (!(name in to)) (to as Record<string, unknown>)[name] = value;
  }
}

interface WithHead {
  statusCode: number;
  readonly headersSent: boolean;
  getHeaders(): NodeJS.Dict<number | string | string[]>;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
}

function carryHead(from: WithHead, to: WithHead): void {
  if (from.headersSent || to.headersSent) return;
  to.statusCode = from.statusCode;
  for (const [name, value] of Object.entries(from.getHeaders())) {
    if (value !== undefined) to.setHeader(name, value);
  }
}

/** The stand-in that reads and writes by the messages of the compatibility API. */
class CompatSocket extends StreamSocket {
  private isListening = false;

  constructor(
    private readonly outerReq: Http2ServerRequest,
    private readonly outerRes: Http2ServerResponse,
    report: (error: unknown) => void,
  ) {
    super(outerReq.stream, report);
  }

  protected override sendHead({ status, fields, sendDate }: Head, isLast: boolean): void {
    const { outerRes, stream } = this;
    if (outerRes.headersSent) return;
    if (stream.destroyed || stream.closed) {
      this._hadError = true;
      return;
    }
    for (const name of outerRes.getHeaderNames()) {
      if (fields[name] === undefined) outerRes.removeHeader(name);
    }
    outerRes.sendDate = sendDate;
    outerRes.writeHead(status, fields);
    if (isLast) outerRes.end();
  }

  /** What others have put in place of these functions may not know of a callback, or return nothing. */
  protected override sendContent(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    if (this.stream.closed) {
      this.discard(done);
      return;
    }
    const hasRoom: unknown = this.outerRes.write(chunk, encoding);
    if (hasRoom === false) this.outerRes.once('drain', done);
    else done();
  }

  protected override sendLast(chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    if (this.stream.closed) {
      this.discard(done);
      return;
    }
    this.stream.once('finish', done);
    this.outerRes.end(chunk as string, encoding);
  }

  protected override sendEnd(done: Done): void {
    this.stream.once('finish', done);
    this.outerRes.addTrailers(this.trailers);
    this.outerRes.end();
  }

  protected override startReading(): void {
    const { outerReq } = this;
    if (this.isListening) {
      outerReq.resume();
      return;
    }
    this.isListening = true;
    outerReq.on('data', (chunk: Buffer) => {
      if (!this.receive(chunk)) outerReq.pause();
    });
    outerReq.on('end', () => {
      if (!outerReq.aborted && this.stream.rstCode === 0) this.completeRequest(outerReq.rawTrailers);
    });
  }

  protected override stopReading(): void {
    if (this.isListening) this.outerReq.pause();
  }
}
