/** `web.HttpError`: an error with a status, headers, and members for problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import { shown } from '../shown';
import type { HttpErrorConstructor, HttpErrorOptions } from '../types/http-error';

/** The usual errors, which have functions of their own. */
const USUAL = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  tooManyRequests: 429,
  unavailable: 503,
};

/** Rejects values that would otherwise fail, or be omitted, when the error is sent. @throws TypeError */
function checkArguments(message: unknown, options: unknown): void {
  if (message !== undefined && typeof message !== 'string') {
    throw new TypeError(
      `web.HttpError: expected the message as a string, got ${shown(message)}. Options are the third argument`,
    );
  }
  if (!isRecord(options)) {
    throw new TypeError(`web.HttpError: expected the options as an object, got ${shown(options)}`);
  }
  const { headers, expose } = options;
  if (headers !== undefined && !isRecord(headers)) {
    throw new TypeError(
      `web.HttpError: expected headers as an object, such as { 'Retry-After': '5' }, got ${shown(headers)}`,
    );
  }
  if (expose !== undefined && typeof expose !== 'boolean') {
    throw new TypeError(`web.HttpError: expose must be true or false, got ${shown(expose)}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// V8 names the class in the error for a call without `new`.
const HttpErrorClass = class HttpError extends Error {
  readonly status: number;
  readonly statusCode: number;
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly problem: Readonly<Record<string, unknown>>;
  declare readonly code?: string;

  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`web.HttpError: expected a status from 400 to 599, got ${shown(status)}`);
    }
    checkArguments(message, options);
    const { cause, headers, expose = status < 500, ...problem } = options;
    super(message ?? STATUS_CODES[status] ?? String(status));
    // As `new Error` does: not enumerable, and absent if there is none
    if ('cause' in options)
      Object.defineProperty(this, 'cause', { value: cause, configurable: true, writable: true });
    this.status = this.statusCode = status;
    this.expose = expose;
    this.headers = headers;
    this.problem = problem;
    if (typeof problem.code === 'string') this.code = problem.code;
  }
};

Object.defineProperty(HttpErrorClass.prototype, 'name', {
  value: 'HttpError',
  configurable: true,
  writable: true,
});
for (const [name, status] of Object.entries(USUAL)) {
  const make = (message?: string, options?: HttpErrorOptions): Error => {
    const error = new HttpErrorClass(status, message, options);
    // Starts the stack where the function was called.
    Error.captureStackTrace(error, make);
    return error;
  };
  Object.defineProperty(HttpErrorClass, name, { value: make, configurable: true, writable: true });
}

export const HttpError = HttpErrorClass as unknown as HttpErrorConstructor;
