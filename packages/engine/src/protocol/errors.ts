/**
 * Creates the framework's own errors with an HTTP status; those of applications are in http-error.ts. They come from
 * `http-errors`, so they have the names (`PayloadTooLargeError`), `expose`, `status` and `statusCode` that error
 * handlers expect.
 */
import type * as httpErrors from 'http-errors';
import type { HttpError } from '../types/files';
import { deferred } from '../deferred';
import { isError } from '../realms';

export type { HttpError };

/** Returns the `cause` of an error; accepts any thrown value. */
export function causeOf(error: unknown): unknown {
  try {
    return (error as { cause?: unknown } | null | undefined)?.cause;
  } catch {
    return undefined;
  }
}

const httpErrorMaker = deferred(() => require('http-errors') as httpErrors.CreateHttpError);

/**
 * Creates an error with a status.
 * @param status a status of 400 to 599. An error that already has a valid `status` or `statusCode` keeps it.
 * @param cause the message, or an error that gets the status. Without it, or if it is not an error or does not accept
 * properties, the message is the status's text: whatever an application throws must not crash the process. For an error
 * of another realm, a new error is created, as in Express, with its enumerable properties (`code`, `syscall`, ...).
 * @param properties additional own properties, such as `type` and `limit`.
 * @example next(httpError(413, 'request entity too large', { limit, type: 'entity.too.large' }));
 */
export function httpError(status: number, cause?: string | Error, properties: object = {}): HttpError {
  const createError = httpErrorMaker();
  if (cause === undefined) return createError(status, properties);
  try {
    // http-errors treats an error of another realm as properties, and would drop them (and its `code`) in favor of
    // ours.
    // eslint-disable-next-line no-restricted-syntax -- the check of http-errors
    if (isError(cause) && !(cause instanceof Error)) {
      return createError(status, { ...(cause as object), ...properties });
    }
    return createError(status, cause, properties);
  } catch {
    return createError(status, { ...properties, cause });
  }
}

/** What malformed forms are called by multer 2 and by busboy, which many parsers use. */
const MALFORMED = /^(?:Unexpected end of form$|Malformed (?:part header|content type)$|Multipart: Boundary )/;

/**
 * Returns the status and the type for an error of multer, or for a malformed form; undefined for all others. The type
 * is multer's code, spelled as body parsers do: `limit.file.size` for `LIMIT_FILE_SIZE`.
 */
export function uploadProblem({
  name,
  code,
  message,
}: {
  name?: unknown;
  code?: unknown;
  message?: unknown;
}): { status: 400 | 413; type: string } | undefined {
  if (name === 'MulterError') {
    const type = String(code).toLowerCase().replaceAll('_', '.');
    return { status: code === 'LIMIT_FILE_SIZE' ? 413 : 400, type };
  }
  return MALFORMED.test(String(message)) ? { status: 400, type: 'form.malformed' } : undefined;
}
