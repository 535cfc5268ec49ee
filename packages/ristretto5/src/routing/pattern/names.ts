/** Reads paths as they were registered, for lists of routes. */
import { types } from 'node:util';
import { parse } from './syntax';
import type { Token } from './syntax';
import { variantsOf } from './variants';
import type { FlatToken } from './variants';
import { namesOfGroups } from './regexp';

/**
 * Returns the distinct names of the parameters in a path as it was registered, in order.
 * @example namesIn('/users/:id{/*rest}') // ['id', 'rest']
 */
export function namesIn(path: unknown): string[] {
  if (types.isRegExp(path)) return namesOfGroups(path);
  return [...new Set(namesOf(parse(String(path))))];
}

/**
 * Returns the variants of a path, with and without its optional parts.
 * @throws PathError if it cannot be parsed
 */
export function readVariants(path: string): (readonly FlatToken[])[] {
  return variantsOf(parse(path), path, tokens => tokens);
}

function namesOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(token => {
    if (token.type === 'group') return namesOf(token.tokens);
    return token.type === 'text' ? [] : [token.name];
  });
}
