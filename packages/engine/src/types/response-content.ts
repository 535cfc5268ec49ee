/** Members of a response that send files, views, redirects and negotiated content. */
import type { Errback, RequestHandler } from 'express-serve-static-core';
import type { DownloadOptions, SendFileOptions } from './files';

declare module 'express-serve-static-core' {
  /** Called after a file was sent or sending failed; part of the response may have been sent by then. */
  type Errback = (err: Error) => void;
}

export type { Errback };

/** Members that send files, views and negotiated content. */
export interface ContentBasics {
  /**
   * Send a file, with a `Content-Type` from its extension and support for ranges and conditional requests (RFC 9110,
   * sections 13 and 14).
   * @param path absolute, or relative to the option `root`, which it cannot leave
   * @param fn called on completion, or with an error, to which it must then respond; without it, errors go to `next`
   * @throws TypeError if the path is missing, not a string, or relative without `root`
   * @example
   * res.sendFile('report.pdf', { root: 'files' });
   * // GET / -> 200 (Content-Type: application/pdf) (Accept-Ranges: bytes) (Content-Length: 10) 0123456789
   * // GET / (Range: bytes=2-4) -> 206 (Content-Range: bytes 2-4/10) 234
   */
  sendFile(path: string, fn?: Errback): void;
  sendFile(path: string, options: SendFileOptions, fn?: Errback): void;

  /**
   * Send a file as a download (RFC 6266).
   * @param path absolute, or relative to the working directory or the option `root`
   * @param filename name under which the client saves the file; by default, the file's own name
   * @param fn called on completion, or with an error, to which it must then respond; without it, errors go to `next`
   * @throws TypeError for a path that is not a string
   * @example
   * res.download('files/7.pdf', 'report.pdf');
   * // GET / -> 200 (Content-Disposition: attachment; filename="report.pdf") 0123456789
   */
  download(path: string, fn?: Errback): void;
  download(path: string, options: DownloadOptions, fn?: Errback): void;
  download(path: string, filename: string, fn?: Errback): void;
  download(path: string, filename: string, options: DownloadOptions, fn?: Errback): void;

  /**
   * Render a view and send it as HTML.
   * @param view name of the view; never use client input
   * @param options variables of the view, which take precedence over `res.locals` and `app.locals`
   * @param callback receives the rendered text instead of sending it; without it, errors go to `next`
   * @example
   * res.render('index', { title: 'Home' });
   * // GET / -> 200 (Content-Type: text/html; charset=utf-8) <h1>Home</h1>
   */
  render(view: string, options?: object, callback?: (err: Error, html: string) => void): void;
  render(view: string, callback?: (err: Error, html: string) => void): void;

  /**
   * Call the handler for the media type that the client prefers (RFC 9110, section 12.5.1), and set `Content-Type` and
   * `Vary`. Keys are media types or extensions; `default` is called if none is acceptable, without it `next` receives a
   * 406 error.
   * @throws TypeError without handlers, and for one that is not a function
   * @example
   * res.format({ html: () => res.send('<p>Hi</p>'), json: () => res.json({ hi: true }) });
   * // GET / (Accept: application/json) -> 200 (Vary: Accept) {"hi":true}
   * // GET / (Accept: text/html) -> 200 <p>Hi</p>
   * // GET / (Accept: image/png) -> 406
   */
  format(handlers: Record<string, RequestHandler> | object): this;
}

/** The same members, plus redirects. */
export interface ResponseContent extends ContentBasics {
  /**
   * @deprecated Use `res.sendFile()`.
   * @throws TypeError without a path
   */
  sendfile(path: string, fn?: Errback): void;
  /** @deprecated Use `res.sendFile()`. */
  sendfile(path: string, options: SendFileOptions, fn?: Errback): void;

  /**
   * Redirect the client to another URL (RFC 9110, section 15.4), with status 302 by default.
   * @param url a URL, or `'back'` (deprecated) for the `Referer` of the request, or `'/'` without one
   * @example
   * res.redirect(303, '/done');
   * // GET / -> 303 (Location: /done)
   */
  redirect(url: string): void;
  redirect(status: number, url: string): void;
  /** @deprecated Pass the status first. */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- only this form is deprecated
  redirect(url: string, status: number): void;
}
