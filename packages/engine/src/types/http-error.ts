/** The arguments of `web.HttpError`. */
import type { HttpError } from 'express-serve-static-core';

/** The members of an error besides its status and message. */
export interface HttpErrorOptions {
  /** The error that caused this one. It is logged, and never sent. @default none */
  cause?: unknown;
  /** Headers of the response, such as `Retry-After`. @default none */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether clients may see the message and the members. @default true for a status below 500 */
  expose?: boolean | undefined;
  /** A URI that identifies the kind of problem (RFC 9457). @default 'about:blank' */
  type?: string | undefined;
  /** A name of the kind of problem. @default the text of the status */
  title?: string | undefined;
  /** A URI that identifies this occurrence. @default none */
  instance?: string | undefined;
  /** Identifies the kind of error for programs: `'stock.empty'`. @default none */
  code?: string | undefined;
  /** Any other member of the problem details, such as `balance`. */
  [member: string]: unknown;
}

/** Creates an error of one status. */
export type HttpErrorFactory = (message?: string, options?: HttpErrorOptions) => HttpError;

declare module 'express-serve-static-core' {
  /** The instances of `web.HttpError`. */
  interface HttpError extends Error {
    /** The status of the response. */
    readonly status: number;
    /** The same as `status`. */
    readonly statusCode: number;
    /** Whether clients may see the message and the members. */
    readonly expose: boolean;
    /** The `code` of the options, if it has one. */
    readonly code?: string;
    /** Headers of the response. */
    readonly headers: Readonly<Record<string, string>> | undefined;
    /** The members of the problem details that the options had. */
    readonly problem: Readonly<Record<string, unknown>>;
  }
}

export type { HttpError };

/** The class `web.HttpError`, with functions for the usual statuses. */
export interface HttpErrorConstructor {
  /**
   * @param status 400 to 599
   * @param message for clients, if `expose`; by default, the text of the status
   * @throws RangeError for another status; TypeError for a message, headers or `expose` of another type
   */
  new (status: number, message?: string, options?: HttpErrorOptions): HttpError;
  readonly prototype: HttpError;
  /** 400 Bad Request. */
  badRequest: HttpErrorFactory;
  /** 401 Unauthorized. */
  unauthorized: HttpErrorFactory;
  /** 403 Forbidden. */
  forbidden: HttpErrorFactory;
  /** 404 Not Found. */
  notFound: HttpErrorFactory;
  /** 409 Conflict. */
  conflict: HttpErrorFactory;
  /** 410 Gone. */
  gone: HttpErrorFactory;
  /** 422 Unprocessable Entity. */
  unprocessable: HttpErrorFactory;
  /** 429 Too Many Requests. */
  tooManyRequests: HttpErrorFactory;
  /** 503 Service Unavailable. */
  unavailable: HttpErrorFactory;
}
