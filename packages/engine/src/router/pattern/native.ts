/** Regular expressions from the user, and matching with the native engine. */
import { expressionKeys } from './source';
import type { PathPattern, PatternKey } from './types';

/** Fills `captures` from a match of the native engine; returns the length of the match. */
export function takeNative(
  match: RegExpExecArray,
  keyCount: number,
  captures: (string | undefined)[],
): number {
  for (let i = 0; i < keyCount; i++) captures[i] = match[i + 1];
  return match[0].length;
}

/** A user's own regular expression: matches like its own `exec`. */
export class NativePattern implements PathPattern {
  index = 0;
  path: unknown = undefined;
  readonly shape = undefined;
  readonly keys: PatternKey[];

  constructor(private readonly regexp: RegExp) {
    this.keys = expressionKeys(regexp.source);
  }

  toRegExp(): RegExp {
    return this.regexp;
  }

  match(path: string, captures: (string | undefined)[]): number {
    const match = this.regexp.exec(path);
    if (!match) return -1;
    this.index = match.index;
    return takeNative(match, this.keys.length, captures);
  }
}
