/** `req.acceptsCharset`: the deprecated name of `req.acceptsCharsets`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

describe('req.acceptsCharset', () => {
  test('alias: returns the same as req.acceptsCharsets', () => {
    const fields = { 'accept-charset': 'utf-8, iso-8859-1;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsCharset('iso-8859-1', 'utf-8')),
      'utf-8',
    );
    assert.equal(
      alike(fields, req => req.acceptsCharset('x')),
      false,
    );
    assert.deepEqual(
      alike(fields, req => req.acceptsCharset()),
      alike(fields, req => req.acceptsCharsets()),
    );
  });

  test('deprecated: warns once for each place it is called from', async () => {
    const notices = await sameNotices(answering((req, res) => void res.json(req.acceptsCharset('utf-8'))));
    assert.deepEqual(notices, ['req.acceptsCharset: Use acceptsCharsets instead']);
  });
});
