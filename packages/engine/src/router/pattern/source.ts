/**
 * Writes exactly the regular expression that Express 4 creates from a path pattern, and the keys of its groups: tools
 * parse `layer.regexp` and read `layer.keys`, including all peculiarities.
 */
import type { ParameterToken, Token } from './tokens';
import type { PatternKey, PatternOptions } from './types';

/** A pattern as the source text of an expression. */
export interface PatternSource {
  source: string;
  keys: PatternKey[];
}

/** Matches escapes (to be skipped) and the beginnings of capture groups, with the name if there is one. */
const GROUPS = /\\.|\((?:\?<(.*?)>)?(?!\?)/g;

/** Writes the body of the expression. */
class Writer {
  out = '';
  readonly keys: PatternKey[] = [];
  /**
   * A parameter in the middle of a segment must not match across a repetition of the text before it. That text is
   * `before`, followed by the part of the pattern between `from` and the parameter. For an escape or a dot, Express
   * advances `from` by its length instead of past it, so some text appears twice. That is harmless, and reproduced
   * here.
   */
  private before = '';
  private from = 0;
  private position = 0;

  constructor(private readonly path: string) {}

  write(token: Token): void {
    switch (token.kind) {
      case 'parameter':
        this.parameter(token);
        break;
      case 'star':
        this.out += '(.*)';
        this.restart(token.text.length);
        break;
      case 'group':
        this.out += '/(?:';
        this.before += `${this.path.slice(this.from, this.position)}/`;
        this.from = this.position + token.text.length;
        break;
      case 'escape':
      case 'dot': {
        const escaped = token.kind === 'dot' ? '\\.' : token.text;
        this.out += escaped;
        this.before += escaped;
        this.from += token.text.length;
        break;
      }
      case 'text':
        this.out += token.text;
    }
    this.position += token.text.length;
  }

  private restart(length: number): void {
    this.before = '';
    this.from = this.position + length;
  }

  private parameter(token: ParameterToken): void {
    const dot = token.dot ? '\\.' : '';
    const before = this.before + this.path.slice(this.from, this.position);
    this.keys.push({ name: token.name, optional: token.optional, offset: this.out.length });
    let group = `([^/${dot}]+?)`;
    if (token.expression)
      group = token.expression.replace(/\\.|\*/, first => (first === '*' ? '(.*)' : first));
    else if (!token.slash && !dot && before) group = `((?:(?!/|${before}).)+?)`;
    const more = token.star ? `((?:[/${dot}].+?)?)` : '';
    this.out += `(?:${dot}${token.slash}${group}${more})${token.optional ? '?' : ''}`;
    this.restart(token.text.length);
  }
}

/** Inserts a numbered key for every group that does not belong to a parameter. */
function numberGroups(body: string, keys: PatternKey[]): void {
  let next = 0;
  let count = 0;
  for (const { 0: text, index } of body.matchAll(GROUPS)) {
    if (text.startsWith('\\')) continue;
    const key = keys[count];
    if (!key || (key.offset ?? 0) > index) {
      keys.splice(count, 0, { name: next++, optional: false, offset: index });
    }
    count++;
  }
}

function ending(path: string, options: PatternOptions): string {
  const slash = path.endsWith('/');
  const optionalSlash = slash ? '?' : '/?';
  const close = options.strict ? '' : optionalSlash;
  if (options.end !== false) return `${close}$`;
  return options.strict && slash ? '' : `${close}(?=/|$)`;
}

/**
 * Returns the expression and keys of a string pattern.
 *
 * @param path the pattern
 * @param tokens its tokens
 * @param options as for `parsePath`
 * @example writeSource('/:id', tokenize('/:id'), {}).source // '^(?:/([^/]+?))/?$'
 */
export function writeSource(path: string, tokens: Token[], options: PatternOptions): PatternSource {
  const writer = new Writer(path);
  for (const token of tokens) writer.write(token);
  numberGroups(writer.out, writer.keys);
  return { source: `^${writer.out}${ending(path, options)}`, keys: writer.keys };
}

/**
 * Returns the keys of a user's own expression: the group's name, or its number among those without a name.
 *
 * @example expressionKeys('(?<year>\\d+)-(\\d+)') // names 'year' and 0
 */
export function expressionKeys(source: string): PatternKey[] {
  const keys: PatternKey[] = [];
  let next = 0;
  for (const { 0: text, 1: name, index } of source.matchAll(GROUPS)) {
    if (!text.startsWith('\\')) keys.push({ name: name ?? next++, optional: false, offset: index });
  }
  return keys;
}
