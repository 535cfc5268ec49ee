/** Converts paths from the syntax of Express 4 (path-to-regexp 0.1) to that of Express 5 (path-to-regexp 8). */

/** A wildcard of a converted path: its parameter, and what Express 4 has in `req.params[index]`. */
export interface Wildcard {
  index: number;
  /** The code that reads the same text from `req.params`, to be written in place of `params`. */
  read: (params: string) => string;
}

export interface Converted {
  path: string;
  wildcards: Wildcard[];
}

const PART = /(\/|\.)?:(\w+)(\?)?|([^:*?])\?|(\*)|([^:*?])/y;
/** Characters with a meaning in Express 4 that Express 5 has no equivalent of, or that it reads differently. */
const OTHER = /[()[\]{}+\\|^$!]/;

/**
 * Converts a path.
 * @returns undefined if Express 5 has no path that matches the same
 */
export function convertPath(path: string): Converted | undefined {
  if (OTHER.test(path) || !/^[ -~]*$/.test(path)) return undefined;
  if (path === '*') return { path: '/{*splat}', wildcards: [wildcard(0, 'splat', '/')] };
  const wildcards: Wildcard[] = [];
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  let converted = '';
  let endsWithParameter = false;
  let endsWithWildcard = false;
  for (PART.lastIndex = 0; PART.lastIndex < path.length;) {
    const [, before = '', name, isOptional, optional, star, text] = PART.exec(path) ?? [];
    // In Express 4, the wildcard takes what an optional part after it could match
    if (endsWithWildcard && (isOptional ?? optional) !== undefined) return undefined;
    if (name !== undefined) {
      // Express 5 needs text between two parameters, and names that are identifiers
      if ((endsWithParameter && before === '') || /^\d/.test(name)) return undefined;
      converted += isOptional === undefined ? `${before}:${name}` : `{${before}:${name}}`;
    } else if (star !== undefined) {
      if (endsWithParameter) return undefined;
      const splat = nameFor(wildcards.length, names);
      wildcards.push(wildcard(wildcards.length, splat, ''));
      converted += `{*${splat}}`;
    } else if (optional !== undefined) converted += `{${optional}}`;
    else if (text !== undefined) converted += text;
    else return undefined;
    endsWithWildcard = star !== undefined;
    endsWithParameter = name !== undefined || star !== undefined;
  }
  return { path: converted, wildcards };
}

function wildcard(index: number, name: string, prefix: string): Wildcard {
  const read = (params: string) => `(${params}.${name} ?? []).join('/')`;
  return { index, read: prefix === '' ? read : params => `('${prefix}' + ${read(params)})` };
}

function nameFor(index: number, names: ReadonlySet<string | undefined>): string {
  const name = index === 0 ? 'splat' : `splat${String(index + 1)}`;
  return names.has(name) ? `_${name}` : name;
}
