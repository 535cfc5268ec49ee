/** The members of requests that differ in 3.x. Negotiation returns `undefined` instead of false, or a Boolean instead of the match. */
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
import type { AcceptedType } from '../types/members';

const deprecate = depd('express');

/** Returns the media type or extension that the client prefers, as it was passed. */
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

/** Whether a charset is acceptable. */
export function acceptsCharset(this: Request, charset: string): boolean {
  deprecate('req.acceptsCharset: Use req.acceptsCharsets instead');
  return Boolean(charset) && this.acceptsCharsets(charset) !== false;
}

/** Whether a content coding is acceptable. */
export function acceptsEncoding(this: Request, encoding: string): boolean {
  deprecate('req.acceptsEncoding: Use req.acceptsEncodings instead');
  return Boolean(encoding) && this.acceptsEncodings(encoding) !== false;
}

/** Whether a language is acceptable. */
export function acceptsLanguage(this: Request, language: string): boolean {
  deprecate('req.acceptsLanguage: Use req.acceptsLanguages instead');
  return Boolean(language) && this.acceptsLanguages(language) !== false;
}

/** `req.accepted`: the media ranges that the client accepts, best first; empty without an `Accept` header. */
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

/** `req.is`: whether the `Content-Type` is one of the given types, whatever its parameters, even without a body. */
export function is(this: Request, type: string | readonly string[]): boolean {
  const types = Array.isArray(type) ? (type as readonly string[]) : [type];
  return typeIs(this.headers['content-type']?.split(';', 1)[0], types) !== false;
}

/** `req.auth`: the name and the password of HTTP Basic authentication (RFC 7617); neither is checked. */
export function auth(this: Request): { username: string; password: string } | undefined {
  deprecate('req.auth: Use basic-auth npm module instead');
  const [scheme, encoded, ...more] = (this.headers.authorization ?? '').trim().split(/ +/, 3);
  if (scheme!.toLowerCase() !== 'basic' || !encoded || more.length > 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
