/** `res.sendFile` and `res.download`: send a file as the response, and report how the transfer ended. */
import { isAbsolute, resolve } from 'node:path';
import depd = require('depd');
import { deferred } from '../../deferred';
import type * as sending from '../../static/send-file';
import type { Response } from '../../types/core';
import type { DownloadOptions, SendFileOptions } from '../../types/files';
import type { Errback } from '../../types/response-content';
import { versionOf } from '../../version';

const deprecate = depd('express');
const files = deferred(() => require('../../static/send-file') as typeof sending);

const NOT_ASCII = /[^\0-\x7f]/;

/** Sends a file. Its `Content-Type` is derived from the extension; conditional and range requests are supported. */
export function sendFile(
  this: Response,
  path: string,
  options?: SendFileOptions | Errback | null,
  callback?: Errback,
): void {
  let given = options;
  let done = callback;
  if (versionOf(this).files.tagsBySetting) {
    done = typeof options === 'function' ? options : callback;
    given = typeof options === 'function' ? {} : (options ?? {});
    // Set on the caller's object, as in Express.
    given.etag = this.app.enabled('etag');
  }
  if (!path) throw new TypeError('path argument is required to res.sendFile');
  if (typeof path !== 'string') throw new TypeError('path must be a string to res.sendFile');
  if (!isAbsolute(path) && !rootOf(given)) {
    throw new TypeError('path must be absolute or specify root to res.sendFile');
  }
  // Throws a URIError for an unpaired surrogate, which no file system supports.
  if (NOT_ASCII.test(path)) encodeURI(path);
  send(this, path, false, given, done);
}

/**
 * The older form of `sendFile`: the path is decoded like that of a URL, and may be relative to the working directory.
 * @deprecated use `sendFile`
 */
export function sendfile(
  this: Response,
  path: string,
  options?: SendFileOptions | Errback | null,
  callback?: Errback,
): void {
  deprecate('res.sendfile: Use res.sendFile instead');
  if (path == null) throw new TypeError('path argument is required to res.sendfile');
  const text: unknown = path;
  send(this, String(text), true, options, callback);
}

/** Sends a file to be saved, under its own name or the given one. */
export function download(
  this: Response,
  path: string,
  filename?: string | DownloadOptions | Errback | null,
  options?: DownloadOptions | Errback | null,
  callback?: Errback,
): void {
  let name: unknown = filename;
  let given: unknown = options || null;
  let done: unknown = callback;
  if (typeof filename === 'function') {
    done = filename;
    name = null;
    given = null;
  } else if (typeof options === 'function') {
    done = options;
    given = null;
  }
  if (typeof filename === 'object' && (typeof options === 'function' || options === undefined)) {
    name = null;
    given = filename;
  }
  // Inherits from the given options, so that inherited ones reach `sendFile` too; `contentDisposition` rejects a name
  // that is not a string.
  const { contentDisposition, nameOfFile } = versionOf(this).responses;
  const all = Object.create(given as object | null) as DownloadOptions;
  const headers: Record<string, unknown> = {
    'Content-Disposition': contentDisposition(nameOfFile((name || path) as string)),
  };
  for (const [field, value] of Object.entries(all.headers ?? {})) {
    if (field.toLowerCase() !== 'content-disposition') headers[field] = value;
  }
  all.headers = headers;
  this.sendFile(all.root ? path : resolve(path), all, done as Errback);
}

function rootOf(options: SendFileOptions | Errback | null | undefined): string | undefined {
  return typeof options === 'function' ? undefined : options?.root;
}

/** Sends the file; the outcome goes to the callback, or else to the next handler. */
function send(
  res: Response,
  path: string,
  isEncoded: boolean,
  options: SendFileOptions | Errback | null | undefined,
  callback: Errback | undefined,
): void {
  const given = typeof options === 'function' ? undefined : options;
  const done = typeof options === 'function' ? options : callback;
  const { req } = res;
  // Read now: by the time of an error, `req.next` may be that of another handler.
  const { next } = req;
  const ended = (error?: NodeJS.ErrnoException): void => {
    if (done) done(error as Error);
    else if (error?.code === 'EISDIR') next?.();
    else if (error && error.code !== 'ECONNABORTED' && error.syscall !== 'write') next?.(error);
  };
  const isWatched = Boolean(done);
  const version = versionOf(res);
  files().sendFile(req, res, { path, isEncoded, options: given ?? {}, isWatched, version, ended });
}
