/**
 * Parses the grammar of path-to-regexp 8: text, `:name`, `*name`, `{groups}` and escapes, without their matching rules.
 */

import { adviceFor } from './advice';

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
