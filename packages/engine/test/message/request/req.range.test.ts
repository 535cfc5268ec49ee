/** `req.range`: the ranges of the `Range` header, cut to the size and optionally combined. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import type { Random } from '../../support/random.js';

const range = (field: string, size: number, options?: { combine: boolean }) =>
  alike({ range: field }, req => req.range(size, options));

/** Returns ranges in the form of `req.range`: an array with the unit as its type. */
const bytes = (...ranges: [number, number][]) =>
  Object.assign(
    ranges.map(([start, end]) => ({ start, end })),
    { type: 'bytes' },
  );

function position(random: Random): string {
  const odd = ['x', '-1', '1e2', '0x5', ' 5', '99999999999999999999', 'NaN'];
  return random.pick(['', '', ...odd, String(random.between(0, 12)), String(random.between(0, 1200))]);
}

function ranges(random: Random): string {
  const one = () =>
    random.pick(['', ' ']) +
    position(random) +
    random.pick(['-', '-', '-', '', '--', ' - ']) +
    position(random);
  const unit = random.pick(['bytes=', 'bytes=', 'items=', 'bytes', '=', '', 'bytes =', ' bytes=']);
  return unit + random.many(0, 6, one).join(',');
}

describe('req.range', () => {
  test('size: ranges are cut to the size', () => {
    assert.deepEqual(range('bytes=0-99', 1000), bytes([0, 99]));
    assert.deepEqual(range('bytes=900-2000', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=900-', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=-100', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=0-0,-1', 1000), bytes([0, 0], [999, 999]));
    assert.deepEqual(range('bytes=0-0, 5000-, 7-3, x', 1000), bytes([0, 0]));
  });

  test('type: is the unit in the header', () => {
    assert.equal((range('items=0-5', 10) as { type: string }).type, 'items');
    assert.equal((range('bytes=0-5', 10, { combine: true }) as { type: string }).type, 'bytes');
  });

  test('combine: merges ranges that overlap or touch, at the position of the first', () => {
    const field = 'bytes=30-40, 0-4, 90-99, 5-75, 100-199, 101-102';
    assert.deepEqual(range(field, 150, { combine: true }), bytes([0, 75], [90, 149]));
    assert.deepEqual(range('bytes=40-50, 0-5, 45-60', 100, { combine: true }), bytes([40, 60], [0, 5]));
  });

  test('combine: false is the default', () => {
    assert.deepEqual(range('bytes=0-4,5-9', 150), bytes([0, 4], [5, 9]));
    assert.deepEqual(range('bytes=0-4,5-9', 150, { combine: false }), bytes([0, 4], [5, 9]));
  });

  test('malformed: returns -2', () => {
    assert.equal(range('bytes', 100), -2);
    assert.equal(range('0-5', 100), -2);
  });

  test('unsatisfiable: returns -1', () => {
    assert.equal(range('bytes=500-600', 100), -1);
    assert.equal(range('bytes=5-2', 100), -1);
    assert.equal(range('bytes=-500', 100), -1);
    assert.equal(range('bytes=', 100), -1);
    assert.equal(range('bytes=0-', 0), -1);
  });

  test('no Range header: returns undefined', () => {
    assert.equal(
      alike({}, req => req.range(100)),
      undefined,
    );
    assert.equal(range('', 100), undefined);
  });

  test('any header: returns the same as Express in 10,000 random cases', () => {
    manyAlike(10_000, random => {
      const size = random.pick([0, 1, 10, 100, 1000]);
      const options = random.pick([undefined, { combine: true }, { combine: true }, { combine: false }, {}]);
      return { fields: { range: ranges(random) }, use: req => req.range(size, options) };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json(req.range(10))),
      [{ headers: { Range: 'bytes=2-' } }, '/'],
    );
    assert.equal(answers[0]!.text, '[{"start":2,"end":9}]');
  });
});
