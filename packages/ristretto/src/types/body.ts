/** Options of the four body parsers, and the middleware they make. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';

/** Middleware that needs nothing but Node's own request and response. */
// any: whatever is passed to `next` is an error
export type NextHandleFunction = (
  req: http.IncomingMessage & { originalUrl?: string | undefined },
  res: http.ServerResponse,
  next: (err?: any) => void,
) => void;

/** Options of every parser; `web.raw()` has no others. */
export interface Options {
  /** Accept bodies in gzip, deflate, br and, from Node 22.15 on, zstd; false sends a 415. @default true */
  inflate?: boolean | undefined;
  /** The greatest size of a body in bytes, or as text such as `'1mb'`. More is 413. @default '100kb' */
  limit?: number | string | undefined;
  /**
   * Which media types are parsed: an extension, a media type, a wildcard, a list of these, or a function that says
   * whether to parse (RFC 9110, section 8.3).
   * @default that of the parser
   */
  // any: the result counts as true or false
  type?: string | string[] | ((req: http.IncomingMessage) => any) | undefined;
  /**
   * Looks at the raw body before it is parsed; what it throws aborts parsing (403 unless the error has a status).
   * @param encoding the charset of the body, null when it was not determined
   * @default none
   */
  verify?(req: http.IncomingMessage, res: http.ServerResponse, buf: Buffer, encoding: string): void;
}

/** Options of `web.json()`. */
export interface OptionsJson extends Options {
  /** The second argument of `JSON.parse`. @default none */
  // any: JSON.parse declares it so
  reviver?(key: string, value: any): any;
  /** Accept only objects and lists at the top. @default true */
  strict?: boolean | undefined;
}

/** Options of `web.text()`. */
export interface OptionsText extends Options {
  /** The charset of a body that does not say. @default 'utf-8' */
  defaultCharset?: string | undefined;
}

/** Options of `web.urlencoded()`. */
export interface OptionsUrlencoded extends Options {
  /** Read `a[b]=c` as an object; false reads flat pairs. @default true */
  extended?: boolean | undefined;
  /** The greatest number of pairs. More is 413. @default 1000 */
  parameterLimit?: number | undefined;
  /** How many levels of `a[b][c]` are accepted. More is 400. @default 32 */
  depth?: number | undefined;
}
