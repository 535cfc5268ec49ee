/** Splits a path pattern into its tokens: only the lexical grammar of path-to-regexp 0.1, not its semantics. */

/** `:name`, with the characters before and after it that belong to it. */
export interface ParameterToken {
  kind: 'parameter';
  text: string;
  /** '/' if a preceding slash belongs to the parameter. */
  slash: string;
  /** Whether a preceding dot belongs to the parameter (`.:format`). */
  dot: boolean;
  name: string;
  /** The user's own expression with its parentheses, or ''. */
  expression: string;
  /** `:name*`: captures further segments in a separate group. */
  star: boolean;
  optional: boolean;
}

/**
 * `text` is copied as it is, `escape` is a backslash with its character, `group` is `/(` (which opens a non-capturing
 * group), `dot` is a literal dot, `star` captures anything.
 */
export type Token = ParameterToken | { kind: 'text' | 'escape' | 'group' | 'dot' | 'star'; text: string };

const PARAMETER = /(\/?)(\.?):(\w+)(\(.*?\))?(\*?)(\??)/y;
const ESCAPE = /\\./y;

function at(expression: RegExp, path: string, position: number): RegExpExecArray | null {
  expression.lastIndex = position;
  return expression.exec(path);
}

function special(path: string, position: number): Token | undefined {
  const escape = at(ESCAPE, path, position);
  if (escape) return { kind: 'escape', text: escape[0] };
  const parameter = at(PARAMETER, path, position);
  if (parameter) {
    const [text, slash = '', dot = '', name = '', expression = '', star = '', optional = ''] = parameter;
    const flags = { dot: dot !== '', star: star !== '', optional: optional !== '' };
    return { kind: 'parameter', text, slash, name, expression, ...flags };
  }
  if (path.startsWith('/(', position)) return { kind: 'group', text: '/(' };
  if (path[position] === '.') return { kind: 'dot', text: '.' };
  if (path[position] === '*') return { kind: 'star', text: '*' };
  return undefined;
}

/**
 * Returns the tokens of a pattern, in order; their concatenated texts are the pattern.
 *
 * @example tokenize('/a/:b?') // text '/a', parameter 'b' (slash, optional)
 */
export function tokenize(path: string): Token[] {
  const tokens: Token[] = [];
  let literal = '';
  for (let position = 0; position < path.length;) {
    const token = special(path, position);
    if (!token) {
      literal += path.charAt(position++);
      continue;
    }
    if (literal) tokens.push({ kind: 'text', text: literal });
    literal = '';
    tokens.push(token);
    position += token.text.length;
  }
  if (literal) tokens.push({ kind: 'text', text: literal });
  return tokens;
}
