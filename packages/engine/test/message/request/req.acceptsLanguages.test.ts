/** `req.acceptsLanguages`: selects the language that the client prefers by `Accept-Language`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { acceptList, token } from '../../support/field-values.js';

const choose = (field: string, ...languages: string[]) =>
  alike({ 'accept-language': field }, req => req.acceptsLanguages(languages));

describe('req.acceptsLanguages', () => {
  test('lang: may be one, several arguments, or an array', () => {
    assert.equal(choose('en', 'en'), 'en');
    assert.equal(choose('en-us', 'en-US'), 'en-US');
    const fields = { 'accept-language': 'de, en;q=0.5' };
    assert.equal(
      alike(fields, req => req.acceptsLanguages('en', 'de')),
      'de',
    );
    assert.equal(
      alike(fields, req => req.acceptsLanguages(['en', 'de'])),
      'de',
    );
  });

  test('no argument: returns all languages of the header as an array, the most preferred first', () => {
    assert.deepEqual(choose('en;q=0.8, de-AT, fr;q=0'), ['de-AT', 'en']);
    assert.deepEqual(choose(''), []);
    assert.deepEqual(
      alike({}, req => req.acceptsLanguages()),
      ['*'],
    );
  });

  test('first accepted: prefers the language itself, the language of a region, then the regions of a language', () => {
    assert.equal(choose('en-GB', 'en'), 'en');
    assert.equal(choose('en', 'en-GB'), 'en-GB');
    assert.equal(choose('en', 'en-GB', 'en'), 'en');
    assert.equal(choose('en-GB', 'en', 'en-GB'), 'en-GB');
    assert.equal(choose('en-GB', 'en-US'), false);
    assert.equal(choose('*', 'xx'), 'xx');
    assert.equal(choose('*;q=0.5, de;q=0.8', 'en', 'de'), 'de');
  });

  test('quality: uses the last value, which no space may precede, as in Express', () => {
    assert.equal(choose('en;q=0.5;q=0.9, de;q=0.8', 'en', 'de'), 'en');
    assert.equal(choose('en; q=0.1, de;q=0.8', 'en', 'de'), 'en');
    assert.equal(choose('en;q, de;q=0.8', 'en', 'de'), 'de');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('en', 'de'), false);
    assert.equal(choose('en;q=0', 'en'), false);
    assert.equal(choose('en-, -en, e n', 'en'), false);
    assert.equal(choose('en', 'en-', '-en', ''), false);
  });

  test('no Accept-Language header: returns the first one', () => {
    assert.equal(
      alike({}, req => req.acceptsLanguages('en', 'de')),
      'en',
    );
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const languages = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-language': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsLanguages(languages), req.acceptsLanguages()] };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json([req.acceptsLanguages('en', 'de'), req.acceptsLanguages()])),
      [{ headers: { 'Accept-Language': 'de-AT, en;q=0.1' } }, '/'],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['de', ['de-AT', 'en']]);
  });
});
