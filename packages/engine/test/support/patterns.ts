/** Path patterns compared with Express's own layers and with the native RegExp engine. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import type {
  PathPattern,
  PatternKey,
  PatternOptions,
} from '@ristretto/private-engine/lib/router/path-pattern';
import { compile } from '@ristretto/private-engine/lib/router/pattern/compile';
import { matchEnd, run } from '@ristretto/private-engine/lib/router/pattern/matcher';
import { parseExpression } from '@ristretto/private-engine/lib/router/pattern/syntax';
import type { Random } from './random.js';

/** What Express accepts as a path. */
export type Path = string | RegExp | Path[];

interface OracleLayer {
  regexp: RegExp;
  keys: PatternKey[];
}

type OracleLayerConstructor = new (path: unknown, options: PatternOptions, fn: () => void) => OracleLayer;
const OracleLayer = createRequire(__filename)('express/lib/router/layer') as OracleLayerConstructor;

/** All combinations of the three options. */
export const everyOption: PatternOptions[] = [0, 1, 2, 3, 4, 5, 6, 7].map(bits => ({
  sensitive: (bits & 1) !== 0,
  strict: (bits & 2) !== 0,
  end: (bits & 4) !== 0,
}));

/** Returns one of them at random. */
export function anyOption(random: Random): PatternOptions {
  return random.pick(everyOption);
}

/** Returns the expression and keys as text, or the error. */
function described(make: () => { regexp: RegExp; keys: PatternKey[] }): string {
  try {
    const { regexp, keys } = make();
    return `${String(regexp)} ${JSON.stringify(keys)}`;
  } catch (error) {
    // Our message also names the path that the expression was made from
    return String(error).replace(/ \(from the path [^]*\)$/, '');
  }
}

/**
 * Asserts that a path gives the same expression and keys, or the same error, as in Express; returns whether it is
 * valid.
 */
export function assertSameExpression(path: unknown, options: PatternOptions): boolean {
  const theirs = described(() => new OracleLayer(path, options, () => undefined));
  const ours = described(() => {
    const { keys, ...pattern } = parsed(path, options);
    return { regexp: pattern.toRegExp(), keys };
  });
  assert.equal(ours, theirs, `${JSON.stringify(path)} with ${JSON.stringify(options)}`);
  return theirs.startsWith('/');
}

function parsed(path: unknown, options: PatternOptions): { keys: PatternKey[]; toRegExp(): RegExp } {
  const pattern = parsePath(path as string, options);
  return { keys: pattern.keys, toRegExp: () => pattern.toRegExp() };
}

/** A match as index, length and captures, or undefined. */
export type Match = (number | string | undefined)[] | undefined;

/** Matches a path with the pattern; captures start with a value that no match may leave in place. */
export function matchOf(pattern: PathPattern, path: string): Match {
  const captures: (string | undefined)[] = pattern.keys.map(() => 'left over');
  const length = pattern.match(path, captures);
  return length < 0 ? undefined : [pattern.index, length, ...captures];
}

/** Matches with the native RegExp engine. */
export function nativeMatch(expression: RegExp, path: string, groups: number): Match {
  const match = new RegExp(expression).exec(path);
  if (!match) return undefined;
  return [match.index, match[0].length, ...Array.from({ length: groups }, (_, i) => match[i + 1])];
}

/** Matches with the linear program, however short the path is; returns 'none' if the expression has no program. */
export function programMatch(expression: RegExp, path: string, groups: number): Match | 'none' {
  const tree = parseExpression(expression.source);
  const program = tree && compile(tree, expression.ignoreCase);
  if (!program) return 'none';
  const slots: number[] = [];
  const index = run(program, path, slots);
  if (index < 0) return undefined;
  const captures = Array.from({ length: groups }, (_, i) => {
    const end = slots[2 * i + 1] ?? -1;
    return end < 0 ? undefined : path.slice(slots[2 * i], end);
  });
  return [index, matchEnd() - index, ...captures];
}

/**
 * Asserts that the pattern, the native RegExp engine and the program match a path alike; returns whether it matches.
 */
export function assertSameMatch(pattern: PathPattern, path: string): boolean {
  const expression = pattern.toRegExp();
  const groups = pattern.keys.length;
  const expected = nativeMatch(expression, path, groups);
  const message = `${String(expression)} on ${JSON.stringify(path)}`;
  assert.deepEqual(matchOf(pattern, path), expected, message);
  const programmed = programMatch(expression, path, groups);
  if (programmed !== 'none') assert.deepEqual(programmed, expected, `${message}, by program`);
  return expected !== undefined;
}

/** Joins random pieces of patterns. */
export function randomText(random: Random, pieces: readonly string[], most: number): string {
  return random.many(1, most, () => random.pick(pieces)).join('');
}

/** Patterns and paths on which the expressions of path-to-regexp 0.1 backtrack for a long time. */
type HostilePattern = [id: string, pattern: Path, prefix: string, piece: string, suffix: string];

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
