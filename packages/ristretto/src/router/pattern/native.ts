/** Regular expressions that the user wrote, and matching by Node's own engine. */
import { expressionKeys } from './source';
import type { PathPattern, PatternKey } from './types';

/** Fills `captures` from a match by Node's own engine; the length of the match. */
export function takeNative(
  match: RegExpExecArray,
  keyCount: number,
  captures: (string | undefined)[],
): number {
  for (let i = 0; i < keyCount; i++) captures[i] = match[i + 1];
  return match[0].length;
}

/** A user's own regular expression: matches as its own `exec` does. */
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
