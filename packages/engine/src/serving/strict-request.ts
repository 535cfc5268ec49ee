/** The checks of `strict http` for requests that Node accepts (RFC 9110 and RFC 9112). */
import type { IncomingMessage } from 'node:http';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';
import { hasContent } from '../protocol/request-body';
import { isAuthority, parseRequestTarget } from '../protocol/request-target';
import { markStrict } from './strict';

/** Returns the request target as received, regardless of mounting. */
export function targetOf(req: IncomingMessage): string {
  return (req as { originalUrl?: string }).originalUrl ?? req.url!;
}

/**
 * Checks a request. Also corrects its headers: `Host` is set to the host of a target in absolute form, and a `Range`
 * that must be ignored is removed.
 * @returns an error with status 400, 501 or 505, or undefined
 */
export function examineRequest(req: IncomingMessage): HttpError | undefined {
  markStrict(req);
  ignoreRange(req);
  return wrongVersion(req) ?? wrongTargetOrHost(req) ?? wrongContent(req);
}

function refuse(status: number, message: string): HttpError {
  // No further response is expected on the connection, because the bytes that follow may be anything
  return httpError(status, message, { headers: { Connection: 'close' }, stack: undefined });
}

/** RFC 9110, section 2.5: Node parses a message as HTTP/1, whatever its version. */
function wrongVersion(req: IncomingMessage): HttpError | undefined {
  return req.httpVersionMajor === 1 ? undefined : refuse(505, `HTTP/${req.httpVersion} is not supported`);
}

/** RFC 9112, section 3.2: a valid target, a single Host, and precedence of the target's host over Host. */
function wrongTargetOrHost(req: IncomingMessage): HttpError | undefined {
  const target = parseRequestTarget(req.method!, targetOf(req));
  if (target === undefined) return refuse(400, 'bad request target');
  const { host } = req.headers;
  // Without a host, the URI of the request is invalid (RFC 9110, section 4.2.1), unless the target names it.
  const isHost = host
    ? isAuthority(host)
    : req.httpVersion === '1.0' || (host === '' && 'authority' in target);
  if (!isHost || countLines(req, 'host') > 1) return refuse(400, 'bad Host');
  if (target.form === 'absolute') req.headers.host = target.authority!;
  return undefined;
}

/** RFC 9112, section 6.1: only `chunked`, and not in HTTP/1.0. RFC 9110, section 9.3.8: no content with TRACE. */
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
  return hasContent(req.headers) && req.method === 'TRACE' ? refuse(400, 'TRACE with content') : undefined;
}

/** RFC 9110, section 14.2: Range applies only to GET. */
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
