/** What `strict http` asks of a request that Node has let pass (RFC 9110 and RFC 9112). */
import type { IncomingMessage } from 'node:http';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';
import { isAuthority, parseRequestTarget } from '../protocol/request-target';
import { markStrict } from './strict';

/** The request target as it came, whatever mounting has made of it. */
export function targetOf(req: IncomingMessage): string {
  return (req as { originalUrl?: string }).originalUrl ?? req.url!;
}

/**
 * Says why a request is to be refused, and otherwise lets its fields say what they mean: `Host` the host of a target
 * in absolute form, `Range` nothing where it is to be ignored.
 * @returns an error with status 400, 501 or 505, or undefined
 */
export function examineRequest(req: IncomingMessage): HttpError | undefined {
  markStrict(req);
  ignoreRange(req);
  return wrongVersion(req) ?? wrongTargetOrHost(req) ?? wrongContent(req);
}

function refuse(status: number, message: string): HttpError {
  // no other answer is awaited on the connection: what follows may be anything
  return httpError(status, message, { headers: { Connection: 'close' }, stack: undefined });
}

/** RFC 9110, section 2.5: Node reads a whole message as HTTP/1, whatever version it says. */
function wrongVersion(req: IncomingMessage): HttpError | undefined {
  return req.httpVersionMajor === 1 ? undefined : refuse(505, `HTTP/${req.httpVersion} is not supported`);
}

/** RFC 9112, section 3.2: the target in its form, one Host, and the target's host before that of Host. */
function wrongTargetOrHost(req: IncomingMessage): HttpError | undefined {
  const target = parseRequestTarget(req.method!, targetOf(req));
  if (target === undefined) return refuse(400, 'bad request target');
  const { host } = req.headers;
  const isHost = host === undefined ? req.httpVersion === '1.0' : host === '' || isAuthority(host);
  if (!isHost || countLines(req, 'host') > 1) return refuse(400, 'bad Host');
  if (target.form === 'absolute') req.headers.host = target.authority!;
  return undefined;
}

/** RFC 9112, section 6.1: `chunked` and nothing else, not in HTTP/1.0; RFC 9110, section 9.3.8: TRACE has no content. */
function wrongContent(req: IncomingMessage): HttpError | undefined {
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined) {
    if (req.httpVersion === '1.0') return refuse(400, 'Transfer-Encoding in HTTP/1.0');
    const others = coding
      .toLowerCase()
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && name !== 'chunked');
    if (others.length > 0) return refuse(501, 'unknown transfer coding');
    if (coding.toLowerCase().split('chunked').length !== 2)
      return refuse(400, 'chunked must occur exactly once');
  }
  const hasContent = coding !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  return hasContent && req.method === 'TRACE' ? refuse(400, 'TRACE with content') : undefined;
}

/** RFC 9110, section 14.2: Range is for GET only. */
function ignoreRange({ headers, method }: IncomingMessage): void {
  if (headers.range !== undefined && method !== 'GET') delete headers.range;
}

function countLines({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === name) count++;
  }
  return count;
}
