/** The response to requests that do not match their schemas, as problem details (RFC 9457). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { prototypesOf } from '../http/adopt';
import type { Application } from '../types/internals';
import type { ValidationError } from '../types/validation';

const TYPE = 'application/problem+json';

/**
 * Sends the error as problem details if it is a validation error and the client accepts JSON and does not prefer HTML.
 * @returns whether it was sent
 */
export function sendProblem(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): boolean {
  if (!isValidationError(error) || res.headersSent || !wantsJson(app, req)) return false;
  const { status, message, type, issues, omitted } = error;
  const title = STATUS_CODES[status];
  const body = jsonOrUndefined({
    type: 'about:blank',
    title,
    status,
    detail: message,
    code: type,
    issues: issues.map(sendable),
    omitted,
  });
  if (body === undefined) return false;
  for (const name of res.getHeaderNames()) if (DESCRIBES_BODY.has(name)) res.removeHeader(name);
  res.statusCode = status;
  res.setHeader('Content-Type', TYPE);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
  return true;
}

/** Removes the value of an issue if it has no JSON form: a BigInt, or an object with a cycle. */
function sendable<Issue extends { value?: unknown }>(issue: Issue): Issue {
  return jsonOrUndefined(issue) === undefined ? { ...issue, value: undefined } : issue;
}

/** Returns a value as JSON, or undefined if it has no JSON form. An error thrown here would end the process. */
function jsonOrUndefined(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
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

function isValidationError(error: unknown): error is ValidationError {
  try {
    if (!(error instanceof Error)) return false;
    const { type, issues } = error as Partial<ValidationError>;
    return type === 'validation.failed' && Array.isArray(issues);
  } catch {
    // Any value can be thrown, and reading some values throws: this one is not a validation error.
    return false;
  }
}

function wantsJson(app: Application, req: IncomingMessage): boolean {
  // A request that the application has not adopted has no `accepts`.
  const accepts = prototypesOf(app).request.accepts as (
    this: IncomingMessage,
    ...types: string[]
  ) => string | false;
  const chosen = accepts.call(req, TYPE, 'json', 'html');
  return chosen === TYPE || chosen === 'json';
}
