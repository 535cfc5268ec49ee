/** The members of a request that negotiate content, in their forms of 3.x. */
import type { RequestNegotiation } from 'ristretto/lib/types/request-negotiation';

/** A media range of an `Accept` field. */
export interface AcceptedType {
  /** `'text/html'` */
  value: string;
  /** 0 to 1 */
  quality: number;
  /** The parameters, without `q`. */
  params: Record<string, string | undefined>;
  /** The part before the slash. */
  type: string;
  /** The part after the slash. */
  subtype: string;
  /** The position in the field. */
  originalIndex: number;
}

type Other = 'accepts' | 'accepted' | 'acceptsCharset' | 'acceptsEncoding' | 'acceptsLanguage' | 'is';

/** Content negotiation, in its forms of 3.x. */
export interface RequestNegotiation3 extends Omit<RequestNegotiation, Other> {
  /**
   * The best of some media types or extensions, by the `Accept` field; undefined where none is acceptable.
   * @param types a list, also as text with commas
   * @returns the type as it was given
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
  /** What the client accepts, best first. @deprecated Use `req.accepts()`. */
  readonly accepted: AcceptedType[];
  /** @deprecated Use `req.acceptsCharsets()`. */
  readonly acceptedCharsets: string[];
  /** @deprecated Use `req.acceptsEncodings()`. */
  readonly acceptedEncodings: string[];
  /** @deprecated Use `req.acceptsLanguages()`. */
  readonly acceptedLanguages: string[];
  /**
   * Whether the request's `Content-Type` is a media type, an extension, or one of several.
   * @returns true or false
   * @example
   * req.is('json'); // true
   * // POST / (Content-Type: application/json) {}
   */
  is(type: string | readonly string[]): boolean;
}
