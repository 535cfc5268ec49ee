/** `req.stale`: the opposite of `req.fresh`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';

describe('req.stale', () => {
  test('opposite: is the opposite of req.fresh', async () => {
    const answers = await sameEach(
      answering((req, res) => {
        res.set('ETag', '"a"');
        res.end(String(req.stale) + String(req.fresh));
      }),
      [{ headers: { 'If-None-Match': '"a"' } }, { headers: { 'If-None-Match': '"b"' } }, '/'],
    );
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['falsetrue', 'truefalse', 'truefalse'],
    );
  });
});
