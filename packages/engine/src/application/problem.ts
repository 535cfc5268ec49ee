/** Responses to errors as problem details (RFC 9457). */
import { isError } from '../realms';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { deferred } from '../deferred';
import { explainsErrors } from '../report/development';
import type * as errorPage from '../dev/error-page/explain';
import { preferredMediaType } from '../protocol/accept-media';
import { HttpError } from '../protocol/http-error';
import { pathnameOf } from '../protocol/url';
import { isValidated } from '../router/routes-at';
import type { Application } from '../types/internals';
import type { ValidationError } from '../types/validation';
import { presentable, statusOf } from './presentable-error';

const TYPE = 'application/problem+json';
const OFFERS = [TYPE, 'application/json', 'text/html'];

const errorPages = deferred(() => require('../dev/error-page/explain') as typeof errorPage, explainsErrors);

type Problem = Record<string, unknown>;

/**
 * Sends problem details if the client accepts JSON and does not prefer HTML: for all errors and for requests without a
 * handler if the setting `error format` is `'problem'`; otherwise for requests that do not match their schemas, or whose body
 * cannot be read for them.
 * @param error undefined if no handler responded
 * @returns the status if it was sent
 */
export function sendProblem(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): number | undefined {
  const sendsAll = app.get('error format') === 'problem';
  if (!sendsAll && !isOfInput(app, req, error)) return undefined;
  if (res.headersSent || !wantsJson(req)) return undefined;
  const body = bodyOf(app, req, res, error);
  if (body === undefined) return undefined;
  for (const name of res.getHeaderNames()) if (DESCRIBES_BODY.has(name)) res.removeHeader(name);
  for (const [name, value] of Object.entries(body.headers)) res.setHeader(name, value);
  res.statusCode = body.status;
  res.statusMessage = STATUS_CODES[body.status]!;
  res.setHeader('Content-Type', TYPE);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Length', Buffer.byteLength(body.text));
  res.end(body.text);
  return body.status;
}

interface Body {
  status: number;
  text: string;
  headers: Record<string, string>;
}

/** Returns the problem details of an error; undefined if the error cannot be read, or has no JSON form. */
function bodyOf(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): Body | undefined {
  try {
    const status = error === undefined ? 404 : (statusOf(Object(error) as object) ?? ownStatus(res) ?? 500);
    // Removes headers that cannot be sent
    const { headers } = Object(presentable(error)) as { headers?: Record<string, string> };
    let problem = error === undefined ? unhandled(req) : problemOf(error, status);
    // The stack of a validation error would only show the framework.
    if (error !== undefined && !isValidationError(error) && explainsErrors(app.settings)) {
      // The members of an HttpError come last, so that clients get the same values as in production.
      problem = { ...problem, ...errorPages().explanationOf(req, app.settings, error), ...problem };
    }
    const text = jsonOf(problem);
    return { status, text, headers: { ...headers } };
  } catch {
    return undefined;
  }
}

/** A member that has no JSON form, such as a cycle, must not cost the whole response. */
function jsonOf(problem: Problem): string {
  const readable = (_name: string, value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : value;
  try {
    return JSON.stringify(problem, readable);
  } catch {
    const { type, title, status, detail } = problem;
    return JSON.stringify({ type, title, status, detail }, readable);
  }
}

/** A handler may have set the status before it failed. */
function ownStatus({ statusCode }: ServerResponse): number | undefined {
  return statusCode >= 400 && statusCode < 600 ? statusCode : undefined;
}

function unhandled({ method, url }: IncomingMessage): Problem {
  const path = pathnameOf(url!) ?? '';
  return {
    type: 'about:blank',
    title: STATUS_CODES[404],
    status: 404,
    detail: `Cannot ${method!} ${path}`,
    code: 'path.unknown',
  };
}

function problemOf(error: unknown, status: number): Problem {
  const title = STATUS_CODES[status];
  const plain: Problem = { type: 'about:blank', title, status };
  const { message, expose, type, code } = Object(error) as Partial<ValidationError> & { code?: unknown };
  // A message of the file system would name the file.
  if (expose !== true || (error as { syscall?: unknown }).syscall !== undefined) return plain;
  plain.detail = message;
  if (error instanceof HttpError) return { ...plain, ...error.problem, status };
  plain.code = type ?? code;
  if (!isValidationError(error)) return plain;
  return { ...plain, issues: error.issues.map(sendable), omitted: error.omitted };
}

/** Removes the value of an issue if it has no JSON form: a BigInt, or an object with a cycle. */
function sendable<Issue extends { value?: unknown }>(issue: Issue): Issue {
  try {
    JSON.stringify(issue);
    return issue;
  } catch {
    return { ...issue, value: undefined };
  }
}

/** Headers that describe the body a handler had prepared, which is not sent. */
const DESCRIBES_BODY = new Set([
  'content-encoding',
  'content-language',
  'content-range',
  'etag',
  'last-modified',
  'trailer',
]);

/** Errors of body parsers, and of validation for a type of body that none reads. */
const OF_BODIES = /^(?:entity|encoding|charset|request|parameters|media|querystring)\.[\w.]+$/;

/** Whether an error is about the input of a route that is validated. */
function isOfInput(app: Application, req: IncomingMessage, error: unknown): boolean {
  if (isValidationError(error)) return true;
  try {
    const { type, status } = Object(error) as { type?: unknown; status?: unknown };
    if (typeof type !== 'string' || !OF_BODIES.test(type) || !(Number(status) < 500)) return false;
    return type === 'media.unsupported' || isForValidated(app, req);
  } catch {
    return false;
  }
}

/** Whether the request is for a route with schemas: a parser has failed before the request reached it. */
function isForValidated(
  app: Application,
  { url, originalUrl = url, method }: IncomingMessage & { originalUrl?: string },
): boolean {
  const path = pathnameOf(originalUrl!);
  return path !== undefined && isValidated(app, path, method!);
}

function isValidationError(error: unknown): error is ValidationError {
  try {
    if (!isError(error)) return false;
    const { type, issues } = error as Partial<ValidationError>;
    return type === 'validation.failed' && Array.isArray(issues);
  } catch {
    // Any value can be thrown, and reading some values throws: this one is not a validation error.
    return false;
  }
}

function wantsJson({ headers }: IncomingMessage): boolean {
  const chosen = preferredMediaType(headers.accept ?? '*/*', OFFERS);
  return chosen === 0 || chosen === 1;
}
