/** The setting `subdomain offset`: the number of labels that belong to the domain. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../support/compare.js';
import { frameworks } from '../support/oracle.js';

async function labels(settings: Record<string, unknown>): Promise<unknown> {
  const build = answering((req, res) => res.json(req.subdomains), settings);
  const [answer] = await sameEach(build, [{ headers: { Host: 'a.b.example.co.uk' } }]);
  return JSON.parse(answer!.text);
}

describe('setting subdomain offset', () => {
  test('default: is 2', async () => {
    assert.equal(frameworks.ristretto().get('subdomain offset'), 2);
    assert.deepEqual(await labels({}), ['example', 'b', 'a']);
  });

  test('number: is the number of labels in the domain', async () => {
    assert.deepEqual(await labels({ 'subdomain offset': 3 }), ['b', 'a']);
    assert.deepEqual(await labels({ 'subdomain offset': 0 }), ['uk', 'co', 'example', 'b', 'a']);
    assert.deepEqual(await labels({ 'subdomain offset': 9 }), []);
  });
});
