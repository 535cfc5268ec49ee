/** `req.host`: the deprecated name of `req.hostname`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach, sameNotices } from '../../support/compare.js';

const echo = answering((req, res) => res.send(req.host ?? 'undefined'), { 'trust proxy': true });

describe('req.host', () => {
  test('value: equals req.hostname', async () => {
    const answers = await sameEach(echo, [
      { headers: { Host: 'example.com:80' } },
      { headers: { Host: 'a', 'X-Forwarded-Host': '[::1]:80, b' } },
      { headers: { Host: '' } },
    ]);
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['example.com', '[::1]', 'undefined'],
    );
  });

  test('deprecated: emits a deprecation warning', async () => {
    // A new handler, because a warning is emitted only once per call site
    const deprecated = answering((req, res) => res.send(req.host));
    assert.deepEqual(await sameNotices(deprecated), ['req.host: Use req.hostname instead']);
  });
});
