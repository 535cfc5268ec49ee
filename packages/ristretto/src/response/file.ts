/** `res.sendFile` and `res.download`: an answer that is a file, with word of how the transfer ended. */
import { isAbsolute, resolve } from 'node:path';
import depd = require('depd');
import { contentDisposition } from '../protocol/content-disposition';
import { isOver, onClosed } from '../static/closing';
import { filePolicy } from '../static/options';
import { decodePath, locate } from '../static/resolve';
import { FileAnswer } from '../static/send-file';
import type { NextFunction, Response } from '../types/core';
import type { DownloadOptions, SendFileOptions } from '../types/files';
import type { Errback } from '../types/response-content';

const deprecate = depd('express');

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Sends a file. Its `Content-Type` follows from the extension; conditional and range requests are answered.
 *
 * @param path absolute, or relative to `options.root`, which it may not leave
 * @param options `maxAge` is in milliseconds, or text such as `'1 day'`
 * @param callback called once: without an error when the answer is complete, else with it (`ENOENT` with status 404,
 *   `EISDIR`, `ECONNABORTED` when the client has gone, …); it then has to answer. Without a callback a directory is
 *   passed on with `next()`, an error with `next(error)`.
 * @throws TypeError when the path is missing, no string, or relative without a root, or an option has no meaning
 * @example res.sendFile('report.pdf', { root: '/srv/reports', maxAge: '1h' });
 */
export function sendFile(
  this: Response,
  path: string,
  options?: SendFileOptions | Errback | null,
  callback?: Errback,
): void {
  if (!path) throw new TypeError('path argument is required to res.sendFile');
  if (typeof path !== 'string') throw new TypeError('path must be a string to res.sendFile');
  const isShort = typeof options === 'function';
  const given = isShort ? {} : options || {};
  if (!given.root && !isAbsolute(path)) {
    throw new TypeError('path must be absolute or specify root to res.sendFile');
  }
  // Throws a URIError for half of a surrogate pair, which no file system can take.
  if (NOT_ASCII.test(path)) encodeURI(path);
  new ResponseFile(this, given, isShort ? options : callback).start(path);
}

/**
 * The older form of `sendFile`: the path is decoded like that of a URL, and may be relative to the working directory.
 *
 * @deprecated use `sendFile`
 * @throws TypeError when the path is missing or an option has no meaning
 * @example res.sendfile('public/my%20file.txt');
 */
export function sendfile(
  this: Response,
  path: string,
  options?: SendFileOptions | Errback | null,
  callback?: Errback,
): void {
  deprecate('res.sendfile: Use res.sendFile instead');
  if (path == null) throw new TypeError('path argument is required to res.sendfile');
  const isShort = typeof options === 'function';
  const given = isShort ? {} : options || {};
  const text: unknown = path;
  new ResponseFile(this, given, isShort ? options : callback).start(decodePath(String(text)));
}

/**
 * Sends a file to be saved, under its own name or the one given.
 *
 * @param path absolute, or relative to `options.root` or else the working directory
 * @param filename the name for `Content-Disposition`, the last part of the path by default
 * @param options those of `sendFile`; a `Content-Disposition` among the headers has no effect
 * @param callback as for `sendFile`
 * @throws TypeError when the path or the name is no string, or an option has no meaning
 * @example res.download('/srv/reports/2024-06.pdf', 'report.pdf');
 */
export function download(
  this: Response,
  path: string,
  filename?: string | DownloadOptions | Errback | null,
  options?: DownloadOptions | Errback | null,
  callback?: Errback,
): void {
  let name: unknown = filename;
  let given: unknown = options ?? null;
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
  // Inherited, so that options of any make reach `sendFile`; a name that is no string is refused as such.
  const all = Object.create(given as object | null) as DownloadOptions;
  const headers: Record<string, unknown> = {
    'Content-Disposition': contentDisposition((name || path) as string),
  };
  for (const [field, value] of Object.entries(all.headers ?? {})) {
    if (field.toLowerCase() !== 'content-disposition') headers[field] = value;
  }
  all.headers = headers;
  this.sendFile(all.root ? path : resolve(path), all, done as Errback);
}

/** One call of `sendFile`. */
class ResponseFile extends FileAnswer {
  private isDone = false;
  /** As it is now: by the time of an error, `req.next` may be that of another handler. */
  private readonly next: NextFunction | undefined;
  private unwatch: (() => void) | undefined;

  constructor(
    override readonly res: Response,
    private readonly options: SendFileOptions,
    private readonly callback: Errback | undefined,
  ) {
    super(res.req, res, filePolicy(options));
    this.next = res.req.next;
  }

  /** @param path undefined when it could not be decoded */
  start(path: string | undefined): void {
    if (isOver(this.res)) {
      // Later, as always: a callback that is called before the call is over would surprise its writer.
      setImmediate(() => {
        if (this.res.writableEnded) this.failAfterHeaders();
        else this.abort();
      });
      return;
    }
    if (this.callback) {
      this.unwatch = onClosed(this.req, this.res, this.closed);
      this.res.on('finish', this.finished);
    }
    const file = path === undefined ? 400 : locate(path, this.policy.root, this.policy.dotfiles);
    if (typeof file === 'number') this.fail(file);
    else this.send(file, path!.endsWith('/'));
  }

  protected override addFields(): void {
    const { headers } = this.options;
    if (!headers) return;
    for (const name of Object.keys(headers)) this.res.setHeader(name, headers[name] as string);
  }

  protected override foundDirectory(): void {
    this.failed(Object.assign(new Error('EISDIR, read'), { code: 'EISDIR' }));
  }

  protected override failed(error: Error): void {
    this.done(error);
  }

  private readonly finished = (): void => this.done();

  private readonly closed = (): void => {
    if (this.res.writableFinished) this.done();
    else this.abort();
  };

  private abort(): void {
    this.done(Object.assign(new Error('Request aborted'), { code: 'ECONNABORTED' }));
  }

  private done(error?: NodeJS.ErrnoException): void {
    if (this.isDone) return;
    this.isDone = true;
    this.unwatch?.();
    this.res.off('finish', this.finished);
    if (this.callback) this.callback(error as Error);
    else if (error?.code === 'EISDIR') this.next?.();
    else if (error !== undefined && error.code !== 'ECONNABORTED' && error.syscall !== 'write')
      this.next?.(error);
  }
}
