/** `res.status`: sets the status code; invalid codes throw or emit a deprecation notice. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.status', () => {
  test('code: sets the status code and returns the response', async () => {
    for (const code of [200, 201, 299, 404, 418, 500, 599, 700, 999]) {
      const answer = await same(
        answering((_req, res) => {
          assert.equal(res.status(code), res);
          res.end();
        }),
      );
      assert.equal(answer.status, code);
    }
  });

  test('code out of range: throws a RangeError when the header block is written', async () => {
    for (const code of [0, 99, 1000, -1, undefined, null, 'abc', NaN]) {
      const answer = await same(answering((_req, res) => loose(res).status!(code).end()));
      assert.match(answer.text, /^RangeError: Invalid status code: /);
    }
  });

  test('code as text or with a fraction: is deprecated, and the notice names both codes', async () => {
    const asText = await sameNotices(answering((_req, res) => loose(res).status!('201').end()));
    assert.deepEqual(asText, ['res.status("201"): use res.status(201) instead']);
    const fraction = await sameNotices(answering((_req, res) => res.status(200.5).end()));
    assert.deepEqual(fraction, ['res.status(200.5): use res.status(200) instead']);
    const outOfRange = await sameNotices(answering((_req, res) => loose(res).status!('99').end()));
    assert.deepEqual(outOfRange, []);
  });
});
