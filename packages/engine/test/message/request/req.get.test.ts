/** `req.get`: reads a request header, whatever the case of its name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, alikeError, fakeRequest } from '../../support/fake-request.js';
import { frameworks } from '../../support/oracle.js';

describe('req.get', () => {
  test('field: is found by name, case-insensitively', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json(['X-One', 'x-one', 'X-ONE'].map(name => req.get(name)))),
      [
        { headers: { 'x-One': ' value ' } },
        { headers: { 'X-One': ['a', 'b'] } },
        { headers: { 'X-One': '' } },
      ],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['value', 'value', 'value']);
    assert.deepEqual(JSON.parse(answers[1]!.text), ['a, b', 'a, b', 'a, b']);
    assert.deepEqual(JSON.parse(answers[2]!.text), ['', '', '']);
  });

  test('absent: returns undefined', () => {
    assert.equal(
      alike({}, req => req.get('X-One')),
      undefined,
    );
  });

  test('absent: returns undefined also for names that every object inherits', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.equal(fakeRequest(frameworks.ristretto, {}).get(name), undefined);
      assert.equal(
        fakeRequest(frameworks.ristretto, { tostring: 'x', constructor: 'y' }).get('constructor'),
        'y',
      );
    }
  });

  test('Referer and Referrer: are interchangeable', () => {
    for (const name of ['Referer', 'Referrer', 'REFERER', 'referrer']) {
      assert.equal(
        alike({ referer: 'a' }, req => req.get(name)),
        'a',
      );
      assert.equal(
        alike({ referrer: 'b' }, req => req.get(name)),
        'b',
      );
      assert.equal(
        alike({ referer: 'a', referrer: 'b' }, req => req.get(name)),
        'b',
      );
      assert.equal(
        alike({ referer: '' }, req => req.get(name)),
        '',
      );
      assert.equal(
        alike({}, req => req.get(name)),
        undefined,
      );
    }
  });

  test('Set-Cookie: is an array', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json(req.get('set-cookie'))),
      [{ headers: { 'Set-Cookie': ['a=1', 'b=2'] } }],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['a=1', 'b=2']);
  });

  test('name missing: throws a TypeError', () => {
    const missing = 'TypeError: name argument is required to req.get';
    assert.equal(
      alikeError({}, req => req.get(undefined as never)),
      missing,
    );
    assert.equal(
      alikeError({}, req => req.get('')),
      missing,
    );
  });

  test('name not a string: throws a TypeError', () => {
    const message = 'TypeError: name must be a string to req.get';
    assert.equal(
      alikeError({}, req => req.get(5 as never)),
      message,
    );
    assert.equal(
      alikeError({}, req => req.get({} as never)),
      message,
    );
  });
});
