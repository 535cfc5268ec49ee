/** Content negotiation of 3.x: returns `undefined` instead of false, or a Boolean instead of the match. */
import depd = require('depd');
import { accepts as acceptsType } from '@ristretto/private-engine/lib/request';
import {
  acceptedCharsets,
  acceptedEncodings,
  acceptedLanguages,
  byPreference,
  parseAccept,
  typeIs,
} from '@ristretto/private-engine/lib/protocol';
import type { Request } from '../types/core';
import type { AcceptedType } from '../types/negotiation';

const deprecate = depd('express');

/**
 * Returns the media type or extension that the client prefers, by the `Accept` header.
 *
 * @param types a list, as an array or as a comma-separated string
 * @returns the type as it was passed; the first if the client sent no header; undefined if none is acceptable
 * @example
 * // Accept: text/*;q=0.5, application/json
 * req.accepts('html, json'); // 'json'
 */
export function accepts(
  this: Request,
  types: string | readonly string[],
  ...more: string[]
): string | undefined {
  const offers = typeof types === 'string' ? [...types.split(','), ...more] : [...(types ?? [])];
  const named = offers.map(offer => offer.trim()).filter(offer => offer !== '');
  return named.length === 0
    ? undefined
    : (Reflect.apply(acceptsType, this, [named]) as string | false) || undefined;
}

/** Whether a charset is acceptable. @example req.acceptsCharset('utf-8'); // true */
export function acceptsCharset(this: Request, charset: string): boolean {
  deprecate('req.acceptsCharset: Use req.acceptsCharsets instead');
  return Boolean(charset) && this.acceptsCharsets(charset) !== false;
}

/** Whether a content coding is acceptable. @example req.acceptsEncoding('gzip'); // true */
export function acceptsEncoding(this: Request, encoding: string): boolean {
  deprecate('req.acceptsEncoding: Use req.acceptsEncodings instead');
  return Boolean(encoding) && this.acceptsEncodings(encoding) !== false;
}

/** Whether a language is acceptable. @example req.acceptsLanguage('en'); // true */
export function acceptsLanguage(this: Request, language: string): boolean {
  deprecate('req.acceptsLanguage: Use req.acceptsLanguages instead');
  return Boolean(language) && this.acceptsLanguages(language) !== false;
}

/**
 * `req.accepted`: the media ranges that the client accepts, best first; empty without an `Accept` header.
 * @example req.accepted[0].value; // 'text/html'
 */
export function accepted(this: Request): AcceptedType[] {
  deprecate('req.accepted: Use req.accepts() instead');
  return byPreference(parseAccept(this.headers.accept ?? '')).map(range => ({
    value: range.name,
    quality: range.quality,
    params: range.parameters ?? {},
    originalIndex: range.order,
    type: range.type,
    subtype: range.subtype,
  }));
}

/** `req.acceptedCharsets`: best first; empty without an `Accept-Charset` header. */
export function charsets(this: Request): string[] {
  deprecate('req.acceptedCharsets: Use req.acceptsCharsets() instead');
  const field = this.headers['accept-charset'] as string | undefined;
  return field === undefined ? [] : acceptedCharsets(field);
}

/** `req.acceptedEncodings`: best first; empty without an `Accept-Encoding` header. */
export function encodings(this: Request): string[] {
  deprecate('req.acceptedEncodings: Use req.acceptsEncodings() instead');
  const field = this.headers['accept-encoding'];
  return field === undefined ? [] : acceptedEncodings(field);
}

/** `req.acceptedLanguages`: best first; empty without an `Accept-Language` header. */
export function languages(this: Request): string[] {
  deprecate('req.acceptedLanguages: Use req.acceptsLanguages() instead');
  const field = this.headers['accept-language'];
  return field === undefined ? [] : acceptedLanguages(field);
}

/**
 * `req.is`: whether the `Content-Type` is one of the given types, even without a body.
 *
 * @param type a media type, a wildcard (`text/*`), an extension, or several of them
 * @example
 * // Content-Type: application/json; charset=utf-8
 * req.is('json'); // true
 */
export function is(this: Request, type: string | readonly string[]): boolean {
  const types = Array.isArray(type) ? (type as readonly string[]) : [type];
  return typeIs(this.headers['content-type'], types) !== false;
}
