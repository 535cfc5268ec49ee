/** The members of 5.x that negotiate, and `req.is`. */
import { hasBody, typeIs } from '@ristretto/private-engine/lib/protocol';
import {
  chooseCharset,
  chooseEncoding,
  chooseLanguage,
  chooseMediaType,
} from '@ristretto/private-engine/lib/request';
import type { Choice, Offers } from '@ristretto/private-engine/lib/request';
import { usualMediaTypes, usualNames } from '../protocol/accept-fields';
import { typeOfExtension } from '../protocol/media-types';
import { TYPE_READING } from '../protocol/type-reading';
import type { Request } from '../types/core';

/**
 * `req.accepts`: returns the given media type that the client prefers, by its `Accept` header.
 *
 * @param offers media types or extensions, as a list or as several arguments
 * @returns the type as it was passed; the first if the client sent no header; false if none is acceptable. Without
 * arguments, all types in the header, the most preferred first
 * @example req.accepts('html', 'json'); // 'json'
 */
export function accepts(this: Request, ...offers: Offers): Choice {
  return chooseMediaType(usualMediaTypes(this.headers.accept), offers, typeOfExtension);
}

/**
 * `req.acceptsEncodings`: returns the content coding that the client prefers, by its `Accept-Encoding` header.
 *
 * @param offers content codings, as a list or as several arguments
 * @returns the coding as it was passed, or false; without arguments, all codings of the header, the most preferred first
 * @example req.acceptsEncodings('br', 'gzip'); // 'gzip'
 */
export function acceptsEncodings(this: Request, ...offers: Offers): Choice {
  return chooseEncoding(usualNames(this.headers['accept-encoding']), offers);
}

/**
 * `req.acceptsCharsets`: returns the charset that the client prefers, by its `Accept-Charset` header.
 *
 * @param offers charsets, as a list or as several arguments
 * @returns the charset as it was passed, or false; without arguments, all charsets of the header, the most preferred
 * first
 * @example req.acceptsCharsets('utf-8', 'iso-8859-1'); // 'utf-8'
 */
export function acceptsCharsets(this: Request, ...offers: Offers): Choice {
  return chooseCharset(usualNames(this.headers['accept-charset'] as string | undefined), offers);
}

/**
 * `req.acceptsLanguages`: returns the language that the client prefers, by its `Accept-Language` header.
 *
 * @param offers languages, as a list or as several arguments
 * @returns the language as it was passed, or false; without arguments, all languages of the header, the most preferred
 * first
 * @example req.acceptsLanguages('en', 'de'); // 'de'
 */
export function acceptsLanguages(this: Request, ...offers: Offers): Choice {
  return chooseLanguage(usualNames(this.headers['accept-language']), offers);
}

/**
 * `req.is`: returns the type of the request's body among those given. Malformed parameters are ignored.
 *
 * @param types media types, wildcards, extensions, `urlencoded` or `multipart`
 * @returns the type as it was passed, the whole media type if a wildcard matched, false if none matches, null if the
 * request has no body
 * @example req.is('json'); // 'json'
 */
export function is(
  this: Request,
  types: string | readonly string[],
  ...more: string[]
): string | false | null {
  if (!hasBody(this.headers)) return null;
  const value = this.headers['content-type'];
  if (Array.isArray(types)) return typeIs(value, types, TYPE_READING);
  return typeIs(value, arguments.length === 0 ? [] : [types, ...more], TYPE_READING);
}
