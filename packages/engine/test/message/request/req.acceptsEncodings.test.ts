/** `req.acceptsEncodings`: selects the content coding that the client prefers by `Accept-Encoding`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { acceptList, token } from '../../support/field-values.js';

const choose = (field: string, ...encodings: string[]) =>
  alike({ 'accept-encoding': field }, req => req.acceptsEncodings(encodings));

describe('req.acceptsEncodings', () => {
  test('encoding: may be one, several arguments, or an array', () => {
    assert.equal(choose('gzip', 'gzip'), 'gzip');
    assert.equal(choose('gzip', 'GZIP'), 'GZIP');
    const fields = { 'accept-encoding': 'gzip, br;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsEncodings('br', 'gzip')),
      'gzip',
    );
    assert.equal(
      alike(fields, req => req.acceptsEncodings(['br', 'gzip'])),
      'gzip',
    );
  });

  test('encoding: without any, returns all of the header, most preferred first, and identity', () => {
    assert.deepEqual(choose('gzip;q=0.5, br'), ['br', 'gzip', 'identity']);
    assert.deepEqual(choose('gzip, *;q=0.1'), ['gzip', '*']);
    assert.deepEqual(
      alike({}, req => req.acceptsEncodings()),
      ['identity'],
    );
  });

  test('identity: is accepted with the lowest preference unless it is excluded', () => {
    assert.equal(choose('gzip', 'identity'), 'identity');
    assert.equal(choose('gzip', 'identity', 'gzip'), 'gzip');
    assert.equal(choose('gzip;q=0.2', 'identity', 'gzip'), 'gzip');
    assert.equal(choose('gzip, identity;q=0', 'identity'), false);
    assert.equal(choose('gzip, *;q=0', 'identity'), false);
    assert.equal(choose('gzip;q=0', 'identity', 'gzip'), 'identity');
    assert.equal(choose('', 'gzip', 'identity'), 'identity');
  });

  test('first accepted: is chosen by quality, then by specificity, then by the order of the client', () => {
    assert.equal(choose('gzip;q=0.2, br;q=0.8', 'gzip', 'br'), 'br');
    assert.equal(choose('*, br', 'gzip', 'br'), 'br');
    assert.equal(choose('br, gzip', 'gzip', 'br'), 'br');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('gzip', 'br'), false);
    assert.equal(choose('gzip;q=0', 'gzip'), false);
    assert.equal(
      alike({}, req => req.acceptsEncodings('gzip')),
      false,
    );
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const encodings = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-encoding': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsEncodings(encodings), req.acceptsEncodings()] };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json([req.acceptsEncodings('br', 'gzip'), req.acceptsEncodings()])),
      [{ headers: { 'Accept-Encoding': 'gzip, br;q=0.1' } }, '/'],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['gzip', ['gzip', 'br', 'identity']]);
  });
});
