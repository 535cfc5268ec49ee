/** Options of the four body parsers, and the type of their middleware. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';

/** Middleware that only needs Node's own request and response. */
// Any: any value passed to `next` is an error
export type NextHandleFunction = (
  req: http.IncomingMessage & { originalUrl?: string | undefined },
  res: http.ServerResponse,
  next: (err?: any) => void,
) => void;

/** Options of all body parsers; `web.raw()` has no others. */
export interface Options {
  /** Accept bodies in gzip, deflate, br and, since Node 22.15, zstd; if false, such bodies get a 415. @default true */
  inflate?: boolean | undefined;
  /** The maximum size of a body, in bytes or as a string such as `'1mb'`. Larger bodies get a 413. @default '100kb' */
  limit?: number | string | undefined;
  /**
   * The media types to parse: an extension, a media type, a wildcard, a list of these, or a function that returns
   * whether to parse (RFC 9110, section 8.3).
   * @default that of the parser
   */
  // Any: the result is only tested for truthiness
  type?: string | string[] | ((req: http.IncomingMessage) => any) | undefined;
  /**
   * Checks the raw body before it is parsed; if it throws or rejects, parsing is aborted (with 403 unless the error has
   * a status).
   * @param encoding charset of the body, null if it was not determined
   * @default none
   */
  verify?(req: http.IncomingMessage, res: http.ServerResponse, buf: Buffer, encoding: string): void;
  /**
   * Keeps the bytes of the body, decompressed, as `req.rawBody` beside the parsed body, to check the signature of a webhook.
   * Such a request can still be piped, as proxies do, unless its body was compressed. A function selects the requests
   * if one parser handles all.
   * @default false
   * @example
   * app.use(web.json({ raw: req => req.url!.startsWith('/webhooks/') }));
   */
  raw?: boolean | ((req: http.IncomingMessage) => boolean) | undefined;
}

/** Options of `web.json()`. */
export interface OptionsJson extends Options {
  /** The second argument of `JSON.parse`. @default none */
  // Any: JSON.parse declares it
  reviver?(key: string, value: any): any;
  /** Accept only objects and arrays at the top level. @default true */
  strict?: boolean | undefined;
}

/** Options of `web.text()`. */
export interface OptionsText extends Options {
  /** The charset of bodies that do not specify one. @default 'utf-8' */
  defaultCharset?: string | undefined;
}

/** Options of `web.urlencoded()`. */
export interface OptionsUrlencoded extends Options {
  /** Parse `a[b]=c` as an object; if false, parse flat pairs only. @default true */
  extended?: boolean | undefined;
  /** The maximum number of pairs. Bodies with more get a 413. @default 1000 */
  parameterLimit?: number | undefined;
  /** The maximum nesting depth of keys such as `a[b][c]`. Deeper bodies get a 400. @default 32 */
  depth?: number | undefined;
}
