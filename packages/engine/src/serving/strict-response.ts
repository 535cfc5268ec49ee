/** The corrections of `strict http` to responses, made when the header block is written (RFC 9110 and RFC 9112). */
import { types } from 'node:util';
import type { ServerResponse } from 'node:http';
import { hooks } from './hook-gate';
import { requestOf } from './request-of';

/** Marks a response whose content depends on the method, so that its length for HEAD would be wrong for GET. */
const UNKNOWN_LENGTH: unique symbol = Symbol('unknown length');

interface StrictResponse extends ServerResponse {
  [UNKNOWN_LENGTH]?: true;
  /** If false, Node omits the content. */
  _hasBody: boolean;
}

/** Headers about the content that a 304 does not have (RFC 9110, section 15.4.5). */
const METADATA = [
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'Transfer-Encoding',
];

/** Marks the response to HEAD as having a different length from the response to GET. */
export function forgetLength(res: ServerResponse): void {
  (res as StrictResponse)[UNKNOWN_LENGTH] = true;
}

/**
 * Corrects the header block before it is written. With a status that is not valid for a final response, `writeHead`,
 * and so `end` and `write`, throw a RangeError.
 */
export function governResponse(res: ServerResponse): void {
  const writeHead = res.writeHead as (status: number, reason?: string) => ServerResponse;
  const end = res.end as (...args: unknown[]) => ServerResponse;
  res.writeHead = function (this: StrictResponse, status: number, ...rest: unknown[]) {
    const reason = hooks().applyWriteHeadArguments(this, rest);
    correct(this, status);
    return reason === undefined ? writeHead.call(this, status) : writeHead.call(this, status, reason);
  };
  res.end = function (this: StrictResponse, ...args: unknown[]) {
    correctLength(this, args[0], args[1]);
    return end.apply(this, args);
  } as ServerResponse['end'];
}

/** RFC 9110, section 8.6: if the content is complete, replaces a wrong Content-Length. */
function correctLength(res: ServerResponse, content: unknown, encoding: unknown): void {
  if (res.headersSent || !res.hasHeader('Content-Length')) return;
  if (typeof content !== 'string' && !types.isUint8Array(content)) return;
  const length =
    typeof content === 'string'
      ? Buffer.byteLength(content, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
      : content.byteLength;
  if (Number(res.getHeader('Content-Length')) !== length) res.setHeader('Content-Length', length);
}

function correct(res: StrictResponse, status: number): void {
  if (res.headersSent) return;
  if ((status < 200 && status !== 101) || status > 599) {
    throw new RangeError(
      `strict http: ${status} is not the status of a final response: use one from 200 to 599`,
    );
  }
  if (status === 204 || status === 101) remove(res, ['Content-Length', 'Transfer-Encoding']);
  else if (status === 205) removeContent(res);
  else if (status === 304) removeMetadata(res);
  // RFC 9110, section 14.4: it is left over from a file that could not be sent
  if (status !== 206 && status !== 416) remove(res, ['Content-Range']);
  correctFraming(res);
  nameUpgrade(res);
  encodeLocation(res);
  res.sendDate = true;
}

function remove(res: ServerResponse, names: string[]): void {
  // Removing a header that is not set would keep Node from adding its own
  for (const name of names) if (res.hasHeader(name)) res.removeHeader(name);
}

/** RFC 9110, section 15.3.6: a 205 has no content. */
function removeContent(res: StrictResponse): void {
  remove(res, ['Transfer-Encoding']);
  res.setHeader('Content-Length', '0');
  res._hasBody = false;
}

/** RFC 9110, section 15.4.5: of two validators, only the stronger one is sent. */
function removeMetadata(res: ServerResponse): void {
  remove(res, METADATA);
  if (res.hasHeader('ETag')) remove(res, ['Last-Modified']);
}

/** RFC 9112, sections 6.1 and 6.2; RFC 9110, section 8.6: removes wrong framing. */
function correctFraming(res: StrictResponse): void {
  const req = requestOf(res);
  if (req?.httpVersion === '1.0') remove(res, ['Transfer-Encoding']);
  if (res.hasHeader('Transfer-Encoding') || (res[UNKNOWN_LENGTH] === true && req?.method === 'HEAD')) {
    remove(res, ['Content-Length']);
  }
}

/** RFC 9110, section 7.8: Upgrade applies to this connection only, so Connection must list it. */
function nameUpgrade(res: ServerResponse): void {
  if (!res.hasHeader('Upgrade')) return;
  const options = String(res.getHeader('Connection') ?? (res.shouldKeepAlive ? '' : 'close'));
  if (/\bupgrade\b/i.test(options)) return;
  res.setHeader('Connection', options === '' ? 'Upgrade' : `Upgrade, ${options}`);
}

/**
 * RFC 9110, section 10.2.2: encodes characters not allowed in a URI, except brackets around an IPv6 address. Clients
 * treat a backslash as a slash, so one right after the host is replaced by a slash: encoded, it would turn the host
 * into a user name.
 */
function encodeLocation(res: ServerResponse): void {
  const location = res.getHeader('Location');
  if (typeof location !== 'string') return;
  const [, authority = '', rest = ''] = /^((?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\]*)?([^]*)$/i.exec(location)!;
  const path = authority !== '' && rest.startsWith('\\') ? `/${rest.slice(1)}` : rest;
  const encoded = authority + path.replace(/[\\^|[\]`{}"<>]/g, character => encodeURIComponent(character));
  if (encoded !== location) res.setHeader('Location', encoded);
}
