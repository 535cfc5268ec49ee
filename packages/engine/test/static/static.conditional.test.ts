// runs: each
/** `conditionStatus`: the status that follows from the conditional headers of a request for a file. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  conditionStatus,
  isConditional,
  isRangeMeant,
} from '@ristretto/private-engine/lib/static/conditional';
import { assertFast } from '../support/worst-case.js';

const DATE = 'Sun, 13 Sep 2020 12:26:40 GMT';

describe('conditionStatus', () => {
  test('fields: any of the four makes a request conditional', () => {
    assert.equal(isConditional({}), false);
    assert.equal(isConditional({ 'if-match': '', 'if-range': '"a"', range: 'bytes=0-' }), false);
    for (const field of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
      assert.equal(isConditional({ 'if-match': '', [field]: 'x' }), true);
    }
  });

  test('order: a failed precondition takes precedence over a fresh copy', () => {
    assert.equal(conditionStatus({ 'if-match': '"b"', 'if-none-match': '"a"' }, 200, '"a"', DATE), 412);
    assert.equal(conditionStatus({ 'if-match': '"a"', 'if-none-match': '"a"' }, 200, '"a"', DATE), 304);
    assert.equal(conditionStatus({ 'if-match': '"a"' }, 200, '"a"', DATE), undefined);
    assert.equal(conditionStatus({ 'if-none-match': '"a"' }, 500, '"a"', DATE), undefined);
    assert.equal(conditionStatus({ 'if-none-match': '"a"' }, 304, '"a"', DATE), 304);
  });

  test('hostile fields: are handled in linear time', () => {
    for (const field of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
      assertFast(value => conditionStatus({ [field]: value }, 200, 'W/"b-1"', DATE));
    }
    assertFast(value => isRangeMeant(value, 'W/"b-1"', DATE), '"');
    assertFast(value => isRangeMeant(value, 'W/"b-1"', DATE));
  });
});
