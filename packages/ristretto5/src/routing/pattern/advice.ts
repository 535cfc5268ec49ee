/** Suggests the Express 5 form of a path in Express 4 syntax. */

/** A regular expression after a parameter, which Express 5 does not support. */
const EXPRESSION = /(:\w+)\([^()]*\)/g;
/** An optional or repeated parameter, with the slash or dot before it. */
const REPEATED = /([/.]?):(\w+)([?*+])/g;
/** A star without a name, or the expression that matches everything. */
const STAR = /\(\.\*\)|\*(?![\w$"])/g;
/** A segment in the syntax of Next.js. */
const BRACKETS = /(?<=\/)\[{1,2}(\.{3})?(\w+)\]{1,2}(?=\/|$)/g;
/** Characters that can only mean a regular expression. */
const RESERVED = /[()[\]+?]/;

/**
 * Returns advice for a path that could not be parsed; empty if it is not in the syntax of Express 4 or Next.js.
 * @example adviceFor('/users/:id?') // "In Express 5, write '/users{/:id}'"
 */
export function adviceFor(path: string): string {
  if (!RESERVED.test(path) && path.search(STAR) < 0) return '';
  const isConstrained = path.search(EXPRESSION) >= 0;
  const written = inExpress5(path);
  if (RESERVED.test(written)) {
    return 'In Express 5, paths cannot contain regular expressions: pass a RegExp, or an array of paths';
  }
  const check = isConstrained ? ', and check the value in the handler, or pass a RegExp' : '';
  return `In Express 5, write '${written}'${check}`;
}

function inExpress5(path: string): string {
  let stars = 0;
  return path
    .replace(BRACKETS, (_, dots, name: string) => (dots === undefined ? `:${name}` : `*${name}`))
    .replace(EXPRESSION, '$1')
    .replace(REPEATED, (_, before: string, name: string, sign: string) => {
      if (sign === '?') return `{${before}:${name}}`;
      return sign === '+' ? `${before}*${name}` : `{${before}*${name}}`;
    })
    .replace(STAR, (_, offset: number) => {
      // In Express 4 a star also matches nothing.
      const written = `{*splat${stars++ === 0 ? '' : String(stars)}}`;
      return offset === 0 ? `/${written}` : written;
    });
}
