/** The members that look types up by their extensions: `req.accepts` and `req.is`. */
import { hasBody, typeIs } from 'ristretto/lib/protocol/content-type';
import { acceptsWith } from 'ristretto/lib/request/negotiation';
import type { Choice, Offers } from 'ristretto/lib/request/negotiation';
import { typeOfExtension } from '../protocol/media-types';
import { TYPE_READING } from '../protocol/type-reading';
import type { Request } from '../types/core';

/**
 * `req.accepts`: the best of the given media types for the client, by its `Accept` field.
 *
 * @param offers media types or extensions, as a list or as several arguments
 * @returns the type as it was given; the first where the client sent no field; false when none is acceptable. Without
 *   arguments all types of the field, the most preferred first
 * @example req.accepts('html', 'json'); // 'json'
 */
export function accepts(this: Request, ...offers: Offers): Choice {
  return acceptsWith(this as never, offers, typeOfExtension);
}

/**
 * `req.is`: which of the given types the request's body has. Malformed parameters do not matter.
 *
 * @param types media types, wild ones, extensions, `urlencoded` or `multipart`
 * @returns the type as it was given, the whole media type where a wild one matched, false when it is another, null when
 *   the request has no body
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
