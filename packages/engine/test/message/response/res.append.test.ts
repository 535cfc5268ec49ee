/** `res.append`: adds values to a header and keeps those that are already set. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.append', () => {
  test('field absent: creates the field', async () => {
    for (const value of ['a', ['a', 'b'], [], undefined, null, 5, '']) {
      await same(answering((_req, res) => void loose(res).append!('X-A', value).end()));
    }
    await same(answering((_req, res) => void res.append('X-A').end()));
  });

  test('field present: appends text or an array to text or an array', async () => {
    for (const first of ['a', ['a', 'b']]) {
      for (const second of ['c', ['c', 'd'], undefined, []]) {
        await same(
          answering(
            (_req, res) => void res.append('X-A', first).append('X-A', second).append('x-a', 'e').end(),
          ),
        );
      }
    }
  });

  test('res.set: replaces what was added before', async () => {
    const answer = await same(
      answering((_req, res) => void res.append('X-A', 'a').append('X-A', 'b').set('X-A', 'c').end()),
    );
    assert.equal(answer.rawHeaders.filter(([name]) => name === 'X-A').length, 1);
  });

  test('Content-Type: adding a second one throws a TypeError', async () => {
    await same(answering((_req, res) => void res.append('Content-Type', 'text/html').end()));
    const answer = await same(
      answering(
        (_req, res) => void res.append('Content-Type', 'text/html').append('Content-Type', 'a/b').end(),
      ),
    );
    assert.match(answer.text, /^TypeError: Content-Type cannot be set to an Array/);
  });

  test('cookies: an appended Set-Cookie is a separate header, like those of res.cookie', async () => {
    await same(
      answering((_req, res) => void res.cookie('a', '1').append('Set-Cookie', 'b=2').cookie('c', '3').end()),
    );
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.append('X-A', 'a')));
  });
});
