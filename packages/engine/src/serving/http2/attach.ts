/**
 * The entry point of HTTP/2: turns the streams of a server into requests and responses of the application.
 *
 * Node's HTTP/2 compatibility API creates its own messages for each stream, and they lack many members that middleware
 * relies on. If the application is the only listener for `request`, the server's streams are handled here instead; if
 * other listeners share the server, `compat-api.ts` creates messages for the application when it is called.
 */
import type * as Http2 from 'node:http2';
import type { Http2SecureServer, Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { setImmediate } from 'node:timers';
import { messageClasses } from '../adopt';
import type { Adopter, MessageClasses } from '../adopt';
import { makeMessages } from '../virtual-response';
import { isMethod, UNKNOWN_METHOD } from '../../router/methods';
import { noteUpgrade } from '../../router/upgrade';
import type { Upgrade } from '../../router/upgrade';
import { guard, guardSession } from './guard';
import { limitTime } from './request-timeout';
import { noteStream } from './sessions';
import { StreamSocket } from './stream-socket';
import { undocumented } from '../node-internals';

type StreamListener = (
  this: unknown,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: string[],
) => void;

export type AnyHttp2Server = (Http2Server | Http2SecureServer) & {
  /** Undocumented, but as old as `EventEmitter`. */
  _events?: { request?: unknown; stream?: unknown };
};

/** The servers whose streams are handled here. */
const served = new WeakSet<object>();

/**
 * Handles the streams of a server for an application.
 * @param app the application, exactly as it is registered for the `request` event
 * @param report called with an error for each response that HTTP/2 cannot represent
 */
export function attachHttp2(app: Adopter, server: AnyHttp2Server, report: (error: unknown) => void): void {
  if (served.has(server) || server._events?.request !== app) return;
  const native = server._events.stream as StreamListener | undefined;
  // Node adds its own listener, bound to its classes, with the first `request` listener. Any other must not be
  // replaced.
  if (typeof native !== 'function' || native.name !== 'bound onServerStream' || hasOwnClasses(server)) return;
  served.add(server);
  guard(server);
  const classes = messageClasses(app);
  const listener: StreamListener = (stream, headers, flags, rawHeaders) => {
    noteStream(server, stream);
    guardSession(server, stream.session);
    const isSocket = asksForSocket(headers);
    if (server._events?.request !== app || (isSpecial(headers) && !isSocket)) {
      native.call(server, stream, headers, flags, rawHeaders);
      return;
    }
    if (isSocket) {
      serveSocket(server, classes, stream, targetOf(headers, rawHeaders, false), report);
      return;
    }
    if (!isMethod(headers[':method'])) {
      refuseMethod(stream);
      return;
    }
    const socket = new StreamSocket(stream, report);
    const { req, res } = makeMessages(classes, socket, targetOf(headers, rawHeaders, hasContent(stream)));
    socket.begin(headers[':scheme'], headers[':authority']);
    limitTime(server, socket);
    server.emit('request', req, res);
    if (!hasContent(stream)) socket.completeRequest();
  };
  server.removeListener('stream', native as never);
  server.on('stream', listener as never);
}

/** Whether the server was created with its own message classes, which must then be used. */
function hasOwnClasses(server: object): boolean {
  const options = undocumented<Record<string, unknown>>(server, 'options') ?? {};
  // The program that created the server has loaded this module; loading it with this file would slow down programs
  // without HTTP/2.
  const http2 = require('node:http2') as typeof Http2;
  return (['Http2ServerRequest', 'Http2ServerResponse'] as const).some(
    name => options[name] !== undefined && options[name] !== http2[name],
  );
}

/** Whether Node's own listener does more with a request than emit `request`. */
function isSpecial(headers: IncomingHttpHeaders): boolean {
  return headers.expect !== undefined || headers[':method'] === 'CONNECT';
}

/** Whether a request asks for a WebSocket (RFC 8441, section 4). */
function asksForSocket(headers: IncomingHttpHeaders): boolean {
  return headers[':method'] === 'CONNECT' && headers[':protocol'] === 'websocket';
}

/** Passes a request for a WebSocket to the application in the form that it has in HTTP/1.1: as a GET. */
function serveSocket(
  server: AnyHttp2Server,
  classes: MessageClasses,
  stream: ServerHttp2Stream,
  target: ReturnType<typeof targetOf>,
  report: (error: unknown) => void,
): void {
  const upgrade: Upgrade = { stream, head: Buffer.alloc(0), server, status: 200, isAccepted: false };
  const socket = new StreamSocket(stream, report, upgrade);
  const { req, res } = makeMessages(classes, socket, { ...target, method: 'GET' });
  socket.begin('encrypted' in stream.session!.socket ? 'https' : 'http', req.headers.host);
  (req as { upgrade?: boolean }).upgrade = true;
  noteUpgrade(req, upgrade);
  // The client could keep its half of a refused stream open.
  res.on('finish', () => {
    if (!upgrade.isAccepted) setImmediate(() => stream.close());
  });
  server.emit('request', req, res);
  socket.completeRequest();
}

/** The headers of the response to an unknown method. */
export const REFUSAL = { 'content-type': 'text/plain; charset=utf-8' };

function refuseMethod(stream: ServerHttp2Stream): void {
  // Node emits the error of a stream that the client resets.
  stream.on('error', () => undefined);
  stream.respond({ ':status': 400, ...REFUSAL });
  stream.end(UNKNOWN_METHOD);
}

export function hasContent(stream: ServerHttp2Stream): boolean {
  return !stream.endAfterHeaders;
}

/**
 * The request line and headers as they would be in HTTP/1.1: without pseudo-headers, and with the value of `:authority`
 * as `host` (RFC 9113, section 8.3.1). Content without a length is marked as chunked, as in HTTP/1.1, so that every
 * body parser detects it.
 */
export function targetOf(
  headers: IncomingHttpHeaders,
  raw: readonly string[],
  isWithContent: boolean,
): Parameters<typeof makeMessages>[2] {
  const authority = headers[':authority'];
  const rawHeaders: string[] = authority === undefined ? [] : ['host', authority];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.charCodeAt(0) !== COLON && (authority === undefined || name !== 'host')) {
      rawHeaders.push(name, raw[i + 1]!);
    }
  }
  if (isWithContent && headers['content-length'] === undefined)
    rawHeaders.push('transfer-encoding', 'chunked');
  return { method: headers[':method']!, url: headers[':path']!, version: [2, 0], rawHeaders };
}

const COLON = 0x3a;
