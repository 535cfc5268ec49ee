/**
 * Errors with an HTTP status: the one place where they are made. They are those of `http-errors`, so that names
 * (`PayloadTooLargeError`), `expose`, `status` and `statusCode` are what error handlers know.
 */
import type * as httpErrors from 'http-errors';
import type { HttpError } from '../types/files';
import { isError } from './realms';

export type { HttpError };

/** The `cause` of an error, whatever was thrown. */
export function causeOf(error: unknown): unknown {
  try {
    return (error as { cause?: unknown } | null | undefined)?.cause;
  } catch {
    return undefined;
  }
}

let createError: httpErrors.CreateHttpError | undefined;

/**
 * Makes an error with a status.
 *
 * @param status - a status of 400 to 599. An error that has a valid `status` or `statusCode` of its own keeps it.
 * @param cause - the message, or an error that gets the status; without it the message is the status's text, and also
 *   where it is an error that takes no properties, or none at all: whatever users throw must not end the process. Of an
 *   error of another realm a new one is made, as in Express, with its enumerable properties (`code`, `syscall`, ...).
 * @param properties - more own properties, such as `type` and `limit`.
 * @example
 * next(httpError(413, 'request entity too large', { limit, type: 'entity.too.large' }));
 */
export function httpError(status: number, cause?: string | Error, properties: object = {}): HttpError {
  // Loaded with the first error: a server that starts well needs none.
  createError ??= require('http-errors') as httpErrors.CreateHttpError;
  if (cause === undefined) return createError(status, properties);
  try {
    // http-errors takes an error of another realm for properties. It would drop them for ours, and the error's `code` too.
    if (isError(cause) && !(cause instanceof Error)) {
      return createError(status, { ...(cause as object), ...properties });
    }
    return createError(status, cause, properties);
  } catch {
    return createError(status, { ...properties, cause });
  }
}
