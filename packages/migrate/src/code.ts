/** A source as tokens, with the meaning of its names, and its replacements. */
import { tokensOf } from './tokens';
import type { Token } from './tokens';

/** The names of the packages that implement the API. */
export const MODULES: ReadonlySet<string> = new Set(['express', 'ristretto', 'ristretto5']);

/** A call of a member: `receiver.name(…)`. */
export interface Call {
  name: Token;
  /** The name at which the chain of members and calls begins, such as `app` in `app.route('/').get(…)`. */
  root: Token | undefined;
  /** Whether the receiver is that name alone. */
  isDirect: boolean;
  /** The index of the opening parenthesis. */
  open: number;
  close: number;
  args: Argument[];
}

/** The tokens of an argument: indexes from `from` up to, but excluding, `to`. */
export interface Argument {
  from: number;
  to: number;
}

/** A range of the source, by offsets. */
interface Range {
  start: number;
  end: number;
}

/** New text, or a range of the source that stays, with the replacements in it. */
type Part = string | Range;

interface Replacement extends Range {
  parts: readonly Part[];
}

export class Code {
  /** Names that hold an application or a router. */
  readonly routers: ReadonlySet<string>;
  /** Names of the module `express`. */
  readonly modules: ReadonlySet<string>;
  private readonly replacements: Replacement[] = [];

  private constructor(
    readonly source: string,
    readonly tokens: readonly Token[],
  ) {
    this.modules = new Set(findModules(tokens));
    this.routers = new Set(['app', 'router', ...findRouters(tokens, this.modules)]);
  }

  /** Returns the code of a source; undefined if it can't be split into tokens. */
  static of(source: string): Code | undefined {
    const tokens = tokensOf(source);
    return tokens && new Code(source, tokens);
  }

  *calls(): Generator<Call> {
    const { tokens } = this;
    for (const [index, name] of tokens.entries()) {
      if (name.kind !== 'name' || !isDot(tokens[index - 1])) continue;
      const open = index + 1;
      const close = tokens[open]?.text === '(' ? tokens[open].partner : undefined;
      if (close === undefined) continue;
      const root = rootOf(tokens, index - 1);
      const isDirect = root !== undefined && tokens[index - 2] === root && !isDot(tokens[index - 3]);
      yield { name, root, isDirect, open, close, args: argumentsIn(tokens, open, close) };
    }
  }

  /** Returns the source of an argument. */
  textOf(argument: Argument): string {
    const { start, end } = this.rangeOf(argument);
    return this.source.slice(start, end);
  }

  /** Returns the only token of an argument. */
  only(argument: Argument | undefined): Token | undefined {
    return argument && argument.to - argument.from === 1 ? this.tokens[argument.from] : undefined;
  }

  /** Returns the range of an argument. */
  rangeOf({ from, to }: Argument): Range {
    return { start: this.tokens[from]!.start, end: this.tokens[to - 1]!.end };
  }

  replace(start: number, end: number, ...parts: Part[]): void {
    this.replacements.push({ start, end, parts });
  }

  /** Replaces the name and the arguments of a call. */
  replaceCall({ name, close }: Call, ...parts: Part[]): void {
    this.replace(name.start, this.tokens[close]!.end, ...parts);
  }

  /** Returns the source with all replacements. */
  rewritten(): string {
    this.replacements.sort((a, b) => a.start - b.start || b.end - a.end);
    return this.render({ start: 0, end: this.source.length });
  }

  private render({ start, end }: Range): string {
    let [result, at] = ['', start];
    for (const replacement of this.replacements) {
      if (replacement.start < at || replacement.end > end) continue;
      result += this.source.slice(at, replacement.start);
      for (const part of replacement.parts) result += typeof part === 'string' ? part : this.render(part);
      at = replacement.end;
    }
    return result + this.source.slice(at, end);
  }
}

export function isDot(token: Token | undefined): boolean {
  return token?.text === '.' || token?.text === '?.';
}

/** Returns the text of a string literal, or of a template without substitutions; undefined if it has escapes. */
export function literal(token: Token | undefined): string | undefined {
  return /^(?:'([^\\]*)'|"([^\\]*)"|`([^\\]*)`)$/
    .exec(token?.text ?? '')
    ?.slice(1)
    .find(text => text !== undefined);
}

/** Returns the name at which a chain of members and calls begins. @param dot the index of its last dot */
function rootOf(tokens: readonly Token[], dot: number): Token | undefined {
  for (let end = dot - 1; ;) {
    let at = end;
    while (tokens[at]?.text === ')') at = tokens[at]!.partner! - 1;
    const token = tokens[at];
    if (token?.kind !== 'name') return undefined;
    const isCalled = at < end;
    // `this.app.get(…)` and `server.app.get(…)`: the last name says what it is
    if (isDot(tokens[at - 1]) && !isCalled) return token;
    if (!isDot(tokens[at - 1])) return isCalled ? undefined : token;
    end = at - 2;
  }
}

export function argumentsIn(tokens: readonly Token[], open: number, close: number): Argument[] {
  const found: Argument[] = [];
  let from = open + 1;
  for (let at = from; at <= close; at++) {
    const { text } = tokens[at]!;
    if ((text === ',' || at === close) && at > from) found.push({ from, to: at });
    if (text === ',') from = at + 1;
    // A piece of a template may close one substitution and open the next
    else if (at < close) while (tokens[at]!.partner! > at) at = tokens[at]!.partner!;
  }
  return found;
}

/** Yields the names under which the module is imported. */
function* findModules(tokens: readonly Token[]): Generator<string> {
  for (const [at, token] of tokens.entries()) {
    if (!MODULES.has(literal(token) ?? '')) continue;
    // As in `const express = require('express')` and `import express = require('express')`
    if (tokens[at - 1]?.text === '(' && tokens[at - 2]?.text === 'require') {
      if (tokens[at - 3]?.text === '=' && tokens[at - 4]?.kind === 'name') yield tokens[at - 4]!.text;
      continue;
    }
    // As in `import express, { Router } from 'express'` and `import * as express from 'express'`
    if (tokens[at - 1]?.text !== 'from') continue;
    for (let i = at - 2; i >= 0 && tokens[i]!.text !== 'import'; i--) {
      const previous = tokens[i - 1]?.text;
      if (tokens[i]!.kind === 'name' && (previous === 'import' || previous === 'as')) yield tokens[i]!.text;
      if (previous === undefined || previous === ';') break;
    }
  }
}

/** Yields the names to which an application or a router is assigned. */
function* findRouters(tokens: readonly Token[], modules: ReadonlySet<string>): Generator<string> {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || tokens[at + 1]?.text !== '(') continue;
    let start = at;
    if (token.text === 'Router') {
      if (isDot(tokens[at - 1])) start = at - 2;
      if (start !== at && !modules.has(tokens[start]?.text ?? '')) continue;
    } else if (!modules.has(token.text) || isDot(tokens[at - 1])) continue;
    if (tokens[start - 1]?.text === 'new') start--;
    if (tokens[start - 1]?.text !== '=') continue;
    // As in `const app: Application = express()`
    let name = start - 2;
    while (
      name > 0 &&
      /^[\w.:]+$/.test(tokens[name]!.text) &&
      !/^(?:const|let|var)$/.test(tokens[name - 1]!.text)
    )
      name--;
    const isTyped = /^(?:const|let|var)$/.test(tokens[name - 1]?.text ?? '');
    const found = isTyped ? tokens[name] : tokens[start - 2];
    if (found?.kind === 'name') yield found.text;
  }
}
