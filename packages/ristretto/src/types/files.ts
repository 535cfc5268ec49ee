/** Options of everything that sends files: `web.static()`, `res.sendFile()` and `res.download()`. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';

/** What all senders of files understand. */
export interface SendOptions {
  /** Honour `Range` headers (RFC 9110, section 14). @default true */
  acceptRanges?: boolean | undefined;
  /** Send `Cache-Control`; false also disables `immutable` and `maxAge`. @default true */
  cacheControl?: boolean | undefined;
  /** What becomes of a path with a part that starts with a dot: sent, 403, or 404. @default 'ignore', for files only */
  dotfiles?: 'allow' | 'deny' | 'ignore' | undefined;
  /** Offset of the last byte to send, inclusive. @default the last byte */
  end?: number | undefined;
  /** Send a weak entity tag (RFC 9110, section 8.8.3). @default true */
  etag?: boolean | undefined;
  /** Extensions to try, in order, when there is no such file. @default none */
  extensions?: string[] | string | boolean | undefined;
  /** Add `immutable` to `Cache-Control` (RFC 8246). @default false */
  immutable?: boolean | undefined;
  /** The file that is sent for a directory; false for none. @default 'index.html' */
  index?: string[] | string | boolean | undefined;
  /** Send `Last-Modified` (RFC 9110, section 8.8.2). @default true */
  lastModified?: boolean | undefined;
  /** `max-age` of `Cache-Control`: milliseconds, or text such as `'1 day'`. @default 0 */
  maxAge?: string | number | undefined;
  /**
   * Send a compressed file that lies beside the one asked for (`main.js.br`, `main.js.zst`, `main.js.gz`) to clients that
   * accept its coding. Where they like several alike, the first of this list is taken.
   * See docs/guide/precompressed.md.
   * @default none
   */
  precompressed?: readonly ('br' | 'zstd' | 'gzip')[] | false | undefined;
  /** The directory that relative paths start from, and that no path leaves. @default none */
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
    /** Headers to send with the file; `Content-Disposition` comes from the file name argument. @default none */
    headers?: Record<string, unknown>;
  }
}

export type { DownloadOptions, SendFileOptions } from 'express-serve-static-core';

/** Options of `web.static()`. */
export interface ServeStaticOptions<R extends http.ServerResponse = http.ServerResponse> {
  /** Honour `Range` headers. @default true */
  acceptRanges?: boolean | undefined;
  /** Send `Cache-Control`; false also disables `immutable` and `maxAge`. @default true */
  cacheControl?: boolean | undefined;
  /** `'allow'`, `'deny'` (403) or `'ignore'` (as if the file did not exist). @default 'ignore', for files only */
  dotfiles?: string | undefined;
  /** Send a weak entity tag. @default true */
  etag?: boolean | undefined;
  /** Extensions to try, in order, when there is no such file. @default false */
  extensions?: string[] | false | undefined;
  /** Pass mistakes of the client on with `next()`; false passes them as errors, 404 included. @default true */
  fallthrough?: boolean | undefined;
  /** Add `immutable` to `Cache-Control`. @default false */
  immutable?: boolean | undefined;
  /** The file that is sent for a directory; false for none. @default 'index.html' */
  index?: boolean | string | string[] | undefined;
  /** Send `Last-Modified`. @default true */
  lastModified?: boolean | undefined;
  /** `max-age` of `Cache-Control`: milliseconds, or text such as `'1 day'`. @default 0 */
  maxAge?: number | string | undefined;
  /**
   * Send a compressed file that lies beside the one asked for (`main.js.br`, `main.js.zst`, `main.js.gz`) to clients that
   * accept its coding. Where they like several alike, the first of this list is taken.
   * See docs/guide/precompressed.md.
   * @default none
   */
  precompressed?: readonly ('br' | 'zstd' | 'gzip')[] | false | undefined;
  /** Redirect a directory to its path with a slash, and other spellings of a path to that path. @default true */
  redirect?: boolean | undefined;
  /** Add headers, synchronously, before a file is sent. @default none */
  // any: programs declare `stat` and the result in ways of their own
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
  /** Headers of the response to it. */
  headers?: Record<string, string> | undefined;
  // any: whoever makes the error may add fields
  [key: string]: any;
}

/** The middleware that `web.static()` makes. */
export type StaticHandler<R extends http.ServerResponse> = (
  request: http.IncomingMessage,
  response: R,
  // any: errors, of which those of HTTP have a status
  next: (err?: any) => void,
  // any: the result is of no interest, and handlers may return whatever they like
) => any;

/** The table of media types that files are sent with. */
export interface Mime {
  /**
   * The media type of a file name or extension.
   * @example web.static.mime.lookup('page.html'); // 'text/html'
   */
  lookup(path: string, fallback?: string): string;
  /**
   * The extension of a media type.
   * @example web.static.mime.extension('text/html'); // 'html'
   */
  extension(type: string): string | undefined;
  /** Add the types of a file in Apache's `.types` format. */
  load(filepath: string): void;
  /**
   * Add types.
   * @example web.static.mime.define({ 'text/x-log': ['log'] });
   */
  define(types: Record<string, string[]>): void;
  /** The table of charsets: `lookup` finds that of a media type. */
  readonly charsets: { lookup(type: string, fallback: string): string };
  /** The media type of files whose extension is unknown. */
  readonly default_type: string;
}

/** `web.static`: makes middleware that serves the files below a directory. */
export interface RequestHandlerConstructor<R extends http.ServerResponse> {
  /**
   * Make middleware that serves the files below `root`.
   * @param root the directory, absolute or relative to the working directory
   * @throws TypeError when `root` is missing or not text, or `setHeaders` not a function
   * @example app.use(web.static('public', { maxAge: '1 day' }));
   */
  (root: string, options?: ServeStaticOptions<R>): StaticHandler<R>;
  /** The table of media types that files are sent with. */
  mime: Mime;
}
