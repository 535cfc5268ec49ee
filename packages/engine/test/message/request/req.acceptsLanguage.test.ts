/** `req.acceptsLanguage`: the deprecated name of `req.acceptsLanguages`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

describe('req.acceptsLanguage', () => {
  test('alias: returns the same as req.acceptsLanguages', () => {
    const fields = { 'accept-language': 'de, en;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsLanguage('en', 'de')),
      'de',
    );
    assert.equal(
      alike(fields, req => req.acceptsLanguage('x')),
      false,
    );
    assert.deepEqual(
      alike(fields, req => req.acceptsLanguage()),
      alike(fields, req => req.acceptsLanguages()),
    );
  });

  test('deprecated: warns once for each place it is called from', async () => {
    const notices = await sameNotices(answering((req, res) => void res.json(req.acceptsLanguage('de'))));
    assert.deepEqual(notices, ['req.acceptsLanguage: Use acceptsLanguages instead']);
  });
});
