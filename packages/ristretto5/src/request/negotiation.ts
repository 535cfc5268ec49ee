/** `req.accepts` and `req.is`, which look up media types by extension. */
import { hasBody, typeIs } from 'ristretto/lib/protocol/content-type';
import { acceptsWith } from 'ristretto/lib/request/negotiation';
import type { Choice, Offers } from 'ristretto/lib/request/negotiation';
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
  return acceptsWith(this as never, offers, typeOfExtension);
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
