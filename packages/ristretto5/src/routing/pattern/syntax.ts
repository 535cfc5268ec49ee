/**
 * Parses the grammar of path-to-regexp 8: text, `:name`, `*name`, `{groups}` and escapes, without their matching rules.
 * For a path in Express 4 syntax, the error suggests its Express 5 form.
 */

/** A parameter matches (part of) one segment, a wildcard several. */
export interface Capture {
  type: 'param' | 'wildcard';
  name: string;
}
export interface Text {
  type: 'text';
  value: string;
}
/** An optional part. */
export interface Group {
  type: 'group';
  tokens: Token[];
}
export type Token = Text | Capture | Group;

/** The error for a path that cannot be parsed: the position of the mistake in characters, and the path. */
export class PathError extends TypeError {
  constructor(
    message: string,
    readonly originalPath: string,
  ) {
    const advice = adviceFor(originalPath);
    super(
      `${message}: ${originalPath}; visit https://git.new/pathToRegexpError for info${advice && `. ${advice}`}`,
    );
  }
}

/** Characters with a meaning in other grammars, or reserved for one. */
const RESERVED = new Set('()[]+?!}');
const NAME_START = /^[$_\p{ID_Start}]$/u;
const NAME = /^[$\u200c\u200d\p{ID_Continue}]$/u;

class Parser {
  private readonly characters: string[];
  private at = 0;

  constructor(private readonly path: string) {
    // Code points, because error positions count them
    this.characters = Array.from(path);
  }

  /** Returns the tokens up to the end of the path, or of a group. */
  tokens(inGroup = false): Token[] {
    const tokens: Token[] = [];
    let text = '';
    const add = (token: Token): void => {
      if (text !== '') tokens.push({ type: 'text', value: text });
      text = '';
      tokens.push(token);
    };
    for (; this.at < this.characters.length;) {
      const start = this.at;
      const character = this.characters[this.at++]!;
      if (character === ':') add({ type: 'param', name: this.name() });
      else if (character === '*') add({ type: 'wildcard', name: this.name() });
      else if (character === '{') add({ type: 'group', tokens: this.tokens(true) });
      else if (character === '}' && inGroup)
        return text === '' ? tokens : [...tokens, { type: 'text', value: text }];
      else if (character === '\\') text += this.escaped();
      else if (RESERVED.has(character)) this.fail(`Unexpected ${character} at index ${String(start)}`);
      else text += character;
    }
    if (inGroup) this.fail(`Unexpected end at index ${String(this.at)}, expected }`);
    if (text !== '') tokens.push({ type: 'text', value: text });
    return tokens;
  }

  private escaped(): string {
    return this.characters[this.at++] ?? this.fail(`Unexpected end after \\ at index ${String(this.at - 1)}`);
  }

  private name(): string {
    let name = '';
    if (this.characters[this.at] === '"') name = this.quoted();
    else if (NAME_START.test(this.characters[this.at] ?? '')) {
      do name += this.characters[this.at++]!;
      while (NAME.test(this.characters[this.at] ?? ''));
    }
    return name || this.fail(`Missing parameter name at index ${String(this.at)}`);
  }

  private quoted(): string {
    const quote = this.at++;
    let name = '';
    while (this.at < this.characters.length) {
      const character = this.characters[this.at++]!;
      if (character === '"') return name;
      // A backslash at the end leaves the quote unterminated
      name += character === '\\' ? (this.characters[this.at++] ?? '') : character;
    }
    return this.fail(`Unterminated quote at index ${String(quote)}`);
  }

  private fail(message: string): never {
    throw new PathError(message, this.path);
  }
}

/**
 * Returns the tokens of a path.
 * @throws PathError if it cannot be parsed
 * @example parse('/a{/:b}') // text '/a', group of text '/' and parameter 'b'
 */
export function parse(path: string): Token[] {
  return new Parser(path).tokens();
}

/** A regular expression after a parameter, which Express 5 does not support. */
const EXPRESSION = /(:\w+)\([^()]*\)/g;
/** An optional or repeated parameter, with the slash or dot before it. */
const REPEATED = /([/.]?):(\w+)([?*+])/g;
/** A star without a name, or the expression that matches everything. */
const STAR = /\(\.\*\)|\*(?![\w$"])/g;
/** A segment in the syntax of Next.js. */
const BRACKETS = /(?<=\/)\[{1,2}(\.{3})?(\w+)\]{1,2}(?=\/|$)/g;
/** Characters that can only mean a regular expression. */
const OF_EXPRESSIONS = /[()[\]+?]/;

/**
 * Returns advice for a path that could not be parsed; empty if it is not in the syntax of Express 4 or Next.js.
 * @example adviceFor('/users/:id?') // "In Express 5, write '/users{/:id}'"
 */
function adviceFor(path: string): string {
  if (!OF_EXPRESSIONS.test(path) && path.search(STAR) < 0) return '';
  const isConstrained = path.search(EXPRESSION) >= 0;
  const written = inExpress5(path);
  if (OF_EXPRESSIONS.test(written)) {
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
