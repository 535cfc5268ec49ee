/** Responds when no handler did, or when an error was not handled, with the short pages of connect 2. */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import escapeHtml = require('escape-html');
import onFinished = require('on-finished');
import {
  endPlainly,
  refuseMethod,
  sendFinalResponse as finishAsInBase,
  requestTracer,
} from '@ristretto/private-engine/lib/application';
import { PAGE_POLICY } from '@ristretto/private-engine/lib/protocol';
import { logError } from '@ristretto/private-engine/lib/report';
import { asBase } from './routing';
import type { Application } from './routing';

interface Page {
  status: number;
  body: string;
}

type Field = 'status' | 'statusCode' | 'stack';

/**
 * Responds with 404, or with the error's status, or 500; error details are shown only outside production. If the
 * headers have already been sent, the socket is destroyed, so that no client takes a truncated body for a complete one.
 * @param err the error that no handler handled, if any
 */
export function sendFinalResponse(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err?: unknown,
): void {
  if (res.headersSent || app.get('error format') === 'problem') {
    finishAsInBase(asBase(app), req, res, err);
    return;
  }
  if (!err && refuseMethod(asBase(app), req, res)) return;
  if (err) requestTracer()?.traceError(asBase(app), req, res, err);
  const page = err ? pageOf(err, res, app.get('env')) : notFound(req);
  if (err) {
    logError(app, { message: 'unhandled request error', error: err, req, res });
  }
  send(req, res, page);
}

function notFound(req: IncomingMessage): Page {
  const { originalUrl = req.url } = req as { originalUrl?: string };
  return { status: 404, body: `Cannot ${escapeHtml(String(req.method))} ${escapeHtml(String(originalUrl))}` };
}

function pageOf(err: unknown, res: ServerResponse, env: string): Page {
  const status = statusOf(err, res);
  const text = env === 'production' ? (STATUS_CODES[status] ?? String(status)) : errorText(err);
  return {
    status,
    body: escapeHtml(text).replace(/\n/g, '<br>').replace(/ {2}/g, ' &nbsp;'),
  };
}

/** Returns the first status that is set, on the error and then on the response; 500 if it is not an error status. */
function statusOf(err: unknown, res: ServerResponse): number {
  const given = fieldOf(err, 'status') || fieldOf(err, 'statusCode') || res.statusCode;
  const status = attempt(() => Math.trunc(Number(given))) ?? NaN;
  return status >= 400 && status <= 599 ? status : 500;
}

/** Returns the stack of an error, or any other value as text. */
function errorText(err: unknown): string {
  return attempt(() => String(fieldOf(err, 'stack') || err)) ?? 'An error that cannot be converted to text';
}

function fieldOf(err: unknown, name: Field): unknown {
  return attempt(() => (Object(err) as Partial<Record<Field, unknown>>)[name]);
}

/**
 * Returns the result of a function, or `undefined` if it throws: an error value whose getters or `toString` throw must
 * not end the process.
 */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Sends the page once the request body is read, so that the connection can be reused. */
function send(req: IncomingMessage, res: ServerResponse, page: Page): void {
  const write = (): void => {
    if (res.headersSent) return;
    try {
      writePage(req, res, page);
    } catch {
      // A header of the program that cannot be sent, or a wrapper that throws: nothing else would catch that
      endPlainly(res);
    }
  };
  if (onFinished.isFinished(req)) {
    write();
    return;
  }
  req.unpipe();
  onFinished(req, write);
  req.resume();
}

function writePage(req: IncomingMessage, res: ServerResponse, { status, body }: Page): void {
  res.statusCode = status;
  res.statusMessage = STATUS_CODES[status] ?? '';
  res.removeHeader('Content-Encoding');
  res.removeHeader('Content-Language');
  // The page has a length, so Node would throw for trailers, and nothing would catch that.
  res.removeHeader('Trailer');
  // `Content-Range` of a 416 contains the size of the file
  if (status !== 416) res.removeHeader('Content-Range');
  res.setHeader('Content-Security-Policy', PAGE_POLICY);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body) + 1);
  res.end(req.method === 'HEAD' ? undefined : `${body}\n`);
}
