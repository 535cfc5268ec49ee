// runs: slow
/** Path patterns: random patterns match random paths as their regular expression defines, with any engine. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { instance, patternText } from '../../../../proofs/differential/generate-path.js';
import { Random, words } from '../support/random.js';
import { anyOption, assertSameMatch, nativeMatch, programMatch, randomText } from '../support/patterns.js';

const seed = Number(process.env.SEED ?? 20250101);

describe('path patterns: random matching', () => {
  const pathPieces = ['/', '/', 'a', 'b', 'A', '-', '.', '1', 'x', 'ab', 'é', 'É', '\n', '\u212a'];

  test(`likely patterns and paths (seed ${seed}): the result equals that of the expression`, () => {
    const random = new Random(seed);
    let matches = 0;
    for (let i = 0; i < 2500; i++) {
      const text = patternText(random);
      const path = random.chance(0.15) ? [text, patternText(random)] : text;
      const pattern = attempt(path, random);
      for (let j = 0; pattern && j < 5; j++) if (assertSameMatch(pattern, instance(random, path))) matches++;
    }
    assert.ok(matches > 2000, `only ${matches} paths matched`);
  });

  test(`any patterns and paths (seed ${seed}): the result equals that of the expression`, () => {
    const random = new Random(seed);
    const likely = words('/ / /:a /:b :a a b - . (a| (a) [^/] \\d (\\d+) é');
    const pieces = [...likely, ...words('* + ? {2} {1,} ) | (?=a (?! $ ^ \\b k \\n')];
    let matches = 0;
    for (let i = 0; i < 8000; i++) {
      const pattern = attempt(randomText(random, pieces, 7), random);
      for (let j = 0; pattern && j < 6; j++) {
        if (assertSameMatch(pattern, randomText(random, pathPieces, 9))) matches++;
      }
    }
    assert.ok(matches > 1000, `only ${matches} paths matched`);
  });

  test(`any expressions (seed ${seed}): the program returns what the engine returns`, () => {
    const random = new Random(seed);
    let matches = 0;
    for (let i = 0; i < 4000; i++) {
      const source = (random.chance(0.5) ? '^' : '') + randomExpression(random, 4);
      let expression: RegExp;
      try {
        expression = new RegExp(source, random.chance(0.5) ? 'i' : '');
      } catch {
        continue;
      }
      const groups = new RegExp(`${source}|`).exec('')!.length - 1;
      for (let j = 0; j < 10; j++) {
        const text = randomText(random, ['a', 'b', 'c', 'B', 'ab', '\n', ''], 8);
        const expected = nativeMatch(expression, text, groups);
        assert.deepEqual(
          programMatch(expression, text, groups),
          expected,
          `${source} on ${JSON.stringify(text)}`,
        );
        if (expected) matches++;
      }
    }
    assert.ok(matches > 5000, `only ${matches} texts matched`);
  });
});

function attempt(path: string | string[], random: Random): ReturnType<typeof parsePath> | undefined {
  try {
    return parsePath(path, anyOption(random));
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return undefined;
  }
}

const LEAVES = ['a', 'b', 'c', '.', '[^b]', '[ab]', '\\w', '\\b', '\\B', '^', '$', '', 'A'];
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}', '{0}'];

/** Returns an expression with everything that makes backtracking difficult. */
function randomExpression(random: Random, depth: number): string {
  const inner = (): string => randomExpression(random, depth - 1);
  if (depth === 0) return random.pick(LEAVES);
  return random.weighted([
    [3, () => random.pick(LEAVES)],
    [3, () => inner() + inner()],
    [1, () => `(?:${inner()}|${inner()})`],
    [2, () => `(${inner()})`],
    [3, () => `(?:${inner()})${random.pick(QUANTIFIERS)}`],
    [2, () => `(${inner()})${random.pick(QUANTIFIERS)}`],
    [1, () => `${random.pick(['(?=', '(?!'])}${inner()})${random.pick(['', '', '*', '?', '+'])}`],
  ]);
}
