/**
 * Requests with more headers than `server.maxHeadersCount`, 1,000 by default. Node 20 leaves those beyond out of
 * `req.headers`, with whatever depends on them; later versions reject such a request themselves, with 431.
 */
import type { IncomingMessage, Server } from 'node:http';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';

const DEFAULT_LIMIT = 1000;

/**
 * How many headers a request has beyond those in `req.headers`, as far as Node tells: it may have had more. At 0 it may
 * have had more, too: Node 20 also cuts off `rawHeaders`, at a multiple of 31. Less than 0, `req.headers` has all.
 */
export function excessHeaders(req: IncomingMessage): number {
  const limit = limitOf(req);
  // Stand-ins for requests may have no `rawHeaders`; HTTP/2 has a limit of its own.
  if (!(limit > 0) || (req.rawHeaders as string[] | undefined) === undefined) return -Infinity;
  return req.httpVersionMajor < 2 ? req.rawHeaders.length / 2 - limit : -Infinity;
}

/** The error for a request that can't be trusted to be as its headers say, since some are missing. */
export function tooManyHeaders(req: IncomingMessage, properties: object = {}): HttpError {
  const limit = limitOf(req);
  const message = `request has more than ${limit} headers, the limit of server.maxHeadersCount`;
  return httpError(431, message, { limit, type: 'headers.too.many', ...properties });
}

/** As Node reads the property: only a number counts, without its fraction; 0 means no limit. */
function limitOf(req: IncomingMessage): number {
  const server = (req.socket as { server?: Partial<Server> } | undefined)?.server;
  const most = server?.maxHeadersCount;
  return typeof most === 'number' ? Math.trunc(most) : DEFAULT_LIMIT;
}
