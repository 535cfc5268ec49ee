/** An array of common patterns: the first that matches wins, and the groups of the others are unset. */
import { SegmentPattern } from './segments';
import type { PathPattern, PatternKey } from './types';

/** Alternatives that are all `SegmentPattern`s (or lists of these, flattened). */
export class ListPattern implements PathPattern {
  readonly index = 0;
  path: unknown = undefined;
  readonly shape = undefined;
  readonly keys: PatternKey[] = [];
  readonly members: readonly SegmentPattern[];
  private readonly firstKeys: readonly number[];
  private readonly keyCount: number;
  private regexp: RegExp | undefined = undefined;

  private constructor(
    members: readonly SegmentPattern[],
    private readonly flags: string,
  ) {
    const firstKeys: number[] = [];
    for (const { keys } of members) {
      firstKeys.push(this.keys.length);
      this.keys.push(...keys);
    }
    this.members = members;
    this.firstKeys = firstKeys;
    this.keyCount = this.keys.length;
  }

  /** Returns the list of the patterns, or undefined if one of them needs more than one pass over its segments. */
  static of(patterns: readonly PathPattern[], flags: string): ListPattern | undefined {
    const members: SegmentPattern[] = [];
    for (const pattern of patterns) {
      if (pattern instanceof SegmentPattern) members.push(pattern);
      else if (pattern instanceof ListPattern) members.push(...pattern.members);
      else return undefined;
    }
    // From an empty array, Express makes an expression that matches everything
    return members.length > 0 ? new ListPattern(members, flags) : undefined;
  }

  toRegExp(): RegExp {
    return (this.regexp ??= new RegExp(
      this.members.map(member => member.toRegExp().source).join('|'),
      this.flags,
    ));
  }

  match(path: string, captures: (string | undefined)[]): number {
    const { members, firstKeys } = this;
    for (let i = 0; i < members.length; i++) {
      const first = firstKeys[i]!;
      const length = members[i]!.match(path, captures, first);
      if (length < 0) continue;
      const end = i + 1 < members.length ? firstKeys[i + 1]! : this.keyCount;
      for (let key = 0; key < first; key++) captures[key] = undefined;
      for (let key = end; key < this.keyCount; key++) captures[key] = undefined;
      return length;
    }
    return -1;
  }
}
