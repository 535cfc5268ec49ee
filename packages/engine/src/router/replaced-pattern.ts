/** The patterns of regular expressions: of one that was assigned to a layer, and of a copy of a layer. */
import type { PathPattern, PatternKey } from './path-pattern';

/**
 * Creates a pattern from an assigned regular expression.
 * @param regexp the value assigned to `layer.regexp`
 * @param keys the layer's keys; the expression's capture groups are read in their order
 * @throws TypeError if it is not a regular expression
 */
export function replacedPattern(regexp: RegExp, keys: PatternKey[]): PathPattern {
  if (typeof (regexp as Partial<RegExp> | undefined)?.exec !== 'function') {
    throw new TypeError(`layer.regexp must be a regular expression but got ${String(regexp)}`);
  }
  const pattern: PathPattern & { index: number } = {
    keys,
    shape: undefined,
    index: 0,
    path: regexp,
    toRegExp: () => regexp,
    match(path, captures) {
      const match = regexp.exec(path);
      if (!match) return -1;
      pattern.index = match.index;
      for (let i = 0; i < keys.length; i++) captures[i] = match[i + 1];
      return match[0].length;
    },
  };
  return pattern;
}

const patterns = new WeakMap<RegExp, PathPattern>();

/** Records the pattern from which an expression was created: a copy of a layer has only the expression. */
export function notePattern(regexp: RegExp, pattern: PathPattern): void {
  if (!patterns.has(regexp)) patterns.set(regexp, pattern);
}

/**
 * Returns the pattern from which an expression was created, if its keys are these, or creates one that matches with
 * it.
 */
export function patternOf(regexp: RegExp, keys: PatternKey[]): PathPattern {
  const known = patterns.get(regexp);
  return known?.keys === keys ? known : replacedPattern(regexp, keys);
}
