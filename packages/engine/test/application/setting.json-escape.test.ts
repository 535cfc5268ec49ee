/** The setting `json escape`: escapes characters that HTML would interpret. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stringify } from '@ristretto/private-engine/lib/protocol/json';
import { answering } from '../support/compare.js';
import { same } from '../support/oracle.js';

const body = { '&': '</script><script>', n: 1 };

describe('setting json escape', () => {
  test('default: nothing is escaped', async () => {
    const answer = await same(answering((_req, res) => res.json(body)));
    assert.equal(answer.text, JSON.stringify(body));
  });

  test('true: < > & are escaped', async () => {
    const answer = await same(answering((_req, res) => res.json(body), { 'json escape': true }));
    assert.equal(answer.text, '{"\\u0026":"\\u003c/script\\u003e\\u003cscript\\u003e","n":1}');
    assert.deepEqual(JSON.parse(answer.text), body);
  });

  test('true: works with spaces, a replacer, and values that JSON cannot express', async () => {
    await same(answering((_req, res) => res.json(body), { 'json escape': true, 'json spaces': 1 }));
    await same(answering((_req, res) => res.json(body), { 'json escape': true, 'json replacer': ['&'] }));
    await same(answering((_req, res) => res.json(undefined), { 'json escape': true }));
    assert.equal(stringify(undefined, undefined, undefined, true), undefined);
  });
});
