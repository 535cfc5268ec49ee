/** Path patterns: any text is a pattern or a SyntaxError; what matches does so as the expression does, in few steps. */
import assert from 'node:assert/strict';
import { parsePath } from 'ristretto/lib/router/path-pattern';
import { work } from 'ristretto/lib/router/pattern/matcher';
import { everyOption, matchOf, nativeMatch } from '../../support/patterns.js';
import { allowing, assertSame, partsOf } from '../target.js';
import type { Target } from '../target.js';

const LONGEST_PATTERN = 40;
/** The expression itself goes back and forth: it is asked only where that can't take long. */
const LONGEST_COMPARED = 14;
const MOST_LOOPS = 4;
/** Steps for each character of pattern and path together. */
const MOST_STEPS = 40;

/** How large a pattern is with what it repeats a number of times written out. */
function sizeOf(pattern: string): number {
  const counts = pattern.match(/\d+/g)?.map(Number) ?? [];
  return (pattern.length + 10) * counts.reduce((product, count) => product * Math.max(1, count), 1);
}

export const target: Target = {
  characters: 'unicode',
  // a pattern is made once, by the programmer: what a path may take is counted in steps
  limit: 2000,
  seeds: [
    '0/users/:id\n/users/1',
    '1/:a-:b\n/a-b-c',
    '2/:a.:b?\n/a.b',
    '3/a*b(c)?\n/axbc',
    '4/:x(\\d+)/*\n/12/y',
    '5/(?:a|b)+c\n/abc',
    '6/:a+/x\n/a/b/x',
    '7/a{2,3}\n/aaa',
    '0/:x((?=a)a+)b\n/aab',
    '0/[^a-c]\\w\\b\n/dx',
  ],
  dictionary: [
    ...[
      ':a',
      ':b',
      '(',
      ')',
      '(?:',
      '(?=',
      '(?!',
      '[',
      ']',
      '[^',
      '{2}',
      '{1,}',
      '*',
      '+',
      '?',
      '\\d',
      '\\w',
      '\\.',
    ],
    ...[
      '/',
      '.',
      '-',
      '|',
      '^',
      '$',
      '/:a',
      '/*',
      '\n/',
      '%2F',
      '%zz',
      '\\1',
      '(?<n>',
      '\\k<n>',
      '(?<=',
      ':a(\\d+)',
    ],
  ],
  run(text) {
    const [first = '', path = ''] = partsOf(text, 2);
    const options = everyOption[first.charCodeAt(0) & 7];
    const written = first.slice(1, LONGEST_PATTERN);
    // what is repeated hundreds of times takes long to compile, which is the programmer's own doing, once
    if (/\d{3}/.test(written)) return;
    const pattern = allowing(
      () => parsePath(written, options!),
      error => error instanceof SyntaxError,
    );
    if (!pattern) return;
    // these are matched by the expression, which docs/THREATS.md says
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
