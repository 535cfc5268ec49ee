/** Members of a request that read its headers: values, content negotiation, type of the body, and ranges. */
import type { MediaType, RequestRanges } from 'express-serve-static-core';

declare module 'express-serve-static-core' {
  /** A range; both ends are inclusive and count from 0. */
  interface ByteRange {
    /** The first position, counted from 0. */
    start: number;
    /** The last position, inclusive. */
    end: number;
  }

  /** The satisfiable ranges, and their unit, usually `bytes`. */
  interface RequestRanges extends Array<ByteRange> {
    /** The unit of the positions, usually `bytes`. */
    type: string;
  }

  /** An entry of the `Accept` header. */
  interface MediaType {
    /** The media type as it was sent, without parameters. */
    value: string;
    /** The weight that the client assigned, from 0 to 1. */
    quality: number;
    /** The part before the slash. */
    type: string;
    /** The part after the slash. */
    subtype: string;
  }
}

/** Headers and content negotiation (RFC 9110, sections 8.3, 12.5 and 14.2): the members that Express 5 has kept. */
export interface NegotiationBasics {
  /**
   * Return the value of a request header. Names are case-insensitive; `Referer` and `Referrer` are interchangeable.
   * @returns undefined if the client did not send it
   * @throws TypeError if the name is missing or not a string
   * @example
   * req.get('content-type'); // 'text/html'
   * // GET / (Content-Type: text/html)
   */
  get(name: 'set-cookie'): string[] | undefined;
  get(name: string): string | undefined;
  /**
   * Return the value of a request header, like `req.get()`.
   * @returns undefined if the client did not send it
   * @throws TypeError if the name is missing or not a string
   * @example
   * req.header('content-type'); // 'text/html'
   * // GET / (Content-Type: text/html)
   */
  header(name: 'set-cookie'): string[] | undefined;
  header(name: string): string | undefined;

  /**
   * Return the media type, among those given, that the client prefers (RFC 9110, section 12.5.1).
   * @param type media types or extensions, as an array or as several arguments; without arguments, all types that the
   * client listed are returned
   * @returns the type as it was passed, or false if none is acceptable: send a 406
   * @throws TypeError for a type that is not a string
   * @example
   * req.accepts('html', 'json'); // 'json'
   * // GET / (Accept: text/html;q=0.5, application/json)
   */
  accepts(): string[];
  accepts(type: string | readonly string[]): string | false;
  accepts(...type: string[]): string | false;

  /**
   * Return the charset, among those given, that the client prefers (RFC 9110, section 12.5.2).
   * @returns the charset, or false if none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsCharsets('utf-8', 'iso-8859-1'); // 'iso-8859-1'
   * // GET / (Accept-Charset: iso-8859-1)
   */
  acceptsCharsets(): string[];
  acceptsCharsets(charset: string | readonly string[]): string | false;
  acceptsCharsets(...charset: string[]): string | false;

  /**
   * Return the content coding, among those given, that the client prefers (RFC 9110, section 12.5.3).
   * @returns the coding, or false if none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsEncodings('br', 'gzip'); // 'gzip'
   * // GET / (Accept-Encoding: gzip)
   */
  acceptsEncodings(): string[];
  acceptsEncodings(encoding: string | readonly string[]): string | false;
  acceptsEncodings(...encoding: string[]): string | false;

  /**
   * Return the language, among those given, that the client prefers (RFC 9110, section 12.5.4).
   * @returns the language, or false if none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsLanguages('en', 'de'); // 'de'
   * // GET / (Accept-Language: de, en;q=0.5)
   */
  acceptsLanguages(): string[];
  acceptsLanguages(lang: string | readonly string[]): string | false;
  acceptsLanguages(...lang: string[]): string | false;

  /**
   * Check whether the body has one of the given types (RFC 9110, section 8.3).
   * @param type media types, extensions or wildcards
   * @returns the matching type, false if none matches, null if there is no body
   * @example
   * req.is('json'); // 'json'
   * // POST / (Content-Type: application/json; charset=utf-8) {}
   */
  is(type: string | readonly string[]): string | false | null;
  is(...type: string[]): string | false | null;

  /**
   * Parse the `Range` header (RFC 9110, section 14.2).
   * @param size length of the resource, usually in bytes; ranges are limited to it
   * @param options `combine`: merge ranges that overlap or are adjacent; false by default
   * @returns the ranges; -1 if none can be satisfied; -2 if the header is malformed; undefined without the header
   * @example
   * req.range(1000); // [{ start: 0, end: 99 }]
   * // GET / (Range: bytes=0-99)
   */
  range(size: number, options?: { combine?: boolean | undefined }): RequestRanges | -1 | -2 | undefined;
}

/** The same members, plus the 3.x names. */
export interface RequestNegotiation extends NegotiationBasics {
  /** @deprecated Use `req.acceptsCharsets()`. */
  acceptsCharset(...charset: string[]): string | false;
  /** @deprecated Use `req.acceptsEncodings()`. */
  acceptsEncoding(...encoding: string[]): string | false;
  /** @deprecated Use `req.acceptsLanguages()`. */
  acceptsLanguage(...lang: string[]): string | false;

  /** @deprecated Part of the 3.x API, not implemented. Use `req.accepts()`. */
  accepted: MediaType[];
}

/** The result of `req.range()` without ranges (RFC 9110, section 14): -1 if no range can be satisfied (send a 416), -2 if the header is malformed (ignore it). */
export type RangeFailure = -1 | -2;

export type { ByteRange, RequestRanges } from 'express-serve-static-core';
