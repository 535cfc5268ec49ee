/** Regular expressions as paths: matched with their own `exec`. */
import { decodeParam } from '@ristretto/private-engine/lib/router';
import type { Matcher } from './path';

/** The starts of groups as Express counts them, which includes escaped parentheses. */
const GROUPS = /\((?:\?<(.*?)>)?(?!\?)/g;

/** Returns the names of an expression's groups; groups without one are numbered. */
export function namesOfGroups(regexp: RegExp): string[] {
  let number = 0;
  return Array.from(regexp.source.matchAll(GROUPS), ([, name]) => name || String(number++));
}

/** Returns a function that matches a path. */
export function regexpMatcher(regexp: RegExp): Matcher {
  const names = namesOfGroups(regexp);
  return function regexpMatcher(path) {
    const match = regexp.exec(path);
    if (!match) return false;
    const params: Record<string, string> = {};
    for (let i = 1; i < match.length; i++) {
      const value = match[i];
      const name = names[i - 1];
      // A string assigned to `__proto__` is lost, as in Express
      if (value !== undefined && name !== undefined) params[name] = decodeParam(value);
    }
    return { params, path: match[0], keys: Object.keys(params), pattern: undefined };
  };
}
