/** `web.HttpError`: an error with a status, headers, and members for problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import { inspect } from 'node:util';
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

class HttpErrorClass extends Error {
  readonly status: number;
  readonly statusCode: number;
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`web.HttpError: expected a status from 400 to 599, got ${inspect(status)}`);
    }
    const { cause, headers, expose = status < 500, ...problem } = options;
    super(message ?? STATUS_CODES[status] ?? String(status));
    // As `new Error` does: not enumerable, and absent if there is none
    if ('cause' in options)
      Object.defineProperty(this, 'cause', { value: cause, configurable: true, writable: true });
    this.status = this.statusCode = status;
    this.expose = expose;
    this.headers = headers;
    this.problem = problem;
  }
}

Object.defineProperty(HttpErrorClass, 'name', { value: 'HttpError' });
Object.defineProperty(HttpErrorClass.prototype, 'name', {
  value: 'HttpError',
  configurable: true,
  writable: true,
});
for (const [name, status] of Object.entries(USUAL)) {
  const make = (message?: string, options?: HttpErrorOptions): HttpErrorClass => {
    const error = new HttpErrorClass(status, message, options);
    // The place is where the function was called.
    Error.captureStackTrace(error, make);
    return error;
  };
  Object.defineProperty(HttpErrorClass, name, { value: make, configurable: true, writable: true });
}

export const HttpError = HttpErrorClass as unknown as HttpErrorConstructor;
