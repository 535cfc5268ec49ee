/** Content negotiation of a request: what the client accepts, and what its body is (RFC 9110 sections 8.3 and 12.5). */
import depd = require('depd');
import { acceptedLanguages, preferredLanguage } from '../protocol/accept-language';
import { acceptedMediaTypes, preferredMediaType } from '../protocol/accept-media';
import {
  acceptedCharsets,
  acceptedEncodings,
  preferredCharset,
  preferredEncoding,
} from '../protocol/accept-token';
import { hasBody, typeIs } from '../protocol/content-type';
import { typeOfExtension } from '../protocol/mime';
import type { Request } from '../types/core';

const deprecate = depd('express');

/** What a member is called with: one list, or several arguments. */
export type Offers = [first?: string | readonly string[], ...more: string[]];
export type Choice = string | string[] | false;

/**
 * `req.accepts`: the best of the given media types for the client, by its `Accept` field.
 *
 * @param offers - media types or extensions, as a list or as several arguments.
 * @returns the type as it was given; the first where the client sent no field; false when none is acceptable (respond
 * with 406). Without arguments all types of the field, the most preferred first.
 * @example
 * // Accept: text/*;q=0.5, application/json
 * req.accepts('html', 'json'); // 'json'
 */
export function accepts(this: Request, ...offers: Offers): Choice {
  return acceptsWith(this, offers, typeOfExtension);
}

/** Does so, given how the media type of an extension is found. */
export function acceptsWith(req: Request, offers: Offers, typeOf: typeof typeOfExtension): Choice {
  const field = req.headers.accept;
  const types = listOf(offers);
  if (types.length === 0) return acceptedMediaTypes(field);
  if (!field) return types[0]!;
  return chosen(
    types,
    preferredMediaType(
      field,
      types.map(type => (type.includes('/') ? type : typeOf(type))),
    ),
  );
}

/**
 * `req.acceptsEncodings`: the best of the given content codings for the client, by its `Accept-Encoding` field.
 *
 * @returns the coding as it was given, or false; without arguments all codings of the field, best first.
 * @example
 * req.acceptsEncodings('br', 'gzip'); // 'gzip'
 */
export function acceptsEncodings(this: Request, ...offers: Offers): Choice {
  const field = this.headers['accept-encoding'];
  const encodings = listOf(offers);
  if (encodings.length === 0) return acceptedEncodings(field);
  return chosen(encodings, preferredEncoding(field, encodings));
}

/**
 * `req.acceptsCharsets`: the best of the given charsets for the client, by its `Accept-Charset` field.
 *
 * @returns the charset as it was given, or false; without arguments all charsets of the field, best first.
 * @example
 * req.acceptsCharsets('utf-8', 'iso-8859-1'); // 'utf-8'
 */
export function acceptsCharsets(this: Request, ...offers: Offers): Choice {
  const field = this.headers['accept-charset'] as string | undefined;
  const charsets = listOf(offers);
  if (charsets.length === 0) return acceptedCharsets(field);
  return chosen(charsets, preferredCharset(field, charsets));
}

/**
 * `req.acceptsLanguages`: the best of the given languages for the client, by its `Accept-Language` field.
 *
 * @returns the language as it was given, or false; without arguments all languages of the field, best first.
 * @example
 * req.acceptsLanguages('en', 'de'); // 'de'
 */
export function acceptsLanguages(this: Request, ...offers: Offers): Choice {
  const field = this.headers['accept-language'];
  const languages = listOf(offers);
  if (languages.length === 0) return acceptedLanguages(field);
  return chosen(languages, preferredLanguage(field, languages));
}

/** `req.acceptsEncoding`: the old name of `req.acceptsEncodings`. */
export function acceptsEncoding(this: Request, ...offers: Offers): Choice {
  deprecate('req.acceptsEncoding: Use acceptsEncodings instead');
  return acceptsEncodings.apply(this, offers);
}

/** `req.acceptsCharset`: the old name of `req.acceptsCharsets`. */
export function acceptsCharset(this: Request, ...offers: Offers): Choice {
  deprecate('req.acceptsCharset: Use acceptsCharsets instead');
  return acceptsCharsets.apply(this, offers);
}

/** `req.acceptsLanguage`: the old name of `req.acceptsLanguages`. */
export function acceptsLanguage(this: Request, ...offers: Offers): Choice {
  deprecate('req.acceptsLanguage: Use acceptsLanguages instead');
  return acceptsLanguages.apply(this, offers);
}

/**
 * `req.is`: which of the given types the request's body has.
 *
 * @param types - media types, wild ones (`text/*`, `+json`), extensions, `urlencoded` or `multipart`; as a list or as
 *   several arguments.
 * @returns the type as it was given, the whole media type where a wild one matched, false when it is another, null when
 *   the request has no body.
 * @example
 * req.is('json'); // 'json'
 */
export function is(
  this: Request,
  types: string | readonly string[],
  ...more: string[]
): string | false | null {
  if (!hasBody(this.headers)) return null;
  const value = this.headers['content-type'];
  if (Array.isArray(types)) return typeIs(value, types);
  return typeIs(value, arguments.length === 0 ? [] : [types, ...more]);
}

function listOf(offers: Offers): readonly string[] {
  const first = offers[0];
  if (Array.isArray(first)) return first as readonly string[];
  return first ? (offers as string[]) : [];
}

function chosen(offers: readonly string[], index: number): string | false {
  return (index >= 0 && offers[index]) || false;
}
