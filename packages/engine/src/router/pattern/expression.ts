/**
 * Patterns that are matched as the expressions that they represent: by a linear program, or natively if that is safe.
 */
import { lengthWithFewWays } from './ambiguity';
import { compile } from './compile';
import { fits, matchEnd, run } from './matcher';
import { takeNative } from './native';
import type { Program } from './program';
import { parseExpression } from './syntax';
import type { PathPattern, PatternKey } from './types';

/** The positions of a match's groups before they are cut out of the path; read immediately. */
const slots: number[] = [];

/** A string pattern, or an array, that needs more than one pass over its segments. */
export class ExpressionPattern implements PathPattern {
  index = 0;
  path: unknown = undefined;
  readonly shape = undefined;
  private readonly regexp: RegExp;
  /** Created by the first match; null if only the native engine can match it. */
  private program: Program | null | undefined = undefined;
  /** The path length up to which the native engine is not only faster, but safe. */
  private shortLength = 0;

  /**
   * @param source the source of the expression
   * @param flags '' or 'i'
   * @param keys the keys of its groups
   * @throws SyntaxError if it is not a valid expression
   */
  constructor(
    source: string,
    flags: string,
    readonly keys: PatternKey[],
  ) {
    this.regexp = new RegExp(source, flags);
  }

  toRegExp(): RegExp {
    return this.regexp;
  }

  match(path: string, captures: (string | undefined)[]): number {
    const program = (this.program ??= this.compile());
    if (program === null || path.length <= this.shortLength || !fits(program, path.length)) {
      return this.matchNatively(path, captures);
    }
    const begin = run(program, path, slots);
    if (begin < 0) return -1;
    this.index = begin;
    for (let i = 0; i < this.keys.length; i++) {
      const from = 2 * i < program.slots ? slots[2 * i + 1]! : -1;
      captures[i] = from < 0 ? undefined : path.slice(slots[2 * i], from);
    }
    return matchEnd() - begin;
  }

  private compile(): Program | null {
    const tree = parseExpression(this.regexp.source);
    const program = tree && compile(tree, this.regexp.ignoreCase);
    if (!program) return null;
    this.shortLength = lengthWithFewWays(tree, program.anchored);
    return program;
  }

  private matchNatively(path: string, captures: (string | undefined)[]): number {
    const match = this.regexp.exec(path);
    if (!match) return -1;
    this.index = match.index;
    return takeNative(match, this.keys.length, captures);
  }
}
