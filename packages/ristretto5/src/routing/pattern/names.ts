/** The names of the parameters in a path. */
import { parse } from './syntax';
import type { Token } from './syntax';
import { namesOfGroups } from './regexp';

/**
 * Returns the distinct names of the parameters in a path as it was registered, in order.
 * @example namesIn('/users/:id{/*rest}') // ['id', 'rest']
 */
export function namesIn(path: unknown): string[] {
  if (path instanceof RegExp) return namesOfGroups(path);
  return [...new Set(namesOf(parse(String(path))))];
}

function namesOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(token => {
    if (token.type === 'group') return namesOf(token.tokens);
    return token.type === 'text' ? [] : [token.name];
  });
}
