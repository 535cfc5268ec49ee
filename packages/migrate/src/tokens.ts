/** Splits JavaScript and TypeScript into tokens, so that code can be found and replaced without touching text in it. */

export interface Token {
  kind: 'name' | 'string' | 'template' | 'number' | 'regexp' | 'mark';
  text: string;
  start: number;
  end: number;
  /** Of a bracket, and of a piece of a template: the index of its partner. */
  partner?: number;
  /** Whether a line break precedes it. */
  isFirst: boolean;
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/|^#![^\n]*)+/y;
const NAME = /[#\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?)n?/iy;
const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
/** A template, or a piece of one that begins or ends at a substitution. */
const TEMPLATE = /[`}](?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
const REGEXP = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
const MARK = /=>|\.\.\.|\?\.(?!\d)|[=!]==?|[-+*/%&|^<>]=|&&=?|\|\|=?|\?\?=?|\+\+|--|[^\s]/uy;
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
/** Keywords after which a slash begins a regular expression. */
const BEFORE_REGEXP =
  /^(?:return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|yield|await|default)$/;

/**
 * Returns the tokens of a source without its comments.
 * @returns undefined if the source can't be split with certainty, for example because of JSX
 */
export function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  /** The indexes of brackets, and of pieces of templates before a substitution, that are not closed yet. */
  const open: number[] = [];
  let at = 0;
  let isFirst = true;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(source) ?? [];
    at += text?.length ?? 0;
    return text !== undefined;
  };
  while (at < source.length) {
    const start = at;
    if (take(SPACE)) {
      isFirst ||= source.slice(start, at).includes('\n');
      continue;
    }
    const opener = tokens[open.at(-1) ?? -1];
    const kind = kindAt(source[at]!, source[at + 1], { last: tokens.at(-1), opener, take });
    if (kind === undefined) return undefined;
    const text = source.slice(start, at);
    const token: Token = { kind, text, start, end: at, isFirst };
    isFirst = false;
    if ((kind === 'mark' && text in CLOSING) || (kind === 'template' && text.startsWith('}'))) {
      if (opener === undefined || (kind === 'mark' && opener.text !== CLOSING[text])) return undefined;
      token.partner = open.pop()!;
      opener.partner = tokens.length;
    }
    if ((kind === 'mark' && '([{'.includes(text)) || text.endsWith('${')) open.push(tokens.length);
    tokens.push(token);
  }
  return open.length === 0 ? tokens : undefined;
}

interface Context {
  last: Token | undefined;
  /** The innermost bracket that is open. */
  opener: Token | undefined;
  /** Moves on if a pattern matches. */
  take: (pattern: RegExp) => boolean;
}

function kindAt(first: string, second = '', { last, opener, take }: Context): Token['kind'] | undefined {
  if (first === '`' || (first === '}' && opener?.kind === 'template'))
    return take(TEMPLATE) ? 'template' : undefined;
  if (first === "'" || first === '"') return take(STRING) ? 'string' : undefined;
  if (take(NAME)) return 'name';
  if (/^(?:\d|\.\d)/.test(first + second)) return take(NUMBER) ? 'number' : undefined;
  if (first === '/' && mayBeRegExp(last)) return take(REGEXP) ? 'regexp' : undefined;
  return take(MARK) ? 'mark' : undefined;
}

/** Whether a slash after a token begins a regular expression, not a division. */
function mayBeRegExp(last: Token | undefined): boolean {
  if (last === undefined || last.text.endsWith('${')) return true;
  if (last.kind === 'name') return BEFORE_REGEXP.test(last.text);
  return last.kind === 'mark' && !/^(?:[)\]}]|\+\+|--)$/.test(last.text);
}
