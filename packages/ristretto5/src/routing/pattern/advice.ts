/** What to write instead of a path in the syntax of Express 4. */

/** An expression behind a parameter, which Express 5 has no place for. */
const EXPRESSION = /(:\w+)\([^()]*\)/g;
/** A parameter, with the slash or dot in front of it, that may be left out, or may come several times. */
const REPEATED = /([/.]?):(\w+)([?*+])/g;
/** A star without a name, or the expression for all. */
const STAR = /\(\.\*\)|\*(?![\w$"])/g;
/** What has no other meaning than that of a regular expression. */
const RESERVED = /[()[\]+?]/;

/**
 * Advice on a path that could not be read; empty where it is none of Express 4.
 * @example adviceFor('/users/:id?') // "In Express 5, write '/users{/:id}'"
 */
export function adviceFor(path: string): string {
  if (!RESERVED.test(path) && path.search(STAR) < 0) return '';
  const isConstrained = path.search(EXPRESSION) >= 0;
  const written = inExpress5(path);
  if (RESERVED.test(written)) {
    return 'Paths of Express 5 hold no regular expressions: pass a RegExp, or an array of paths';
  }
  const check = isConstrained ? ', and check the value in the handler, or pass a RegExp' : '';
  return `In Express 5, write '${written}'${check}`;
}

function inExpress5(path: string): string {
  let stars = 0;
  return path
    .replace(EXPRESSION, '$1')
    .replace(REPEATED, (_, before: string, name: string, sign: string) => {
      if (sign === '?') return `{${before}:${name}}`;
      return sign === '+' ? `${before}*${name}` : `{${before}*${name}}`;
    })
    .replace(STAR, (_, offset: number, whole: string) => {
      const name = `*splat${stars++ === 0 ? '' : String(stars)}`;
      if (offset === 0) return `/{${name}}`;
      // a star of Express 4 takes nothing, too
      return whole[offset - 1] === '/' ? `{${name}}` : name;
    });
}
