/** `res.get`: reads a header that has been set on the response. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.get', () => {
  test('field: returns the value, whatever the case of the name', async () => {
    await same(
      answering((_req, res) => {
        res.set('X-One', '1').set('X-Many', ['a', 'b']);
        res.setHeader('X-Number', 5);
        res.json([
          res.get('x-one'),
          res.get('X-ONE'),
          res.get('X-Many'),
          res.get('X-Number'),
          typeof res.get('none'),
        ]);
      }),
    );
  });

  test('field missing: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => loose(res).get!()));
    assert.match(answer.text, /^TypeError: The "name" argument must be of type string/);
  });
});
