/** `req.is`: matches the media type of the request body against types, extensions and wildcards. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import { extension, mediaType, space } from '../../support/field-values.js';

const is = (contentType: string, ...types: string[]) =>
  alike(
    { 'content-type': contentType, 'content-length': '1' },
    req => [req.is(types), (req.is as Is)(...types)][0],
  );
type Is = (...types: string[]) => unknown;

const NO_TYPES = ['a/b/c', '*', '+', '/', '*/', '*/*+', '*+json/x', 'a*/b', 't*/html', undefined, null, 5];
const WILD_TYPES = [
  '*/*',
  'text/*',
  '*/*+json',
  'multipart/*',
  '*/html',
  'application/*+json',
  '+json',
  'multipart',
];
const ODD_VALUES = [
  ...[
    'application/vnd.api+json',
    'a/b+c+d',
    'a/b+',
    'a/b+c.d',
    'a.b/c',
    'A/B.c',
    '1/2',
    '-a/b',
    'application/json',
  ],
  ...[`a/${'b'.repeat(127)}`, `a/${'b'.repeat(128)}`, `${'b'.repeat(127)}/x`, `${'b'.repeat(128)}/x`],
  ...[`a/${'b'.repeat(120)}+${'c'.repeat(6)}`, `a/${'b'.repeat(120)}+${'c'.repeat(7)}`],
];
const TAILS = [
  ...['', '', ';', ';charset=utf-8', '; charset="utf-8"', ' ; a = b ; c = "x\\"y"', ';a=b;', ';a', ';a="x'],
  ...[
    '; a="\u0080"',
    '; a="\\\u0080"',
    '; a="\v"',
    '; a= ',
    '\ta',
    ' garbage',
    ';\ta=b',
    ';a=b\t',
    ';=x',
    ';a=b c',
  ],
];

describe('req.is', () => {
  test('type: a media type matches the type of the body', () => {
    assert.equal(is('text/html', 'text/html'), 'text/html');
    assert.equal(is('text/html; charset=utf-8', 'text/html'), 'text/html');
    assert.equal(is('TEXT/HTML', 'text/html'), 'text/html');
    assert.equal(is('text/html', 'TEXT/HTML'), false);
  });

  test('type: an extension matches its media type', () => {
    assert.equal(is('text/html', 'html'), 'html');
    assert.equal(is('application/json; charset=utf-8', 'json'), 'json');
    assert.equal(is('application/octet-stream', 'no-such-extension'), false);
    assert.equal(is('application/x-www-form-urlencoded', 'urlencoded'), 'urlencoded');
  });

  test('type: a wildcard returns the media type of the body', () => {
    assert.equal(is('text/html; charset=utf-8', 'text/*'), 'text/html');
    assert.equal(is('text/html', '*/*'), 'text/html');
    assert.equal(is('text/html', '*/html'), 'text/html');
    assert.equal(is('application/vnd.api+json', '+json'), 'application/vnd.api+json');
    assert.equal(is('application/vnd.api+json', '*/*+json'), 'application/vnd.api+json');
    assert.equal(is('application/json', '+json'), false);
    assert.equal(is('multipart/form-data; boundary=x', 'multipart'), 'multipart');
    assert.equal(is('multipart/form-data; boundary=x', 'multipart/*'), 'multipart/form-data');
  });

  test('type: several arguments or an array return the first that matches', () => {
    assert.equal(is('application/json', 'html', 'json', 'application/json'), 'json');
    assert.equal(is('application/json', 'html', '*/*'), 'application/json');
    assert.equal(is('text/plain', 'html', 'json'), false);
  });

  test('type: without any, returns the media type of the body', () => {
    assert.equal(is('Text/HTML; charset=utf-8'), 'text/html');
  });

  test('no body: returns null', () => {
    assert.equal(
      alike({ 'content-type': 'text/html' }, req => req.is('html')),
      null,
    );
    assert.equal(
      alike({ 'content-type': 'text/html', 'content-length': 'x' }, req => req.is('html')),
      null,
    );
  });

  test('empty or chunked body: counts as a body', () => {
    for (const fields of [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }]) {
      assert.equal(
        alike({ 'content-type': 'text/html', ...(fields as object) }, req => req.is('html')),
        'html',
      );
    }
  });

  test('no Content-Type: returns false', () => {
    assert.equal(
      alike({ 'content-length': '1' }, req => req.is('html')),
      false,
    );
    assert.equal(is('', 'html'), false);
  });

  test('malformed Content-Type: returns false', () => {
    for (const value of [
      'text',
      'text/',
      'text/html;',
      'text/html; a',
      'text/html garbage',
      'a/b+c+d',
      'a b/c',
    ]) {
      assert.equal(is(value, '*/*'), false, value);
    }
  });

  test('any Content-Type: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const fields: Record<string, string> = {};
      if (random.chance(0.9)) {
        const field = random.pick(['content-length', 'transfer-encoding']);
        fields[field] = random.pick(['5', '0', 'chunked', '', 'x', '1e3']);
      }
      const value = random.chance(0.5) ? mediaType(random) : random.pick(ODD_VALUES);
      if (random.chance(0.95))
        fields['content-type'] = space(random) + value + space(random) + random.pick(TAILS);
      const types = random.many(0, 3, () =>
        random.weighted<unknown>([
          [3, () => extension(random)],
          [3, () => mediaType(random)],
          [2, () => random.pick(WILD_TYPES)],
          [1, () => random.pick(NO_TYPES)],
        ]),
      ) as string[];
      return { fields, use: req => [req.is(types), (req.is as Is)(...types)] };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answers = await sameEach(
      answering((req, res) => void res.json([req.is('json'), req.is('html')])),
      [{ method: 'POST', headers, body: '{}' }, { headers }, { method: 'POST', body: 'x' }],
    );
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['["json",false]', '[null,null]', '[false,false]'],
    );
  });
});
