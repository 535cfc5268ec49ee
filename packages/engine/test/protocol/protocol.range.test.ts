/** Parses `Range` headers: invalid arguments, and the limit on the number of ranges. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRange } from '@ristretto/private-engine/lib/protocol/range';
import { assertFast } from '../support/worst-case.js';

describe('protocol/range', () => {
  test('header: throws a TypeError if it is not a string', () => {
    assert.throws(() => parseRange(10, undefined as never), new TypeError('argument str must be a string'));
  });

  test('limit: a header with more ranges is malformed', () => {
    assert.equal(parseRange(10, 'bytes=0-0,1-1,2-2', { limit: 2 }), -2);
    assert.equal((parseRange(10, 'bytes=0-0,1-1', { limit: 2 }) as unknown[]).length, 2);
    assert.equal((parseRange(10, 'bytes=0-0,1-1,2-2') as unknown[]).length, 3);
  });

  test('CVE-2026-34826: thousands of ranges are rejected, or parsed in less than 5 ms', () => {
    const header = `bytes=${'0-0,'.repeat(4000)}0-0`;
    assert.equal(parseRange(10, header, { combine: true, limit: 100 }), -2);
    assert.deepEqual(
      [...(parseRange(10, header, { combine: true }) as unknown as [])],
      [{ start: 0, end: 0 }],
    );
    assertFast(field => parseRange(100, field, { combine: true }), 'bytes=');
    assertFast(field => parseRange(100, field, { combine: true }));
  });
});
