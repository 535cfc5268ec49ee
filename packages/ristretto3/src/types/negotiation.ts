/** The content negotiation members of a request, in their 3.x forms. */
import type { RequestNegotiation } from '@ristretto/private-engine/lib/types/request-negotiation';

/** A media range of an `Accept` header. */
export interface AcceptedType {
  /** The media type, such as `'text/html'`. */
  value: string;
  /** The quality, 0 to 1. */
  quality: number;
  /** The parameters, without `q`. */
  params: Record<string, string | undefined>;
  /** The part before the slash. */
  type: string;
  /** The part after the slash. */
  subtype: string;
  /** The position in the header. */
  originalIndex: number;
}

type Other = 'accepts' | 'accepted' | 'acceptsCharset' | 'acceptsEncoding' | 'acceptsLanguage' | 'is';

/** Content negotiation, in its 3.x forms. */
export interface RequestNegotiation3 extends Omit<RequestNegotiation, Other> {
  /**
   * Return the media type or extension, among those given, that the client prefers by its `Accept` header; undefined if
   * none is acceptable.
   * @param types a list, as an array or as a comma-separated string
   * @returns the type as it was passed
   * @example
   * req.accepts('html, json'); // 'json'
   * // GET / (Accept: application/json)
   */
  accepts(types: string | readonly string[], ...more: string[]): string | undefined;
  /** @deprecated Use `req.acceptsCharsets()`. */
  acceptsCharset(charset: string): boolean;
  /** @deprecated Use `req.acceptsEncodings()`. */
  acceptsEncoding(encoding: string): boolean;
  /** @deprecated Use `req.acceptsLanguages()`. */
  acceptsLanguage(language: string): boolean;
  /** The media ranges that the client accepts, best first. @deprecated Use `req.accepts()`. */
  readonly accepted: AcceptedType[];
  /** @deprecated Use `req.acceptsCharsets()`. */
  readonly acceptedCharsets: string[];
  /** @deprecated Use `req.acceptsEncodings()`. */
  readonly acceptedEncodings: string[];
  /** @deprecated Use `req.acceptsLanguages()`. */
  readonly acceptedLanguages: string[];
  /**
   * Check whether the request's `Content-Type` is a media type, an extension, or one of several.
   * @returns true or false
   * @example
   * req.is('json'); // true
   * // POST / (Content-Type: application/json) {}
   */
  is(type: string | readonly string[]): boolean;
}
