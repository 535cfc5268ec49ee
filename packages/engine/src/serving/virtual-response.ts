/**
 * Connects a request and response to a virtual socket: passes it the header section instead of formatting one
 * for HTTP/1.1, and does what Node's server does for a request once its response is sent.
 */
import {
  OutgoingMessage,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import type { IncomingMessage } from 'node:http';
import { trimBlanks } from '../protocol/blanks';
import type { FieldValue } from './header-store';
import { OUT_HEADERS, wereNative } from './native';
import { createRequest, createResponse } from './adopt';
import type { MessageClasses } from './adopt';
import type { Content } from './content';
import { FieldSet } from './head';
import { OF_CONNECTION } from './fields';
import type { HeadFields } from './head';
import { WRITER, TextForm } from './write-content';
import { ensureSocket } from './socketless';
import type { Head, VirtualRequest, VirtualResponse } from './head';
import { symbolNamed } from './node-internals';
import type { VirtualSocket } from './virtual-socket';

const HOST = Symbol('virtual socket');

interface VirtualMessage extends VirtualResponse {
  _headerSent: boolean;
  _hasBody: boolean;
  _contentLength: number | null;
  _removedContLen: boolean;
  outputData: unknown[];
  _storeHeader(firstLine: string, given: GivenFields): void;
  _finish(): void;
  _send: unknown;
  [symbol: symbol]: unknown;
}

type Entries = Record<string, [name: string, value: FieldValue] | undefined>;
type GivenFields =
  Entries | Record<string, FieldValue | undefined> | [string, FieldValue][] | FieldValue[] | null | undefined;

/** Set as `_header`: Node stores the HTTP/1.1 header block there, and here only checks that it is set. */
const HEAD_IS_MADE = '\r\n';

/** The symbol with which newer versions of Node record that a response has emitted `finish`; older ones compute it. */
const FINISHED = symbolNamed(new OutgoingMessage(), 'kWritableFinished');

const { _finish: nativeFinish } = ServerResponse.prototype as unknown as VirtualMessage;
const { _send: nativeSend } = OutgoingMessage.prototype as unknown as VirtualMessage;

/** The properties of a request. */
export interface Target {
  method: string;
  url: string;
  version: [major: number, minor: number];
  /** Alternating names and values. */
  rawHeaders: string[];
}

/**
 * Creates the request and response objects.
 * @param classes those of the application
 */
export function makeMessages(
  classes: MessageClasses,
  socket: VirtualSocket,
  { method, url, version, rawHeaders }: Target,
): { req: IncomingMessage; res: ServerResponse } {
  const req = createRequest(classes, socket as never);
  req.httpVersionMajor = version[0];
  req.httpVersionMinor = version[1];
  req.httpVersion = `${version[0]}.${version[1]}`;
  req.method = method;
  req.url = url;
  (req as VirtualRequest)._addHeaderLines(rawHeaders, rawHeaders.length);
  const res = createResponse(classes, req) as VirtualMessage;
  res[HOST] = socket;
  if (wereNative) res[WRITER] = writeOverVirtualSocket;
  res._storeHeader = storeHeader;
  res._finish = endVirtualResponse;
  ensureSocket(req, res, socket);
  socket.host(req, res);
  res.on('finish', onFinish);
  res.on('error', ignoreLateWrite);
  return { req, res };
}

/**
 * Over HTTP/1.1, a write after the end only ends the process in the same tick: Node closes the response in the next one. Here,
 * the response closes when its stream has, and a pipe that begins in between would end the process.
 */
function ignoreLateWrite(this: ServerResponse, error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_WRITE_AFTER_END' && this.listenerCount('error') === 1) throw error;
}

function onFinish(this: ServerResponse): void {
  hostOf(this as VirtualMessage).release();
}

const hostOf = (res: VirtualMessage): VirtualSocket => res[HOST] as VirtualSocket;

/** Replaces Node's method that formats the header block. */
function storeHeader(this: VirtualMessage, _firstLine: string, given: GivenFields): void {
  const head = makeHead(this, given);
  head.length = lengthOf(head.fields);
  this._header = HEAD_IS_MADE;
  this._headerSent = true;
  this.chunkedEncoding = false;
  hostOf(this).takeHead(head);
}

/** Replaces Node's method that is called after the last write of a response. */
function endVirtualResponse(this: VirtualMessage): void {
  nativeFinish.call(this);
  hostOf(this).end();
}

/**
 * Sends a complete response, if nothing has been written before and nothing will follow. Returns whether it was sent.
 */
function writeOverVirtualSocket(response: ServerResponse, body: Content = '', form: TextForm): boolean {
  const res = response as VirtualMessage;
  const encoding = form === TextForm.asciiBytes ? 'latin1' : 'utf8';
  const socket = hostOf(res);
  if (!isReady(res, socket)) return false;
  const { statusCode } = res;
  if (statusCode === 204 || statusCode === 205 || statusCode === 304) res._hasBody = false;
  const content = res._hasBody ? body : '';
  res._contentLength = typeof content === 'string' ? Buffer.byteLength(content, encoding) : content.length;
  res.statusMessage ??= STATUS_CODES[statusCode] ?? 'unknown';
  const head = makeHead(res, fieldsOf(res));
  head.length = res._contentLength;
  if (res._hasBody) head.fields['content-length'] = String(res._contentLength);
  else lengthOf(head.fields);
  res._header = HEAD_IS_MADE;
  res._headerSent = true;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `writableEnded` is computed from it
  res.finished = true;
  socket.respond(head, content, encoding, () => {
    if (socket._hadError) return;
    if (FINISHED !== undefined) res[FINISHED] = true;
    res.emit('finish');
  });
  nativeFinish.call(res);
  return true;
}

function isReady(res: VirtualMessage, socket: VirtualSocket): boolean {
  return (
    res._header === null &&
    !res.writableEnded &&
    socket._httpMessage === res &&
    !socket.destroyed &&
    res._send === nativeSend &&
    res._storeHeader === storeHeader &&
    !res.strictContentLength &&
    res._trailer === '' &&
    res.writableCorked === 0 &&
    res.outputData.length === 0 &&
    typeof res.statusCode === 'number' &&
    Number.isInteger(res.statusCode) &&
    res.statusCode >= 200 &&
    res.statusCode <= 999
  );
}

function fieldsOf(res: VirtualMessage): GivenFields {
  return OUT_HEADERS === undefined ? res.getHeaders() : (res[OUT_HEADERS] as GivenFields);
}

/** Creates the header section. @throws TypeError for an invalid name or value passed to `writeHead` */
function makeHead(res: VirtualMessage, given: GivenFields): Head {
  const fields = collectFields(res, given);
  const { statusCode: status, statusMessage: reason, sendDate } = res;
  // Node sends the content of a 205 over HTTP/1.1, but neither HTTP/2 streams nor a `Response` accept it.
  const isBodiless = !res._hasBody || status === 205;
  const isCounted = typeof res._contentLength === 'number' && !res._removedContLen && !isBodiless;
  if (isCounted && fields['content-length'] === undefined) {
    fields['content-length'] = String(res._contentLength);
  }
  if (status === 205 && fields['content-length'] !== undefined) fields['content-length'] = '0';
  return { status, reason, fields, length: undefined, isBodiless, sendDate };
}

/** Returns the value of Content-Length; removes a malformed one. */
function lengthOf(fields: HeadFields): number | undefined {
  const value = fields['content-length'];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(String(value))) return Number(value);
  delete fields['content-length'];
  return undefined;
}

