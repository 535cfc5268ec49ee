/** `res.sendFile`, `res.download` and `res.attachment`: send files and downloads. */
import { basename, extname } from 'node:path';
import { downloadAs, sendPath } from '@ristretto/private-engine/lib/response';
import type { DownloadOptions, SendFileOptions } from '@ristretto/private-engine/lib/types/files';
import type { Errback } from '@ristretto/private-engine/lib/types/response-content';
import { contentDisposition } from '../protocol/content-disposition';
import { express5 } from '../static/manners';
import type { Response } from '../types/core';

/**
 * Sends a file. Its `Content-Type` is determined by the extension; conditional and range requests are supported. The
 * setting `etag` determines whether it has an `ETag`.
 *
 * @param path absolute, or relative to `options.root`, which it cannot leave. Without `dotfiles: 'allow'` no segment
 * may start with a dot
 * @param options `maxAge` is in milliseconds, or text such as `'1 day'`
 * @param callback called once: without an error when the response is complete, otherwise with it. Without a callback, a
 * directory calls `next()`, an error `next(error)`
 * @throws TypeError if the path is missing, not a string, or relative without a root, or an option is invalid
 * @example res.sendFile('report.pdf', { root: '/srv/reports', maxAge: '1h' });
 */
export function sendFile(
  this: Response,
  path: string,
  options?: SendFileOptions | Errback | null,
  callback?: Errback,
): void {
  const given = typeof options === 'function' ? {} : (options ?? {});
  const done = typeof options === 'function' ? options : callback;
  // set on the caller's object, as in Express
  given.etag = this.app.enabled('etag');
  sendPath(this as never, path, given, done, express5);
}

/**
 * Sends a file to be saved, under its own name or the given one.
 *
 * @param path absolute, or relative to `options.root` or else the working directory
 * @param filename the name for `Content-Disposition`, the last segment of the path by default
 * @param options those of `sendFile`; a `Content-Disposition` among the headers is ignored
 * @param callback as for `sendFile`
 * @throws TypeError if the path or the name is not a string, or an option is invalid
 * @example res.download('/srv/reports/2024-06.pdf', 'report.pdf');
 */
export function download(
  this: Response,
  path: string,
  filename?: string | DownloadOptions | Errback | null,
  options?: DownloadOptions | Errback | null,
  callback?: Errback,
): void {
  downloadAs(this as never, path, filename, options, callback, name => contentDisposition(basename(name)));
}

/**
 * Sets `Content-Disposition` to 'attachment'; with a name, also its `filename`, and `Content-Type` according to its
 * extension.
 *
 * @returns the response, for chaining
 * @throws TypeError if the name is not a string
 * @example res.attachment('path/to/logo.png'); // attachment; filename=logo.png
 */
export function attachment(this: Response, filename?: string): Response {
  const name = filename === undefined ? undefined : basename(filename);
  if (name) this.type(extname(name));
  return this.set('Content-Disposition', contentDisposition(name));
}
