/** The warning of a missing directory where there are no timers; warnings.test.ts has all else. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { warnOfDirectory } from 'ristretto/lib/diagnose/directory';

describe('warnings: missing directory', () => {
  test('no timers, as in workers outside of a request: is not looked for', context => {
    const setTimer = context.mock.method(globalThis, 'setTimeout', () => {
      throw new Error('Disallowed operation called within global scope');
    });
    assert.doesNotThrow(() => {
      warnOfDirectory('/nowhere');
    });
    assert.equal(setTimer.mock.callCount(), 1);
  });
});
