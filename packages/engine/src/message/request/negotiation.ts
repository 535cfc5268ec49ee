/**
 * Content negotiation of a request: what the client accepts, and the type of its body (RFC 9110 sections 8.3 and 12.5).
 */
import depd = require('depd');
import { acceptedLanguages, preferredLanguage } from '../../protocol/accept-language';
import { acceptedMediaTypes, preferredMediaType } from '../../protocol/accept-media';
import {
  acceptedCharsets,
  acceptedEncodings,
  preferredCharset,
  preferredEncoding,
} from '../../protocol/accept-token';
import { hasBody, typeIs } from '../../protocol/content-type';
import type { Request } from '../../types/core';
import { versionOf } from '../../version';

const deprecate = depd('express');

/** The arguments of these methods: one list, or several arguments. */
type Offers = [first?: string | readonly string[], ...more: string[]];
export type Choice = string | string[] | false;

/** `req.accepts`: returns the media type that the client prefers, by its `Accept` header. */
export function accepts(this: Request, ...offers: Offers): Choice {
  const { readAcceptParameters, typeOf } = versionOf(this).requests;
  const { accept } = this.headers;
  const types = listOf(offers);
  if (types.length === 0) return acceptedMediaTypes(accept, readAcceptParameters);
  if (!accept) return types[0]!;
  const mediaTypes = types.map(type => (type.includes('/') ? type : typeOf(type)));
  return chosen(types, preferredMediaType(accept, mediaTypes, readAcceptParameters));
}

/** `req.acceptsEncodings`: returns the content coding that the client prefers, by its `Accept-Encoding` header. */
export function acceptsEncodings(this: Request, ...offers: Offers): Choice {
  const { readAcceptParameters } = versionOf(this).requests;
  const field = this.headers['accept-encoding'];
  const encodings = listOf(offers);
  if (encodings.length === 0) return acceptedEncodings(field, readAcceptParameters);
  return chosen(encodings, preferredEncoding(field, encodings, readAcceptParameters));
}

/** `req.acceptsCharsets`: returns the charset that the client prefers, by its `Accept-Charset` header. */
export function acceptsCharsets(this: Request, ...offers: Offers): Choice {
  const { readAcceptParameters } = versionOf(this).requests;
  const field = this.headers['accept-charset'] as string | undefined;
  const charsets = listOf(offers);
  if (charsets.length === 0) return acceptedCharsets(field, readAcceptParameters);
  return chosen(charsets, preferredCharset(field, charsets, readAcceptParameters));
}

/** `req.acceptsLanguages`: returns the language that the client prefers, by its `Accept-Language` header. */
export function acceptsLanguages(this: Request, ...offers: Offers): Choice {
  const { readAcceptParameters } = versionOf(this).requests;
  const field = this.headers['accept-language'];
  const languages = listOf(offers);
  if (languages.length === 0) return acceptedLanguages(field, readAcceptParameters);
  return chosen(languages, preferredLanguage(field, languages, readAcceptParameters));
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

/** `req.is`: returns which of the given types the request's body has. */
export function is(
  this: Request,
  types: string | readonly string[],
  ...more: string[]
): string | false | null {
  if (!hasBody(this.headers)) return null;
  const value = this.headers['content-type'];
  const { requests } = versionOf(this);
  if (Array.isArray(types)) return typeIs(value, types, requests);
  return typeIs(value, arguments.length === 0 ? [] : [types, ...more], requests);
}

function listOf(offers: Offers): readonly string[] {
  const first = offers[0];
  if (Array.isArray(first)) return first as readonly string[];
  return first ? (offers as string[]) : [];
}

function chosen(offers: readonly string[], index: number): string | false {
  return (index >= 0 && offers[index]) || false;
}
