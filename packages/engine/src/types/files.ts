/** The options of all functions that send files: `web.static()`, `res.sendFile()` and `res.download()`. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';

/** The options shared by all functions that send files. */
export interface SendOptions {
  /** Support `Range` requests (RFC 9110, section 14). @default true */
  acceptRanges?: boolean | undefined;
  /** Send `Cache-Control`; false also disables `immutable` and `maxAge`. @default true */
  cacheControl?: boolean | undefined;
  /**
   * How to treat paths with a segment that starts with a dot: send the file, or respond with 403 or 404.
   * @default 'ignore', for files only
   */
  dotfiles?: 'allow' | 'deny' | 'ignore' | undefined;
  /** Offset of the last byte to send, inclusive. @default the last byte */
  end?: number | undefined;
  /** Send a weak entity tag (RFC 9110, section 8.8.3). @default true */
  etag?: boolean | undefined;
  /** Extensions to try, in order, if the file does not exist. @default none */
  extensions?: string[] | string | boolean | undefined;
  /** Add the `immutable` directive to `Cache-Control` (RFC 8246). @default false */
  immutable?: boolean | undefined;
  /** The file to send for a directory; false for none. @default 'index.html' */
  index?: string[] | string | boolean | undefined;
  /** Send `Last-Modified` (RFC 9110, section 8.8.2). @default true */
  lastModified?: boolean | undefined;
  /** The `max-age` of `Cache-Control`, in milliseconds or as a string such as `'1 day'`. @default 0 */
  maxAge?: string | number | undefined;
  /**
   * Send a precompressed file that exists beside the requested one (`main.js.br`, `main.js.zst`, `main.js.gz`) to
   * clients that accept its coding. If a client prefers several equally, the first in this list is used. See
   * https://github.com/ristretto-web/ristretto/blob/main/docs/guide/precompressed.md.
   * @default none
   */
  precompressed?: readonly ('br' | 'zstd' | 'gzip')[] | false | undefined;
  /** The directory to which paths are relative, and which no path can leave. @default none */
  root?: string | undefined;
  /** Offset of the first byte to send. @default 0 */
  start?: number | undefined;
}

declare module 'express-serve-static-core' {
  /** Options of `res.sendFile()`. */
  interface SendFileOptions extends SendOptions {
    /** Headers to send with the file. @default none */
    headers?: Record<string, unknown>;
  }

  /** Options of `res.download()`. */
  interface DownloadOptions extends SendOptions {
    /** Headers to send with the file; `Content-Disposition` is set from the file name argument. @default none */
    headers?: Record<string, unknown>;
  }
}

export type { DownloadOptions, SendFileOptions } from 'express-serve-static-core';

/** Options of `web.static()`. */
export interface ServeStaticOptions<R extends http.ServerResponse = http.ServerResponse> {
  /** Support `Range` requests. @default true */
  acceptRanges?: boolean | undefined;
  /** Send `Cache-Control`; false also disables `immutable` and `maxAge`. @default true */
  cacheControl?: boolean | undefined;
  /**
   * How to treat paths with a segment that starts with a dot: `'allow'`, `'deny'` (403) or `'ignore'` (as if the file
   * did not exist).
   * @default 'ignore', for files only
   */
  dotfiles?: string | undefined;
  /** Send a weak entity tag. @default true */
  etag?: boolean | undefined;
  /** Extensions to try, in order, if the file does not exist. @default false */
  extensions?: string[] | false | undefined;
  /**
   * Call `next()` for client errors such as a missing file; if false, pass them as errors, including 404.
   * @default true
   */
  fallthrough?: boolean | undefined;
  /** Add the `immutable` directive to `Cache-Control`. @default false */
  immutable?: boolean | undefined;
  /** The file to send for a directory; false for none. @default 'index.html' */
  index?: boolean | string | string[] | undefined;
  /** Send `Last-Modified`. @default true */
  lastModified?: boolean | undefined;
  /** The `max-age` of `Cache-Control`, in milliseconds or as a string such as `'1 day'`. @default 0 */
  maxAge?: number | string | undefined;
  /**
   * Send a precompressed file that exists beside the requested one (`main.js.br`, `main.js.zst`, `main.js.gz`) to
   * clients that accept its coding. If a client prefers several equally, the first in this list is used. See
   * https://github.com/ristretto-web/ristretto/blob/main/docs/guide/precompressed.md.
   * @default none
   */
  precompressed?: readonly ('br' | 'zstd' | 'gzip')[] | false | undefined;
  /**
   * Redirect a directory to its path with a trailing slash, and other spellings of a path to the canonical one.
   * @default true
   */
  redirect?: boolean | undefined;
  /** A function that sets headers, synchronously, before a file is sent. @default none */
  // Any: programs declare `stat` and the result with various types
  setHeaders?: ((res: R, path: string, stat: any) => any) | undefined;
}

/** An error that carries a status for the response. */
export interface HttpError extends Error {
  /** The status of the response. */
  status: number;
  /** The same as `status`. */
  statusCode: number;
  /** Whether the message may be shown to the client. */
  expose: boolean;
  /** Headers of the error response. */
  headers?: Record<string, string> | undefined;
  // Any: errors may have additional members
  [key: string]: any;
}

/** The middleware that `web.static()` returns. */
export type StaticHandler<R extends http.ServerResponse> = (
  request: http.IncomingMessage,
  response: R,
  // Any: errors of any type, of which HTTP errors have a status
  next: (err?: any) => void,
  // Any: the result is ignored, and handlers may return anything
) => any;

/** The table of media types for sent files. */
export interface Mime {
  /**
   * Return the media type for a file name or extension.
   * @example web.static.mime.lookup('page.html'); // 'text/html'
   */
  lookup(path: string, fallback?: string): string;
  /**
   * Return the extension for a media type.
   * @example web.static.mime.extension('text/html'); // 'html'
   */
  extension(type: string): string | undefined;
  /** Add the types from a file in Apache's `.types` format. */
  load(filepath: string): void;
  /**
   * Add types.
   * @example web.static.mime.define({ 'text/x-log': ['log'] });
   */
  define(types: Record<string, string[]>): void;
  /** The table of charsets: `lookup` returns the charset of a media type. */
  readonly charsets: { lookup(type: string, fallback: string): string };
  /** The media type of files with an unknown extension. */
  readonly default_type: string;
}

/** `web.static`: creates middleware that serves the files below a directory. */
export interface RequestHandlerConstructor<R extends http.ServerResponse> {
  /**
   * Create middleware that serves the files below `root`.
   * @param root the directory, absolute or relative to the working directory
   * @throws TypeError if `root` is missing or not a string, or `setHeaders` is not a function
   * @example app.use(web.static('public', { maxAge: '1 day' }));
   */
  (root: string, options?: ServeStaticOptions<R>): StaticHandler<R>;
  /** The table of media types for sent files. */
  mime: Mime;
}
