/** Path patterns: long paths, and which engine matches them. threats/linear-time.patterns.test.ts measures the time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { lengthWithFewWays } from '@ristretto/private-engine/lib/router/pattern/ambiguity';
import { compile } from '@ristretto/private-engine/lib/router/pattern/compile';
import { fits, work } from '@ristretto/private-engine/lib/router/pattern/matcher';
import { parseExpression } from '@ristretto/private-engine/lib/router/pattern/syntax';
import { matchOf, nativeMatch, programMatch } from '../support/patterns.js';
import type { Path } from '../support/patterns.js';

const KIB = 1024;

/** Returns the number of steps of a match, and its result. */
function stepsOf(pattern: Path, path: string): [steps: number, matched: boolean] {
  const parsed = parsePath(pattern, {});
  const before = work.steps;
  const matched = matchOf(parsed, path) !== undefined;
  return [work.steps - before, matched];
}

describe('path patterns: long paths', () => {
  test('64 KiB: are matched, with the captures of the expression', () => {
    const path = `/${'a'.repeat(20_000)}-${'b'.repeat(25_000)}-${'c'.repeat(20_500)}`;
    for (const pattern of ['/:a-:b-:c', '/:a-:b', '/*-:x', '/(a+)-*']) {
      const parsed = parsePath(pattern, {});
      assert.deepEqual(matchOf(parsed, path), nativeMatch(parsed.toRegExp(), path, parsed.keys.length));
    }
  });

  test('after a long path: its memory is released, and the next match is correct', () => {
    const pattern = parsePath('/(((a|aa)+)((a|b)+)c)', {});
    assert.equal(matchOf(pattern, `/${'a'.repeat(300_000)}`), undefined);
    assert.deepEqual(matchOf(pattern, '/aabc'), [0, 5, 'aa', 'a', 'b', 'b']);
    assert.equal(matchOf(pattern, `/${'a'.repeat(3000)}`), undefined);
    assert.deepEqual(matchOf(pattern, '/abc'), [0, 4, 'a', 'a', 'b', 'b']);
  });

  test('a long path and many choices: match with more memory than is kept', () => {
    const path = `/${'a'.repeat(40)}${'b'.repeat(300_000)}`;
    assert.deepEqual(matchOf(parsePath('/:x(a{0,60})b*', {}), path), [
      0,
      path.length,
      'a'.repeat(40),
      'b'.repeat(299_999),
    ]);
    assert.deepEqual(matchOf(parsePath('/:x(a{0,60})b*', {}), '/b'), [0, 2, '', '']);
  });

  test('keys that name no group: are undefined, even on a long path', () => {
    const name = 'x'.repeat(6000);
    assert.deepEqual(matchOf(parsePath('/[(]/:b', {}), `/(/${name}`), [0, 6003, name, undefined]);
  });

  test('a star before many options: tries every one of them', () => {
    const pattern = parsePath(`/*${'a?'.repeat(60)}b`, {});
    const path = `/${'x'.repeat(50)}${'a'.repeat(50)}`;
    assert.deepEqual(matchOf(pattern, `${path}b`), [0, 102, path.slice(1)]);
    assert.equal(matchOf(pattern, `${path}c`), undefined);
  });

  test('look-ahead with groups: captures the groups of its last iteration', () => {
    const path = `/${'ab'.repeat(40)}c`;
    const sources = [
      '(?=((a)(b))+c)',
      '(?:(?=(?=(/|a|b))(..))[^c])+',
      '(?:(?=(a)|(b)).)+c',
      '(?:(?=(.)(.)?).){2,}',
    ];
    for (const source of [...sources, '(?=(a)(?=(b)))ab|(?:.(?!(a)))*?(?=(c))']) {
      const expression = new RegExp(source);
      assert.deepEqual(programMatch(expression, path, 4), nativeMatch(expression, path, 4), source);
    }
  });
});

describe('path patterns: choice of engine', () => {
  const tree = (source: string) => parseExpression(source)!;

  test('short paths: use the expression while it has few ways to match, and the program afterwards', () => {
    const few = lengthWithFewWays(tree('^/([^/]+?)-([^/]+?)/?$'), true);
    assert.equal(few, 49);
    assert.deepEqual(stepsOf('/:a-:b', `/x-${'y'.repeat(few - 3)}`), [0, true]);
    const [steps, matched] = stepsOf('/:a-:b', `/x-${'y'.repeat(few - 2)}`);
    assert.deepEqual([steps > 0, matched], [true, true]);
  });

  test('few ways: are counted from loops, options and alternatives', () => {
    const anchored: [source: string, length: number][] = [
      ['^abc$', 4999],
      ['^a?b?$', 4999],
      ['^(?:a|b|c)$', 4999],
      ['^a{1000}$', 4999],
      ['^a{1,10}b?$', 4999],
      ['^a*$', 4999],
      ['^a*b?$', 2499],
      ['^(?:a*|b|c{2,4})$', 999],
      ['^a*b*$', 69],
      ['^a*b*c*$', 16],
      ['^(?:ab)+$', 4999],
      ['^(?:(?!--|/).)+$', 4999],
      ['^(?!a*b)$', 4999],
    ];
    for (const [source, length] of anchored)
      assert.equal(lengthWithFewWays(tree(source), true), length, source);
    for (const source of ['^(?:a+)+$', '^(?:a|b)*$', '^(?:a?){2,3}$', '^a{0,9999}$', '^(?:(?!a*b).)*$']) {
      assert.ok(lengthWithFewWays(tree(source), true) <= 0, source);
    }
    assert.equal(lengthWithFewWays(tree('a*'), false), 69);
  });

  test('back references and look-behind: use only the expression', () => {
    for (const source of ['(a)\\1', '(?<n>a)\\k<n>', '(?<=a)b', '(?<!a)b']) {
      assert.equal(parseExpression(source), undefined, source);
    }
    assert.notEqual(parseExpression('(a)\\2\\k'), undefined);
  });

  test('immense counted repetition: uses only the expression', () => {
    assert.equal(compile(tree('^(?:a{0,1000}){0,1000}$'), false), undefined);
    assert.equal(compile(tree('^(?:a{1000}){1000}$'), false), undefined);
    assert.deepEqual(stepsOf('/(a{0,1000}){5000}', '/x'), [0, false]);
    assert.deepEqual(matchOf(parsePath('/:b-:c|/a{70000,}', {}), '/a-c'), [0, 4, 'a', 'c']);
  });

  test('a path that would need too much memory: uses only the expression', () => {
    const program = compile(tree('^(?:a|b){5000}$'), false)!;
    assert.equal(fits(program, 16 * KIB), true);
    assert.equal(fits(program, 64 * KIB), false);
    assert.deepEqual(stepsOf('/(a|b){5000}', `/${'ab'.repeat(40 * KIB)}`), [0, false]);
  });
});
