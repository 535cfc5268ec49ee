/** `req.acceptsCharsets`: selects the charset that the client prefers by `Accept-Charset`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { acceptList, token } from '../../support/field-values.js';

const choose = (field: string, ...charsets: string[]) =>
  alike({ 'accept-charset': field }, req => req.acceptsCharsets(charsets));

describe('req.acceptsCharsets', () => {
  test('charset: may be one, several arguments, or an array', () => {
    assert.equal(choose('utf-8', 'utf-8'), 'utf-8');
    assert.equal(choose('utf-8', 'UTF-8'), 'UTF-8');
    const fields = { 'accept-charset': 'utf-8, iso-8859-1;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsCharsets('iso-8859-1', 'utf-8')),
      'utf-8',
    );
    assert.equal(
      alike(fields, req => req.acceptsCharsets(['iso-8859-1', 'utf-8'])),
      'utf-8',
    );
  });

  test('charset: without any, returns all of the header, most preferred first', () => {
    assert.deepEqual(choose('a;q=0.5, b, c;q=0, d;q=x'), ['b', 'a']);
    assert.deepEqual(choose(''), []);
    assert.deepEqual(
      alike({}, req => req.acceptsCharsets()),
      ['*'],
    );
  });

  test('charset: an empty one is never accepted', () => {
    assert.equal(choose('*', ''), false);
    assert.equal(choose('*', '', 'utf-8'), false);
  });

  test('first accepted: is chosen by quality, then by specificity, then by the order of the client', () => {
    assert.equal(choose('a;q=0.2, b;q=0.8', 'a', 'b'), 'b');
    assert.equal(choose('*, b', 'a', 'b'), 'b');
    assert.equal(choose('b, a', 'a', 'b'), 'b');
    assert.equal(choose('*;q=0.5, a;q=0.1', 'a', 'b'), 'b');
    assert.equal(choose('a ; q=0.5; q=1, b;q=0.7', 'a', 'b'), 'b');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('utf-8', 'iso-8859-1'), false);
    assert.equal(choose('utf-8;q=0', 'utf-8'), false);
    assert.equal(choose('utf 8, ;', 'utf'), false);
    assert.equal(choose('', 'utf-8'), false);
  });

  test('no Accept-Charset header: returns the first one', () => {
    assert.equal(
      alike({}, req => req.acceptsCharsets('utf-8', 'iso-8859-1')),
      'utf-8',
    );
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const charsets = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-charset': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsCharsets(charsets), req.acceptsCharsets()] };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json([req.acceptsCharsets('a', 'b'), req.acceptsCharsets()])),
      [{ headers: { 'Accept-Charset': 'b, a;q=0.1' } }, '/'],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['b', ['b', 'a']]);
  });
});
