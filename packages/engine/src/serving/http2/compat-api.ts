/**
 * Handles requests of Node's HTTP/2 compatibility API: those of a server that the application shares with other
 * listeners, or the first one of a server created with the application. The application gets its own messages:
 * properties that other code has set on the original messages are copied, and what the application sends goes through
 * the original response, so that patches of it are called.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { messageClasses } from '../adopt';
import type { Adopter } from '../adopt';
import { makeMessages } from '../virtual-response';
import type { HeadFields } from '../head';
import type { Head } from '../head';
import { isMethod, UNKNOWN_METHOD } from '../../router/methods';
import type { Next } from '../../types/next';
import { hasContent, REFUSAL, attachHttp2, targetOf } from './attach';
import type { AnyHttp2Server } from './attach';
import { guard, guardSession } from './guard';
import { checkSize } from './header-size';
import { limitTime } from './request-timeout';
import { noteStream } from './sessions';
import { closeUnread, StreamSocket } from './stream-socket';

type Done = (error?: Error | null) => void;
/** The part of an application that handles a request. */
export interface Handler extends Adopter {
  handle(req: IncomingMessage, res: ServerResponse, done?: Next): void;
}

/**
 * Passes a request of Node's compatibility API to an application.
 * @param next called if the application does not respond, with the error if there is one
 * @param report called for responses that HTTP/2 cannot express
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
    attachHttp2(app, server, report);
    guard(server);
    guardSession(server, stream.session);
    noteStream(server, stream);
  }
  if (!isMethod(req.method)) {
    res.writeHead(400, REFUSAL);
    res.end(UNKNOWN_METHOD);
    return;
  }
  const socket = new CompatSocket(req, res, report);
  const isWithContent = hasContent(stream);
  const own = makeMessages(messageClasses(app), socket, {
    ...targetOf(req.headers, req.rawHeaders, isWithContent),
    method: req.method,
    url: req.url,
  });
  copyMembers(req, own.req);
  carryHead(res, own.res);
  socket.begin(req.scheme, req.authority);
  if (server !== undefined) limitTime(server, socket);
  const out = (err?: unknown): void => {
    copyMembers(own.req, req);
    carryHead(own.res, res);
    next!(err);
  };
  app.handle(own.req, own.res, next === undefined ? undefined : out);
  if (!isWithContent || req.readableEnded) socket.completeRequest();
}

/** Copies properties set by middleware (`body`, `session`, `user`) to a message that lacks them. */
function copyMembers(from: object, to: object): void {
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

/** A virtual socket that reads and writes through the messages of the compatibility API. */
class CompatSocket extends StreamSocket {
  private isListening = false;

  constructor(
    private readonly outerReq: Http2ServerRequest,
    private readonly outerRes: Http2ServerResponse,
    report: (error: unknown) => void,
  ) {
    super(outerReq.stream, report);
  }

  protected override sendHead({ status, fields, isBodiless, sendDate }: Head, isLast: boolean): void {
    const { outerRes, stream } = this;
    if (outerRes.headersSent) {
      this.goOn(status);
      if (isLast) outerRes.end();
      return;
    }
    if (stream.destroyed || stream.closed) {
      this._hadError = true;
      return;
    }
    checkSize(stream, fields);
    for (const name of outerRes.getHeaderNames()) {
      if (fields[name] === undefined) outerRes.removeHeader(name);
    }
    outerRes.sendDate = sendDate;
    outerRes.writeHead(status, fields);
    if (!isLast) return;
    outerRes.end();
    if (isBodiless) closeUnread(stream);
  }

  /**
   * Passes no callback and does not require a return value, because replacements of these methods may not support them.
   */
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
    const { outerRes, stream, trailers } = this;
    stream.once('finish', done);
    const { sendTrailers } = stream;
    // Node's listener for the trailers of the outer response calls this, and nothing would catch an error.
    stream.sendTrailers = all => {
      this.sendTrailers(all as HeadFields, sendTrailers);
    };
    outerRes.addTrailers(trailers);
    outerRes.end();
  }

  protected override awaitEnd(): void {
    // The outer request keeps both until it is read
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
