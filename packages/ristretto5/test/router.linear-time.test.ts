/**
 * The worst paths of known attacks on path-to-regexp: the time of a match is proportional to the length of the path.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Layer from 'ristretto5/lib/routing/layer';
import { work } from '@ristretto/private-engine/lib/router/pattern/matcher';
import { cpuTime } from '../../engine/test/support/worst-case.js';

/** Returns the number of steps of a match; paths of plain text count none. */
function stepsOf(path: string, input: string): number {
  const layer = new Layer(path, {}, () => undefined);
  const before = work.steps;
  layer.match(input);
  return work.steps - before;
}

const WORST: [id: string, path: string, input: (length: number) => string][] = [
  ['CVE-2024-45296', '/:a-:b', length => `/${'-'.repeat(length)}/a`],
  ['CVE-2024-45296', '/:a-:b-:c-:d', length => `/${'a-'.repeat(length / 2)}/`],
  ['GHSA-rhx6-c78j-4q9w', '/:a-:b', length => `/a${'-'.repeat(length)}`],
  ['CVE-2026-4867', '/:a-:b-:c', length => `/${'-a'.repeat(length / 2)}/`],
  ['CVE-2024-52798', '/:a.:b', length => `/${'.'.repeat(length)}/a`],
  ['CVE-2026-4923', '/*a-:b-*c', length => `/${'-'.repeat(length)}\n/`],
  ['CVE-2026-4923', '/*a/x/*b/x/*c/y', length => '/x'.repeat(length / 2)],
  ['CVE-2026-4926', '{/a}{/:b}{/:c}{/*d}x', length => '/a'.repeat(length / 2)],
  ['lookahead', '/:a--:b--:c', length => `/${'-'.repeat(length)}/x`],
];

describe('linear time', () => {
  for (const [id, path, input] of WORST) {
    test(`${id}: ${path} on its worst path takes a number of steps proportional to the path's length`, () => {
      const [short, long] = [stepsOf(path, input(1 << 12)), stepsOf(path, input(1 << 16))];
      assert.ok(short > 1000, 'matched by the engine of its own');
      // With quadratic growth, there would be 256 times as many
      assert.ok(long <= short * 20, `${String(short)} steps became ${String(long)}`);
    });
  }

  test('CVE-2026-4926: a path whose groups produce more than 256 alternatives is rejected without generating them', () => {
    assert.doesNotThrow(() => new Layer('/{a}'.repeat(8), {}, () => undefined));
    for (const count of [9, 5000]) {
      for (const path of ['{a}'.repeat(count), `/${'{b}{c}'.repeat(count)}`, '{b{c}}{d}'.repeat(count)]) {
        assert.throws(() => new Layer(path, {}, () => undefined), /^TypeError: Too many path combinations: /);
      }
    }
  });

  test('groups: the maximum per path is tried one after the other, each in linear time', () => {
    const layer = new Layer(`/${'{a}'.repeat(8)}b`, {}, () => undefined);
    const start = cpuTime();
    assert.equal(layer.match(`/${'a'.repeat(1 << 16)}`), false);
    assert.ok(cpuTime() - start < 1000);
  });
});
