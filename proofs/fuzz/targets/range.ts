/** Ranges: parsed as by range-parser, within the size, and at most as many as allowed. */
import assert from 'node:assert/strict';
import { parseRange } from '@ristretto/private-engine/lib/protocol/range';
import { oracleModule } from '../../../packages/engine/test/support/fake-request.js';
import { assertSame, fieldOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Parse = (size: number, header: string, options?: { combine: boolean }) => unknown;
const theirs = oracleModule('range-parser') as Parse;
const LIMIT = 10;

export const target: Target = {
  seeds: [
    '100\nbytes=0-9',
    '100\nbytes=-5',
    '100\nbytes=95-',
    '10\nbytes=0-1,3-4,2-2',
    '0\nbytes=0-',
    '100\nitems=1-2, 5-7',
  ],
  dictionary: [
    ...words('bytes= - , 0-0 1-2 5- -1 -- = 9007199254740993 1e3 0x10 99999999999999999999 NaN'),
    ' ',
  ],
  run(text) {
    const [first = '', written = ''] = partsOf(text, 2);
    const header = fieldOf(written);
    const size = Math.abs(Number.parseInt(first, 10)) % 1e12 || 0;
    for (const combine of [false, true]) {
      const ranges = parseRange(size, header, { combine });
      assertSame(ranges, theirs(size, header, { combine }));
      if (typeof ranges === 'number') continue;
      for (const { start, end } of ranges)
        assert.ok(start >= 0 && start <= end && end < size, `${start}-${end}`);
    }
    const few = parseRange(size, header, { combine: true, limit: LIMIT });
    if (typeof few !== 'number') assert.ok(few.length <= LIMIT);
    const count = header.slice(header.indexOf('=') + 1).split(',').length;
    if (count > LIMIT + 1) assert.ok(typeof few === 'number');
  },
};
