/** Regular expressions as paths: they match as their own `exec` does. */
import { decodeParam } from 'ristretto/lib/router/decode-param';
import type { Matcher } from './path';

/** The beginnings of groups, as Express counts them: escaped parentheses are none, but it takes them for some. */
const GROUPS = /\((?:\?<(.*?)>)?(?!\?)/g;

/** The names of an expression's groups; those without one are numbered. */
export function namesOfGroups(regexp: RegExp): string[] {
  let number = 0;
  return Array.from(regexp.source.matchAll(GROUPS), ([, name]) => name || String(number++));
}

/** Makes a function that matches a path. */
export function regexpMatcher(regexp: RegExp): Matcher {
  const names = namesOfGroups(regexp);
  return function regexpMatcher(path) {
    const match = regexp.exec(path);
    if (!match) return false;
    const params: Record<string, string> = {};
    for (let i = 1; i < match.length; i++) {
      const value = match[i];
      const name = names[i - 1];
      // text that is assigned to `__proto__` is lost, as in Express
      if (value !== undefined && name !== undefined) params[name] = decodeParam(value);
    }
    return { params, path: match[0], keys: Object.keys(params), pattern: undefined };
  };
}
