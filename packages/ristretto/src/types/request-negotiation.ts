/** Members of a request that read its header: fields, what the client accepts, what the body is, which ranges. */
import type { MediaType } from 'express-serve-static-core';
import type { RequestRanges } from './range';

declare module 'express-serve-static-core' {
  /** An entry of the `Accept` header. */
  interface MediaType {
    /** The entry as it was sent, without parameters. */
    value: string;
    /** The weight that the client gave it, 0 to 1. */
    quality: number;
    /** The part before the slash. */
    type: string;
    /** The part after the slash. */
    subtype: string;
  }
}

/** Reading of headers and content negotiation (RFC 9110, sections 8.3, 12.5 and 14.2): what Express 5 has kept of it. */
export interface NegotiationBasics {
  /**
   * The value of a header, whatever the case of the name; `Referer` and `Referrer` are the same.
   * @returns undefined when the client did not send it
   * @throws TypeError when the name is missing or not text
   * @example
   * req.get('content-type'); // 'text/html'
   * // GET / (Content-Type: text/html)
   */
  get(name: 'set-cookie'): string[] | undefined;
  get(name: string): string | undefined;
  /**
   * The same as `req.get()`.
   * @returns undefined when the client did not send it
   * @example
   * req.header('content-type'); // 'text/html'
   * // GET / (Content-Type: text/html)
   */
  header(name: 'set-cookie'): string[] | undefined;
  header(name: string): string | undefined;

  /**
   * The best of the given media types for the client (RFC 9110, section 12.5.1).
   * @param type media types or extensions, as a list, several arguments, or none for what the client listed
   * @returns the type as it was given, or false when none is acceptable: send a 406
   * @example
   * req.accepts('html', 'json'); // 'json'
   * // GET / (Accept: text/html;q=0.5, application/json)
   */
  accepts(): string[];
  accepts(type: string | readonly string[]): string | false;
  accepts(...type: string[]): string | false;

  /**
   * The best of the given charsets for the client (RFC 9110, section 12.5.2).
   * @returns the charset, or false when none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsCharsets('utf-8', 'iso-8859-1'); // 'iso-8859-1'
   * // GET / (Accept-Charset: iso-8859-1)
   */
  acceptsCharsets(): string[];
  acceptsCharsets(charset: string | readonly string[]): string | false;
  acceptsCharsets(...charset: string[]): string | false;

  /**
   * The best of the given content codings for the client (RFC 9110, section 12.5.3).
   * @returns the coding, or false when none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsEncodings('br', 'gzip'); // 'gzip'
   * // GET / (Accept-Encoding: gzip)
   */
  acceptsEncodings(): string[];
  acceptsEncodings(encoding: string | readonly string[]): string | false;
  acceptsEncodings(...encoding: string[]): string | false;

  /**
   * The best of the given languages for the client (RFC 9110, section 12.5.4).
   * @returns the language, or false when none is acceptable; without arguments, all that the client listed
   * @example
   * req.acceptsLanguages('en', 'de'); // 'de'
   * // GET / (Accept-Language: de, en;q=0.5)
   */
  acceptsLanguages(): string[];
  acceptsLanguages(lang: string | readonly string[]): string | false;
  acceptsLanguages(...lang: string[]): string | false;

  /**
   * Which of the given types the body has (RFC 9110, section 8.3).
   * @param type media types, extensions or wildcards
   * @returns the type, false when it is another, null when there is no body
   * @example
   * req.is('json'); // 'json'
   * // POST / (Content-Type: application/json; charset=utf-8) {}
   */
  is(type: string | readonly string[]): string | false | null;
  is(...type: string[]): string | false | null;

  /**
   * The parts of a resource that the client asks for (RFC 9110, section 14.2).
   * @param size the length of the resource, mostly in bytes; ranges are cut to it
   * @param options `combine`: merge ranges that overlap or touch; false by default
   * @returns the ranges; -1 when none can be satisfied; -2 when the header can't be read; undefined without header
   * @example
   * req.range(1000); // [{ start: 0, end: 99 }]
   * // GET / (Range: bytes=0-99)
   */
  range(size: number, options?: { combine?: boolean | undefined }): RequestRanges | -1 | -2 | undefined;
}

/** The same, with the names of 3.x. */
export interface RequestNegotiation extends NegotiationBasics {
  /** @deprecated Use `req.acceptsCharsets()`. */
  acceptsCharset(...charset: string[]): string | false;
  /** @deprecated Use `req.acceptsEncodings()`. */
  acceptsEncoding(...encoding: string[]): string | false;
  /** @deprecated Use `req.acceptsLanguages()`. */
  acceptsLanguage(...lang: string[]): string | false;

  /** @deprecated Part of the 3.x interface, absent here. Use `req.accepts()`. */
  accepted: MediaType[];
}
