/**
 * Requests with more headers than `server.maxHeadersCount`, 1,000 by default. Node 20 omits the excess ones from
 * `req.headers`, with everything that depends on them; later versions reject such a request themselves, with 431.
 */
import type { IncomingMessage, Server } from 'node:http';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';

const DEFAULT_LIMIT = 1000;

/**
 * Returns how many headers were dropped, at least: Node 20 also truncates `rawHeaders`, at a multiple of 31, so even at
 * 0 some may be missing. If negative, `req.headers` is complete.
 */
export function excessHeaders(req: IncomingMessage): number {
  const limit = limitOf(req);
  // Mock requests may have no `rawHeaders`; HTTP/2 has its own limit.
  if (!(limit > 0) || (req.rawHeaders as string[] | undefined) === undefined) return -Infinity;
  return req.httpVersionMajor < 2 ? req.rawHeaders.length / 2 - limit : -Infinity;
}

/** Returns the error for a request whose headers cannot be trusted because some were dropped. */
export function tooManyHeaders(req: IncomingMessage, properties: object = {}): HttpError {
  const limit = limitOf(req);
  const message = `request has more than ${limit} headers, the limit of server.maxHeadersCount`;
  return httpError(431, message, { limit, type: 'headers.too.many', ...properties });
}

/** Reads the limit as Node does: only numbers count, truncated; 0 means no limit. */
function limitOf(req: IncomingMessage): number {
  const server = (req.socket as { server?: Partial<Server> } | undefined)?.server;
  const most = server?.maxHeadersCount;
  return typeof most === 'number' ? Math.trunc(most) : DEFAULT_LIMIT;
}
