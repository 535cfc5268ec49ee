/** Error responses: a page, or problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import web from 'ristretto';
import type { ErrorRequestHandler, RequestHandler } from 'ristretto';
import { log } from './log.js';

/** Returns an error whose message is sent to the client. */
export const problem = (status: number, message: string) =>
  new web.HttpError(status, message, { expose: true });

interface Failure extends Error {
  status?: number;
  code?: string;
  expose?: boolean;
  issues?: { location: string; path: string; message: string }[];
}

/**
 * The database or Redis is unavailable or starting: detected by error code, or by the message of errors without one.
 */
const AWAY = /^(?:ECONN|ETIMEDOUT|ENOENT|EPIPE|57|08|53)/;
const isAway = ({ code = '', constructor: { name }, message }: Failure) =>
  AWAY.test(code) ||
  /^(?:Client|Connection|Socket|Disconnects)/.test(name) ||
  /connection (?:terminated|timeout)|timeout exceeded|read timeout/i.test(message);

export const notFound: RequestHandler = (_req, _res, next) =>
  next(problem(404, 'There is nothing at this address.'));

export const errorPage: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const failure = (error instanceof Error ? error : new Error(String(error))) as Failure;
  const status = failure.status ?? (isAway(failure) ? 503 : 500);
  if (status >= 500) log.error({ err: failure, req }, 'request failed');
  if (res.headersSent) return next(error);

  let detail = 'That is our fault, and it has been noted.';
  if (status === 503) {
    detail =
      'A service that the board needs is unavailable at the moment. Please try again soon: nothing is posted twice.';
    res.set('Retry-After', '5');
  } else if (failure.expose) detail = failure.message;
  else if (status < 500) detail = 'The request was not understood.';

  const title = STATUS_CODES[status] ?? 'Error';
  res.status(status).set('Cache-Control', 'no-store').vary('Accept');
  if (req.originalUrl.startsWith('/api/') || req.accepts(['html', 'json']) !== 'html') {
    return res
      .type('application/problem+json')
      .send(JSON.stringify({ type: 'about:blank', title, status, detail, issues: failure.issues }));
  }
  res.render('error', { title, status, detail });
};
