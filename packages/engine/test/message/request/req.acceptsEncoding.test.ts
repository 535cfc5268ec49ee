/** `req.acceptsEncoding`: the deprecated name of `req.acceptsEncodings`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

describe('req.acceptsEncoding', () => {
  test('alias: returns the same as req.acceptsEncodings', () => {
    const fields = { 'accept-encoding': 'gzip, br;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsEncoding('br', 'gzip')),
      'gzip',
    );
    assert.equal(
      alike(fields, req => req.acceptsEncoding('x')),
      false,
    );
    assert.deepEqual(
      alike(fields, req => req.acceptsEncoding()),
      alike(fields, req => req.acceptsEncodings()),
    );
  });

  test('deprecated: warns once for each place it is called from', async () => {
    const notices = await sameNotices(answering((req, res) => void res.json(req.acceptsEncoding('gzip'))));
    assert.deepEqual(notices, ['req.acceptsEncoding: Use acceptsEncodings instead']);
  });
});
