/**
 * Path patterns: any text is a valid pattern or causes a SyntaxError. A pattern matches as its regular expression does,
 * in few steps.
 */
import assert from 'node:assert/strict';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { work } from '@ristretto/private-engine/lib/router/pattern/matcher';
import { everyOption, matchOf, nativeMatch } from '../../../packages/engine/test/support/patterns.js';
import { allowing, assertSame, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const LONGEST_PATTERN = 40;
/** The regular expression backtracks: it is compared only on paths that cannot take long. */
const LONGEST_COMPARED = 14;
const MOST_LOOPS = 4;
/** The maximum number of steps, relative to the size of the pattern times the length of the path. */
const MOST_STEPS = 40;

/** Returns the size of a pattern with its counted repetitions expanded. */
function sizeOf(pattern: string): number {
  const counts = pattern.match(/\d+/g)?.map(Number) ?? [];
  return (pattern.length + 10) * counts.reduce((product, count) => product * Math.max(1, count), 1);
}

export const target: Target = {
  characters: 'unicode',
  // In milliseconds: a pattern is compiled once, by the programmer; the cost of matching is counted in steps
  limit: 2000,
  seeds: [
    ...['0/users/:id\n/users/1', '1/:a-:b\n/a-b-c', '2/:a.:b?\n/a.b', '3/a*b(c)?\n/axbc'],
    ...['4/:x(\\d+)/*\n/12/y', '5/(?:a|b)+c\n/abc', '6/:a+/x\n/a/b/x', '7/a{2,3}\n/aaa'],
    ...['0/:x((?=a)a+)b\n/aab', '0/[^a-c]\\w\\b\n/dx'],
  ],
  dictionary: [
    ...words(String.raw`:a :b ( ) (?: (?= (?! [ ] [^ {2} {1,} * + ? \d \w \. / . - | ^ $ /:a /* %2F %zz
      \1 (?<n> \k<n> (?<= :a(\d+)`),
    '\n/',
  ],
  run(text) {
    const [first = '', path = ''] = partsOf(text, 2);
    const options = everyOption[first.charCodeAt(0) & 7];
    const written = first.slice(1, LONGEST_PATTERN);
    // Repetitions in the hundreds are slow to compile, but only once, and only if the programmer writes them
    if (/\d{3}/.test(written)) return;
    const pattern = allowing(
      () => parsePath(written, options!),
      error => error instanceof SyntaxError,
    );
    if (!pattern) return;
    // These are matched by the regular expression, as docs/THREATS.md documents
    const isNative = /\\[1-9k]|\(\?</.test(written);
    const isQuick = path.length <= LONGEST_COMPARED && (written.match(/[*+{]/g)?.length ?? 0) <= MOST_LOOPS;
    if (isNative && !isQuick) return;
    const before = work.steps;
    const match = matchOf(pattern, path);
    const steps = work.steps - before;
    assert.ok(steps <= MOST_STEPS * sizeOf(written) * (path.length + 10), `${steps} steps`);
    if (isQuick) assertSame(match, nativeMatch(pattern.toRegExp(), path, pattern.keys.length));
  },
};