function collectFields(res: VirtualMessage, given: GivenFields): HeadFields {
  const fields = new FieldSet();
  if (given == null) return fields;
  if (Array.isArray(given)) {
    const isFlat = !Array.isArray(given[0]);
    for (let i = 0; i < given.length; i += isFlat ? 2 : 1) {
      const [name, value] = isFlat ? [given[i], given[i + 1]] : (given[i] as [string, FieldValue]);
      addChecked(fields, String(name), value as FieldValue);
    }
  } else if (OUT_HEADERS !== undefined && given === res[OUT_HEADERS]) {
    for (const key in given) add(fields, key, (given as Entries)[key]![1]);
  } else {
    for (const name of Object.keys(given)) {
      addChecked(fields, name, (given as Record<string, FieldValue>)[name]!);
    }
  }
  return fields;
}

function addChecked(fields: HeadFields, name: string, value: FieldValue): void {
  validateHeaderName(name);
  for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one as string);
  add(fields, name.toLowerCase(), value);
}

function add(fields: HeadFields, key: string, value: FieldValue): void {
  if (OF_CONNECTION.has(key)) return;
  // Over HTTP/1.1, Node sends any other object, and null, as its text
  const values = Array.isArray(value) ? Array.from(value, trimmed) : trimmed(value);
  const first = fields[key];
  fields[key] = first === undefined ? values : [first, values].flat();
}

/** Trims whitespace around a value, which HTTP/2 clients reject (RFC 9113, section 8.2.1). */
function trimmed(value: unknown): string {
  return trimBlanks(String(value));
}
