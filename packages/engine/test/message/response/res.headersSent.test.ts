/** `res.headersSent`: whether the header block has been sent. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.headersSent', () => {
  test('before and after: is false, then true', async () => {
    const seen: boolean[] = [];
    await same(
      answering((_req, res) => {
        seen.push(res.headersSent);
        res.send('x');
        seen.push(res.headersSent);
      }),
    );
    assert.deepEqual(seen, [false, true, false, true]);
  });

  test('after write: is true', async () => {
    await same(
      answering((_req, res) => {
        res.set('Content-Length', '4').write('true');
        assert.equal(res.headersSent, true);
        res.end();
      }),
    );
  });
});
