/** Patterns and paths on which the expressions of path-to-regexp 0.1 backtrack for a long time. */
import type { Path } from './patterns.js';

export type HostilePattern = [id: string, pattern: Path, prefix: string, piece: string, suffix: string];

/** Patterns whose path-to-regexp expression backtracks, with the parts of paths that trigger it. */
export const hostilePatterns: HostilePattern[] = [
  ['CVE-2024-45296 /:a-:b', '/:a-:b', '/', 'a-', '/x'],
  ['GHSA-rhx6-c78j-4q9w /:a.:b', '/:a.:b.:c', '/', 'a.', '/x'],
  ['CVE-2026-4867 /:a-:b-:c', '/:a-:b-:c', '/', 'a-', '/x'],
  ['only separators', '/:a-:b-:c-:d', '/', '-', '/x'],
  ['long separators', '/:a--:b--:c', '/', 'a--', '/x'],
  ['stars', '/a*b*c*d', '/a', 'bc', ''],
  ['stars side by side', '****x', '/', 'a', ''],
  ['repeated parameters', '/:a*/:b*/:c*/x', '', '/a', ''],
  ['a loop in a loop', '/:x((?:a+)+b)', '/', 'a', ''],
  ['loops in loops', '/(((a+)+)+)+b', '/', 'a', ''],
  ['alternatives that overlap', '/((a|aa|b|ab)+)c', '/', 'ab', ''],
  ['many alternatives', '/(a+|b+|c+|d+|e+|f+|g+|h+|i+|j+|k+|l+)+Z', '/', 'abcdefghijkl', ''],
  ['counted repetition', '/(a{0,5}){1,5}b', '/', 'a', ''],
  ['parameters in a loop', '/:a+x', '', '/a', ''],
  ['look-ahead far away', '/((?=a+b)a)+c', '/', 'a', 'b'],
  ['look-ahead with groups', '/((?=((a)+)b)a)+c', '/', 'a', 'b'],
  ['text before a parameter that repeats', '/:x/a+b:c', '/x/ab', '/aaaa', '/'],
  ['no beginning', 'x+y|:a-:b-z', '', 'x', '/'],
  ['array', ['/:a-:b-:c', '/a*b*c*d', '/(a+)+b'], '/', 'a-', '/x'],
];

/** The path for a hostile pattern, with pieces of the given total length. */
export function hostilePath([, , prefix, piece, suffix]: HostilePattern, length: number): string {
  return prefix + piece.repeat(length / piece.length) + suffix;
}
